namespace attention
{
template <int N> __attribute__((global)) void tile(float *p, int c)
{
	float acc[N] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void twice(float *p, int c)
{
	float acc[64] = {};
	if (p[0] < c) {
		for (auto &e : acc) e += p[1];
	} else {
		for (auto &e : acc) e += 2;
	}
	for (int k = 0; k < c; ++k) {
		if (k + 4 < c) {
			for (auto &e : acc) e *= p[k];
		} else {
			for (auto &e : acc) e -= p[0];
		}
	}
	p[1] = acc[3];
}
}

void launch(float *p)
{
	auto kernel = attention::tile<64>;
	(void)kernel;
	(void)&attention::tile<64>;
}
