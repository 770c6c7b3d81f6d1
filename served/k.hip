#include "other.h"
__attribute__((global)) void quick(float *p, int c)
{
	float acc[64] = {};
	for (int t = 0; t < c; ++t) {
		/* ü𝄞 */ if (t < p[2]) {
			for (int i = 0; i < 64; ++i) acc[i] *= p[3];
		} else {
			for (int i = 0; i < 64; ++i) acc[i] += p[t];
		}
	}
	for (int i = 0; i < 64; ++i) p[i] = acc[i];
}
