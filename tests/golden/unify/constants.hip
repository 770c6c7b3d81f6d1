// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// What is constant in an instance: products of constants that are not rounded.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__device__ inline float eighths(int n)
{
	return n * 0.125f;
}

template <int N> __device__ inline void exact(tile &t, float x)
{
	const float s = N;
	float sum = 0;
	for (int k = 0; k < N; k++) {
		sum += k * 0.5f;
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? eighths(N) * 3 + x : s * 2.5f + 0.3f;
		t.v[i] = N * x + sum;
	}
}

__global__ void products(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c == 1) {
		exact<2>(acc, d);
	} else if (c == 2) {
		exact<10>(acc, d);
	} else {
		exact<11>(acc, d);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {products};
#endif
