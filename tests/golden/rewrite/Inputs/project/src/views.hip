__attribute__((global)) void views(float *p, int n, int c)
{
	float acc[64] = {};
	for (int t = 0; t < n; ++t) {
		if (t < c) {
#ifdef OTHER
			c += n;
#endif
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
