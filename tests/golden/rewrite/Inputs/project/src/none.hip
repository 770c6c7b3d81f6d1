__attribute__((global)) void none(float *p)
{
	p[0] = 1;
}
