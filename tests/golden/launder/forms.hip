// RUN: %S/../sequentialize/Inputs/form %unphi launder %s %t.hip
//
// The first legal form is taken: uniform where the condition is proved uniform, else per lane.

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

__global__ void uniform(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i < c /* interior */) {
			add(acc, 1);
		} else {
			scale(acc, 2);
		}
	}
	if (c = d) {
		add(acc, 3);
	} else if (n == 2)
		scale(acc, 4); // two
	else
		add(acc, 5);
	store(p, acc);
}

__global__ void per_lane(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++)
		if (p[i] < c) {
			add(acc, p[i + 1]);
		} else {
			scale(acc, 2);
		}
	if (int x = int(p[2]) + d) {
		add(acc, x);
	} else {
		scale(acc, n);
	}
	store(p, acc);
}

__global__ void chosen(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, 1);
		break;
	case 1:
	case 2:
		scale(acc, 2);
		break;
	}
	switch (int(p[d])) {
	case 0:
		add(acc, 1);
		break;
	default:
		scale(acc, 2);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {uniform, per_lane, chosen};
#endif
