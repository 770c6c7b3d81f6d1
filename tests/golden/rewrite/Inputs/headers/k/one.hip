#include "../step.h"
#include "../again.h"

__attribute__((global)) void one(float *p, int n, int c)
{
	f32x4 acc[32] = {};
	for (int k = 0; k < n; ++k) {
		step(acc, p + k, n, c + k);
	}
	if (n > c) {
		acc[n] += p[n];
	} else {
		acc[c] += p[c];
	}
	for (int i = 0; i < 32; ++i) {
		p[i] = acc[i].x + acc[i].y;
	}
}
