// RUN: %S/../sequentialize/Inputs/form %unphi hoist:guarded-fenced %s %t.fenced.hip any
// RUN: %S/../sequentialize/Inputs/form %unphi hoist:guarded %s %t.hip any
// RUN: diff -u %S/guarded.hoist %t.hip
//
// Operands that differ inside a loop that moves are chosen there; small values of the heads go along.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline float masked(const float *p, int i, int n)
{
	return i < n ? p[i] : 0.5f;
}

__device__ inline void step(tile &t, const float (&x)[8])
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + x[i % 8]) / 3;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__global__ void heads(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > n) {
		p[1] = 2; // a head
		const float *q = p + d;
		// the wide part
		for (int i = 0; i < 32; i++) {
			acc.v[i] += q[i] + i;
		}
	} else {
		const float s = d / 2.0f, r = 4;
		p[3] = r;
		for (int j = 0; j < 32; j++) {
			acc.v[j] += p[j + 1] / (j + s) + j;
		}
	}
	for (int k = 0; k < n; k++) {
		if (k < c) {
			p[5] = k;
			for (int i = 0; i < 64; i++) {
				acc.v[i] = (acc.v[i] + p[i]) / 2;
			}
		} else {
			for (int i = 0; i < 64; i++) {
				acc.v[i] = (acc.v[i] + masked(p, i, d)) / 2;
			}
		}
	}
	store(p, acc);
}

// An array that the heads fill would cross: what fills it moves as well.
__global__ void arrays(float *p, int n, int c, int d)
{
	tile acc = {};
	float x[8];
	if (c > d) {
		p[1] = 7;
		for (int i = 0; i < 8; i++) {
			x[i] = p[i + n];
		}
		step(acc, x);
	} else {
		p[2] = 7;
		for (int i = 0; i < 8; i++) {
			x[i] = masked(p, i, n);
		}
		step(acc, x);
	}
	store(p, acc);
}

__global__ void three(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c == 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = p[i] / (acc.v[i] + 3);
			p[i] += acc.v[i];
		}
	} else if (c == d) {
		p[4] = 3;
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (i < n ? p[i] : 2) / (acc.v[i] + 3);
			p[i] += acc.v[i];
		}
	} else {
		float s = d;
		s = s - 8;
		for (int at = 0; at < 64; at++) {
			acc.v[at] = (s - at) / (acc.v[at] + 3);
			p[at] += acc.v[at];
		}
	}
	switch (d) {
	case 0:
		for (int i = 0; i < 64; i++) {
			acc.v[i] = acc.v[i] / (i + 1);
		}
		break;
	default: {
		const int by = d + n;
		for (int i = 0; i < 64; i++) {
			acc.v[i] = acc.v[i] / (i * by + 1);
		}
	}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {heads, arrays, three};
#endif
