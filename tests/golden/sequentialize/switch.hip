// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
//
// A switch: several labels, default in the middle, enum cases, GNU ranges, no default, values behind
// macros, break inside and outside of braces. Its value is read once.

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

#define FORWARD 1
enum class mode { add, scale, both = 4 };
enum { FIRST = 2, SECOND };

__global__ void labels(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (c) {
	case FORWARD:
		add(acc, 1);
		break;
	case FIRST:
	case SECOND: {
		scale(acc, 2);
		break;
	}
	default:
		add(acc, 3);
		scale(acc, 4);
		break;
	case 4 ... 5:
		scale(acc, 5);
		break;
	case -FORWARD: {
		add(acc, 6);
	} break;
	case FIRST + 5:
		break;
	}
	store(p, acc);
}

__global__ void scoped(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		switch (static_cast<mode>(c++)) {
		case mode::add:
			add(acc, 1);
			continue;
		case mode::scale: scale(acc, 2); break;
		case mode::both: {
			float x = d;
			add(acc, x);
			scale(acc, x);
		}
		}
		if (d == 4) {
			break;
		}
		acc.v[1] += 1;
	}
	store(p, acc);
}

__global__ void with_declaration(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (int x = c + d; x) {
	case 2:
		add(acc, x);
		break;
	case 3:
		scale(acc, x);
		break;
	}
	switch (int y = c - d) {
	case 0:
		add(acc, y);
		break;
	default:
		scale(acc, y);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {labels, scoped, with_declaration};
#endif
