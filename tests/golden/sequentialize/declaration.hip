// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// What a condition declares keeps its scope, in a block; an object is converted once.

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

__global__ void scopes(float *p, int n, int c, int d)
{
	tile acc = {};
	int x = 9;
	if (int x = c - d) {
		add(acc, x);
	} else {
		scale(acc, x);
	}
	if (int x = c; x > d) {
		add(acc, x);
	} else if (x == d) {
		scale(acc, x);
	} else {
		add(acc, x * 2);
	}
	if (x = c; int y = x + d) {
		add(acc, y);
	} else {
		scale(acc, x);
	}
	add(acc, x);
	store(p, acc);
}

struct flag {
	int v;
	__device__ explicit operator bool() { return v++ > 1; }
};

__global__ void objects(float *p, int n, int c, int d)
{
	tile acc = {};
	flag f = {c};
	for (int i = 0; i < n; i++) {
		if (f) {
			add(acc, f.v);
		} else {
			scale(acc, d);
		}
		if (flag g{d}) {
			add(acc, g.v);
		} else if (f) {
			scale(acc, g.v);
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {scopes, objects};
#endif
