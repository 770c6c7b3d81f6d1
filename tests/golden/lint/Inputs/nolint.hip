__attribute__((global)) void kernel(float *p, int c)
{
	float acc[64] = {};
	if (c) { // NOLINT(unphi-phi-explosion)
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}
