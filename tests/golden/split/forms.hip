// RUN: %S/../sequentialize/Inputs/form %unphi split %s %t.hip
//
// Two loops where the condition is proved to change once, else loops in runs.

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

__device__ inline void turn(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x - t.v[i];
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] += t.v[i];
	}
}

__global__ void falls(float *p, int n, int c, int d)
{
	tile acc = {};
	const bool inside = c > 0;
	for (int k = 0; k < n; k += 2) {
		p[34] += k; // before
		const int rest = n - k;
		const int twice = 2 * k;
		if (inside && rest >= 2 /* whole */) {
			// a whole step
			add(acc, p[k]);
		} else /* the edge */ {
			float x = k + 1 < n ? p[k + 1] : 0;
			turn(acc, x);
		} // done
		p[35] -= twice;
	}
	store(p, acc);
}

__global__ void first_and_last(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int t = c; t < n; ++t)
		if (t == c)
			add(acc, 1);
		else
			turn(acc, t);
	const int last = d - 1;
	int t;
	for (t = 0; t < d; t++) {
		const bool more = t != last;
		const float x = p[t];
		if (more) {
			add(acc, x);
			p[36] += 1;
		} else if (c > 1) {
			turn(acc, x);
		} else {
			add(acc, 3);
		}
	}
	for (int t = n; t > 0; --t) {
		if (!(t < c)) {
			turn(acc, t);
		} else {
			add(acc, t);
		}
	}
	p[37] = t;
	store(p, acc);
}

__global__ void in_runs(float *p, int n, int c, int d)
{
	tile acc = {};
	for (unsigned k = 0; k < (unsigned)n; k += 3) {
		int here = k % 5;
		p[33] += here;
		if (k + 3u <= (unsigned)c) {
			int here = 4;
			add(acc, here);
			if (d == 4) {
				continue;
			}
		} else {
			turn(acc, here);
		}
		if (d == 5)
			return;
	}
#pragma unroll 1
	for (int k = 0; k < n; k++) {
		if ((k & 1) == 0 || k == d) {
			add(acc, k);
		} else {
			turn(acc, 1);
		}
	}
	bool first = true;
	int k = 0;
	while (k < n) {
		if (first) {
			add(acc, 3);
			first = false;
		} else {
			turn(acc, 4);
		}
		k += 2;
	}
	store(p, acc);
}

__global__ void inner(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 2; i++) {
			if (k < c) {
				add(acc, i);
			} else {
				turn(acc, k);
			}
		}
	}
	switch (d) {
	case 0:
		for (int k = 0; k < n; k++) {
			if (k < c) {
				add(acc, 7);
			} else {
				turn(acc, 8);
			}
		}
	}
	for (int k = 0; k < n; k++) {
		if (k < c) {
			add(acc, 5);
		} else {
			turn(acc, 6);
		}
		if (k + 1 < d) {
			add(acc, 9);
		} else {
			turn(acc, 2);
		}
	}
	store(p, acc);
}

__global__ void bodies(float *p, int n, int c, int d)
{
	tile acc = {};
#pragma unroll 1
	for (int k = 0; k < n; k++)
		if (k < c) {
			add(acc, 7);
		} else {
			turn(acc, 8);
		}
	for (int t = 0; t < n; t++)
		if (t < d)
			for (int i = 0; i < 64; i++)
				acc.v[i] = t - acc.v[i];
		else
			for (int i = 0; i < 64; i++)
				acc.v[i] += t;
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {falls, first_and_last, in_runs, inner, bodies};
#endif
