// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// Arms without braces get some, and so does a loop whose body the if was.

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

__global__ void arms(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c)
		add(acc, 1);
	else
		scale(acc, 2);
	if (d > 2)
		add(acc, 3);
	else if (c == d) {
		scale(acc, 4);
		add(acc, 5);
	} else
		for (int i = 0; i < n; i++)
			acc.v[i] += i;
	if (c == 1) add(acc, 6); else scale(acc, 7);
	store(p, acc);
}

__global__ void bodies(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++)
		if (c > i)
			add(acc, 1);
		else
			scale(acc, 2);
	int k = 0;
	do
		if (c)
			add(acc, 3);
		else
			scale(acc, 4);
	while (++k < n);
	while (k-- > 0) if (d) add(acc, 5); else scale(acc, 6);
	for (int i = 0; i < n; i++) // why
		if (d > i) {
			add(acc, 7);
		} else {
			scale(acc, 8);
		}
	store(p, acc);
}

__global__ void dangling(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c)
		if (d)
			add(acc, 1);
		else
			scale(acc, 2);
	if (c > 2)
		if (d > 2)
			add(acc, 3);
		else
			scale(acc, 4);
	else
		acc.v[0] = 5;
	store(p, acc);
}

__global__ void on_one_line(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < c) { add(acc, 1); continue; }
		scale(acc, d);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {arms, bodies, dangling, on_one_line};
#endif
