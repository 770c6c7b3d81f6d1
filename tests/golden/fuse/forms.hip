// RUN: %S/../sequentialize/Inputs/form %unphi fuse %s %t.hip
//
// Arms that are alike but for operands and narrow statements become one body.

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

__device__ inline float inside(const float *p, int i)
{
	return p[i % 8];
}

__device__ inline float masked(const float *p, int i)
{
	return i < 5 ? p[i % 8] : 0;
}

template <int N> __device__ inline float scaled(const float *p, int i)
{
	return p[i % 8] / N;
}

__device__ inline void fill(float (&x)[4], const float *p, int at)
{
	for (int i = 0; i < 4; i++) {
		x[i] = p[at + i];
	}
}

__device__ inline void clear(float (&x)[4])
{
	for (int i = 0; i < 4; i++) {
		x[i] = 0;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

// Operands in loops, locals that have other names, and a name that both arms and the code around
// them use.
__global__ void operands(float *p, int n, int c, int d)
{
	tile acc = {};
	int j = 3;
	for (int t = 0; t < 3; t++) {
		if (t < c) {
			float x[4];
			for (int i = 0; i < 4; i++) {
				x[i] = inside(p, i + t); // as it is
			}
			for (int i = 0; i < 64; i++) {
				acc.v[i] += x[i % 4] + (n + 1) * 2;
			}
		} else {
			float y[4];
			/* not beyond the end */
			for (int k = 0; k < 4; k++) {
				y[k] = masked(p, k + t + j);
			}
			for (int k = 0; k < 64; k++) {
				acc.v[k] += y[k % 4] + d * 2;
			}
		}
	}
	store(p, acc);
}

// Statements that differ, and statements that only one arm has: first, last, between.
__global__ void statements(float *p, int n, int c, int d)
{
	tile acc = {};
	float x[4] = {};
	if (c > d) {
		fill(x, p, 0);
		const float u = x[1] + 1;
		add(acc, u);
		p[1] = 3; // the last of them
	} else {
		clear(x);
		const float w = x[2];
		if (n > 1) {
			p[2] = w;
		}
		add(acc, w);
	}
	if (c == d) {
		p[3] = 1;
		p[4] = 2;
		for (int i = 0; i < 64; i++) {
			p[5] = d;
			acc.v[i] += i;
		}
	} else
		for (int i = 0; i < 64; i++) {
			acc.v[i] += i;
		}
	store(p, acc);
}

// The same statements in another order.
__global__ void order(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > n) {
		const int a = n + 1;
		const int b = d + 2;
		p[1] = a;
		add(acc, a + b);
	} else {
		const int b = d + 3;
		const int a = n + 4;
		p[1] = a;
		add(acc, a + b);
	}
	store(p, acc);
}

// Many arms, ifs that are all there is in an arm, and a switch.
__global__ void arms(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > 1) {
		if (d > 2) {
			add(acc, scaled<2>(p, n));
		} else {
			add(acc, scaled<3>(p, n));
		}
	} else if (c == n) {
		add(acc, scaled<2>(p, n));
	} else {
		add(acc, p[5]);
	}
	switch (c) {
	case 0:
		p[1] = 7;
		add(acc, n);
		break;
	case 1:
	case 2: {
		add(acc, d);
		break;
	}
	default: // all others
		add(acc, c);
	}
	store(p, acc);
}

// A condition that declares, a statement without braces, and an arm that leaves the loop.
__global__ void places(float *p, int n, int c, int d)
{
	tile acc = {};
	if (int e = c + d; e > 3) {
		add(acc, e);
	} else {
		add(acc, d);
	}
	for (int t = 0; t < 4; t++)
		if (t < c)
			add(acc, p[0]);
		else
			add(acc, p[t]);
	for (int t = 0; t < 4; t++) {
		if (t > n) {
			add(acc, p[1]);
			if (d > t) {
				break;
			}
		} else {
			add(acc, 3);
			if (d > 4) {
				break;
			}
		}
	}
	store(p, acc);
}

// What is declared where the arms differ, and used where they do not, is handed over: one variable for
// all arms that call it so, pointers and vectors too, and inside a loop.
__global__ void handed(float *p, int n, int c, int d)
{
	typedef float f32x4 __attribute__((vector_size(16)));
	tile acc = {};
	if (c > d) {
		add(acc, p[2]);
	} else {
		const float x = p[3]; // the edge
		p[4] = x;
		add(acc, x);
	}
	for (int t = 0; t < 3; t++) {
		if (t < n) {
			int at = c + 1;
			p[at % 8] = 3;
			for (int i = 0; i < 64; i++) {
				acc.v[i] += p[(at + i) % 8];
			}
		} else if (t < d) {
			const float *from = p + 1;
			unsigned at = 5;
			if (c > 4) {
				at++, from++;
			}
			at += t;
			for (int i = 0; i < 64; i++) {
				acc.v[i] += from[(at + i) % 8];
			}
			p[at % 4] += 1;
		} else {
			f32x4 sum = {p[0], p[1], p[2], p[3]};
			int at;
			at = d + 2;
			sum[at % 4] = p[5];
			for (int i = 0; i < 64; i++) {
				if (i > at % 8) {
					p[6] = i;
				}
				acc.v[i] += sum[(at + i) % 4];
			}
		}
	}
	store(p, acc);
}

// Loops of the same values, said in other words: the first arm's stay.
__global__ void turns(float *p, int n, int c, int d)
{
	constexpr int LAST = 63;
	tile acc = {};
	if (c > d) {
		for (int i = 0; i <= LAST; i += 1) {
			acc.v[i] += p[i % 3];
		}
	} else if (c > n) {
		for (int j = 0; j < 64; ++j) {
			acc.v[j] += p[j % 4];
		}
	} else {
		for (int k = 0; k < LAST + 1; k++) {
			acc.v[k] += p[k % 5];
		}
	}
	store(p, acc);
}

// What is said never to be reached leaves nothing, in the arm or in what it calls.
__device__ inline float part(const float *p, int which)
{
	switch (which & 1) {
	case 0:
		return p[1];
	case 1:
		return p[2];
	}
	__builtin_unreachable();
}

__global__ void unreached(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > d) {
		if (n > 100) {
			__builtin_unreachable();
		}
		add(acc, part(p, n));
	} else {
		p[9] += 1;
		add(acc, part(p, d));
	}
	store(p, acc);
}

__global__ void pragmas(float *p, int n, int c, int d)
{
	tile acc = {};
	const bool whole = c > d;
	if (whole) {
#pragma unroll
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[i % 8] * 2;
		}
	} else {
#pragma unroll
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[i % 4] * 2;
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {
	operands, statements, order, arms, places, handed, turns, unreached, pragmas};
#endif
