// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// More alternatives get one selector: each condition is evaluated once, and only when the ones before
// it were false. Without a final else nothing may run.

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

__device__ inline bool counted(int &calls, bool value)
{
	calls++;
	return value;
}

__global__ void with_else(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c == 0) {
		add(acc, 1);
	} else if (d == 1) {
		scale(acc, 2);
	} else if (c == d) {
		add(acc, 3);
	} else {
		scale(acc, 4);
	}
	store(p, acc);
}

__global__ void without_else(float *p, int n, int c, int d)
{
	tile acc = {};
	int calls = 0;
	for (int i = 0; i < n; i++) {
		if (counted(calls, c > i)) {
			add(acc, 1);
		} else if (counted(calls, d > i) || counted(calls, d == 0)) {
			scale(acc, 2);
		} else if (counted(calls, c == -1)) {
			add(acc, calls);
		}
	}
	add(acc, calls);
	store(p, acc);
}

__global__ void long_conditions(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c * 2 + d * 3 < n + 1 && (c + d) % 2 == 0 && c != d) {
		add(acc, 1);
	} else if (c * 3 + d * 2 < n + 2 && (c + d) % 3 == 0 && c != d + 1) {
		scale(acc, 2);
	} else if (c = d) {
		add(acc, 3);
	} else {
		scale(acc, c);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {with_else, without_else, long_conditions};
#endif
