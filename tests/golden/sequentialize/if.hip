// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// Two alternatives: a snapshot of the condition, a fence, and two guarded ifs.

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

__global__ void once(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c) {
		add(acc, 1);
	} else {
		scale(acc, 2);
	}
	store(p, acc);
}

__global__ void twice_in_a_loop(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		/* the arms change what the conditions read */
		if (i + c > 2) {
			add(acc, 1);
			c = -c;
		} else {
			scale(acc, 2);
			c++;
		}
		if ((c & 1) == (d & 1)) {
			add(acc, 3);
		} else {
			scale(acc, 4);
		}
	}
	store(p, acc);
}

__global__ void conditions(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > 1 && d++ > 2) {
		add(acc, d);
	} else {
		scale(acc, d);
	}
	if (d = c - 1) {
		add(acc, d);
	} else {
		scale(acc, d);
	}
	if (c ? d : n) {
		add(acc, 5);
	} else {
		scale(acc, 6);
	}
	if (c++, d > c) {
		add(acc, c);
	} else {
		scale(acc, c);
	}
	if (p + c != p) {
		add(acc, 7);
	} else {
		scale(acc, 8);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {once, twice_in_a_loop, conditions};
#endif
