__attribute__((global)) void wide(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		acc[3] += 1;
	} else {
		acc[0] += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void narrow(float *p, int c)
{
	float acc[32] = {};
	if (c) {
		acc[3] += 1;
	} else {
		acc[0] += 1;
	}
	p[0] = acc[3];
}
