#include "both.h"
#define __global__ __attribute__((global))

__global__ void k(float *p, int n, int c)
{
	float acc[64] = {};
	for (int t = 0; t < n; t++) {
		if (t < c) {
			for (int i = 0; i < 64; i++) {
				acc[i] = acc[i] * p[i] + 1;
			}
		} else {
			for (int i = 0; i < 64; i++) {
				acc[i] = acc[i] / p[i] - 2;
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		p[i] = acc[i];
	}
}
