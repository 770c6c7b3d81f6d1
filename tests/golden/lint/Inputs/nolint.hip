__attribute__((global)) void kernel(float *p, int c)
{
	float acc[64] = {};
	if (c) { // NOLINT(unphi-phi-explosion)
		acc[3] += 1;
	} else {
		acc[0] += 1;
	}
	p[0] = acc[3];
}
