// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// An if that is all there is in an arm gets its place in the selector; others are rewritten where they
// stand.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] * 0.75f - x;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__global__ void only(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > 2) {
		if (d) {
			add(acc, 1);
		} else if (c == 4) {
			scale(acc, 2);
		}
	} else {
		if (d > 2) {
			add(acc, 3);
		} else {
			scale(acc, 4);
		}
	}
	store(p, acc);
}

__global__ void beside_others(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > i) {
			acc.v[0] += 1;
			if (d) {
				add(acc, 1);
			} else {
				scale(acc, 2);
			}
		} else {
			for (int k = 0; k < 3; k++) {
				switch (k + d) {
				case 0:
				case 1:
					add(acc, k);
					break;
				case 2: {
					scale(acc, k);
					break;
				}
				default:
					if (c) {
						add(acc, 7);
					} else {
						scale(acc, 8);
					}
				}
			}
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {only, beside_others};
#endif
