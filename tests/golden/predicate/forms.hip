// RUN: %S/../sequentialize/Inputs/form %unphi predicate %s %t.hip
//
// What one arm does under a condition and another without becomes one, with the wider condition.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

struct four {
	float v[4];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

__device__ inline void fill(float (&x)[4], const float *p, int at)
{
	for (int i = 0; i < 4; i++) {
		x[i] = p[at + i];
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

// A choice: in the second arm, in the first, and one that keeps away.
__global__ void choice(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int t = 0; t < 3; t++) {
		if (c > t) {
			const float x = p[n];
			add(acc, x);
		} else {
			const float y = d > 2 ? p[n] : 0.0f;
			add(acc, y);
		}
	}
	if (c == 2) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += i < d || n > 1 ? p[i % 8] : 1.0f;
		}
	} else {
		for (int k = 0; k < 64; k++) {
			acc.v[k] += p[k % 8];
		}
	}
	if (c > 1) {
		add(acc, n == d ? 3.0f : p[1]);
	} else {
		add(acc, p[1]);
	}
	store(p, acc);
}

// Statements, and a variable that is cleared first.
__global__ void statements(float *p, int n, int c, int d)
{
	tile acc = {};
	float x[4] = {};
	if (c > n) {
		fill(x, p, 4);
		p[1] = d;
		add(acc, x[1]);
	} else {
		if (d > 3) {
			fill(x, p, 4);
			p[1] = d;
		}
		add(acc, x[1]);
	}
	if (c > 3) {
		const float y = p[n];
		add(acc, y);
	} else {
		float y = 0; // beyond the end
		if (d < 3) {
			y = p[n];
			if (d < 2) {
				y += 1;
			}
		}
		add(acc, y);
	}
	store(p, acc);
}

// More arms: one guards, the others do not.
__global__ void arms(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, p[n]);
		break;
	case 1:
		add(acc, d > 2 ? p[n] : 0.0f);
		break;
	default:
		add(acc, p[n]);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {choice, statements, arms};
#endif
