__attribute__((device)) inline void included_step(float *p, int n, int c)
{
	float acc[64] = {};
	for (int t = 0; t < n; ++t) {
		if (t < c) {
			for (int i = 0; i < 64; ++i) {
				acc[i] *= p[3];
			}
		} else {
			for (int i = 0; i < 64; ++i) {
				acc[i] += p[t];
			}
		}
	}
	p[0] = acc[3];
}

__attribute__((global)) void included(float *p, int n, int c)
{
	included_step(p, n, c);
}
