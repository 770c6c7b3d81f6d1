// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// A name that the file uses is not used again, even where it could be.

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

__global__ void clash(float *p, int n, int c, int d)
{
	tile acc = {};
	int taken = c, arm = d;
	if (taken) {
		add(acc, 1);
	} else {
		scale(acc, 2);
	}
	if (arm) {
		add(acc, 3);
	} else if (taken == 1) {
		scale(acc, 4);
	}
	store(p, acc);
}

__global__ void side_by_side(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int value = 0; value < n; value++) {
		switch (value + c) {
		case 0: add(acc, 1); break;
		case 1: scale(acc, 2); break;
		}
		switch (value + d) {
		case 0: add(acc, 1); break;
		case 1: scale(acc, 2); break;
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {clash, side_by_side};
#endif
