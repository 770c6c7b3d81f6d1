__attribute__((global)) void bad(float *p)
{
	p[0] = ;
}
