__attribute__((global)) void wide(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void narrow(float *p, int c)
{
	float acc[32] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}
