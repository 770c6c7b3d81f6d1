__attribute__((global)) void other(float *p)
{
	p[0] = 1;
}
