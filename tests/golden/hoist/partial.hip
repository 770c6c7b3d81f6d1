// RUN: %S/../sequentialize/Inputs/form %unphi hoist %s %t.hip
//
// Where a path has no arm, what the arms end in stands under an if. What is narrower than half of the
// widest accumulator may go on crossing.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void step(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + i) / x;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__device__ inline float part(int x)
{
	return x + 2.5f;
}

__global__ void chain(float *p, int n, int k, int depth)
{
	tile acc = {};
	for (int at = 0; at < depth; at += 2) {
		// whole tiles, then the last one
		if (at + 2 <= k) {
			float x = part(at);
			step(acc, x); // same
		} else if (at < k) {
			float x = part(n) + 1;
			step(acc, x);
		}
		acc.v[0] += 1;
	}
	store(p, acc);
}

__global__ void nothing_differs(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > 5)
		step(acc, 2);
	else if (d < 3)
		step(acc, 2);
	store(p, acc);
}

__global__ void unbraced_in_a_loop(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int at = 0; at < c; at++)
		if (at > 5)
			step(acc, 2);
		else if (at < d)
			step(acc, 3);
		else if (at == n)
			step(acc, part(at));
	store(p, acc);
}

__global__ void no_default(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (c) {
	case 1:
		step(acc, 2);
		break;
	case 2: {
		float x = part(d);
		p[n] = x;
		step(acc, x);
		break;
	}
	}
	store(p, acc);
}

__global__ void declares(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > 4) {
		const float q = part(n);
		for (int i = 0; i < 64; i++)
			acc.v[i] = (acc.v[i] + i) / q;
		float y = acc.v[3];
		acc.v[4] = y;
	} else if (d > 2) {
		const float q = part(d);
		for (int i = 0; i < 64; i++)
			acc.v[i] = (acc.v[i] + i) / q;
		float y = acc.v[3];
		acc.v[4] = y;
	}
	store(p, acc);
}

// The fragment goes on crossing: the arms do not end in what writes it.
struct fragment {
	float v[16];
};

__device__ inline void halve(fragment &f)
{
	for (int i = 0; i < 16; i++) {
		f.v[i] /= 2;
	}
}

__device__ inline void step(tile &t, const fragment &f)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + i) / f.v[i % 16];
	}
}

__global__ void keeps_fragment(float *p, int n, int k, int depth)
{
	tile acc = {};
	fragment f = {};
	for (int at = 0; at < depth; at++) {
		f.v[at % 16] += at;
		if (at < k) {
			halve(f);
			step(acc, f);
		} else {
			f.v[n % 16] = part(at);
			step(acc, f);
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {chain, nothing_differs, unbraced_in_a_loop,
	no_default, declares, keeps_fragment};
#endif
