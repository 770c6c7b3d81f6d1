#include "../step.h"

__attribute__((global)) void a(float *p, int n, int c)
{
	float acc[64] = {};
	for (int t = 0; t < n; ++t) {
		step(acc, p + t, n, c + t);
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
