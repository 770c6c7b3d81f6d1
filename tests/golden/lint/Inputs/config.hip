__attribute__((global)) void wide(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		acc[c] += 1;
	} else {
		acc[0] += 1;
	}
	p[0] = acc[c];
}

__attribute__((global)) void narrow(float *p, int c)
{
	float acc[32] = {};
	if (c) {
		acc[c] += 1;
	} else {
		acc[0] += 1;
	}
	p[0] = acc[c];
}
