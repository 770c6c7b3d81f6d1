// RUN: %S/../sequentialize/Inputs/form %unphi hoist %s %t.hip
//
// What all arms end in stands behind the merge; what they differ in becomes a variable.

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

__device__ inline void step(tile &t, const float *from, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + from[i % 4]) / x;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

__global__ void choice(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > i) {
			step(acc, p, 3);
		} else {
			// the other end
			step(acc, p + d, 3);
		}
	}
	store(p, acc);
}

__global__ void heads(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > n) {
		const float x = c / 2.0f; // half of it
		p[1] = x;
		/* the wide part */
		for (int i = 0; i < 64; i++) {
			acc.v[i] += x + i; // each
		}
	} else if (c == d) {
		const float y = d;
		for (int j = 0; j < 64; j++) {
			acc.v[j] += y + j; // each
		}
	} else {
		p[2] = 4;
		for (int i = 0; i < 64; i++) {
			acc.v[i] += 0.5f + i;
		}
	}
	store(p, acc);
}

__global__ void equal(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c == 1) {
		add(acc, d);
	} else {
		p[3] = d;
		add(acc, d);
	}
	if (d == n)
		add(acc, 2);
	else
		add(acc, 2);
	store(p, acc);
}

__global__ void cases(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (c) {
	case 0:
		p[1] = 7;
		step(acc, p, 4);
		break;
	case 1:
	case 2: {
		float *q = p + n;
		step(acc, q, 4);
		break;
	}
	default: // all others
		step(acc, p + d, 4);
	}
	store(p, acc);
}

__global__ void declares(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > d) {
		p[5] = 1;
		const int last = n + 1;
		add(acc, last);
	} else {
		p[6] = 1;
		const int end = n + 1;
		add(acc, end);
	}
	store(p, acc);
}

// What only one arm does behind the wide part stays; the wide part sinks past it.
__global__ void sinks(float *p, int n, int c, int d)
{
	tile acc = {};
	int count = d;
	if (c > d) {
		const float x = n + 1;
		// wide
		for (int i = 0; i < 64; i++) {
			acc.v[i] += x;
		} // each
		// narrow
		int by = n;
		count += by;
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += (float)d;
		}
		count--;
	}
	if (c > n) {
		add(acc, n);
		count++;
	} else if (c == n) {
		add(acc, d);
	} else {
		count--;
		add(acc, c);
		p[5] = d, count = c;
	}
	if (n == 1) {
		add(acc, 3);
		count += 2;
	} else {
		add(acc, 3);
	}
	store(p, acc);
	p[7] += count;
}

// What an arm does between its wide statements stays, and runs before them.
__global__ void parts(float *p, int n, int c, int d)
{
	tile acc = {};
	int count = d;
	if (c > d) {
		const float x = n + 1;
		// first
		add(acc, x);
		// narrow
		int by = n;
		count += by; // more
		/* second */
		add(acc, by);
		count--;
	} else {
		add(acc, d);
		add(acc, c); // of all
	}
	if (c > n) {
		add(acc, n);
		count++;
		for (int i = 0; i < 64; i++) {
			acc.v[i] += count;
		}
	} else if (c == n) {
		add(acc, d);
		const int twice = 2 * c;
		const int half = c / 2;
		for (int k = 0; k < 64; k++) {
			acc.v[k] += twice + half;
		}
		count += half;
	} else {
		add(acc, c);
		for (int i = 0; i < 64; i++) {
			acc.v[i] += c;
		}
	}
	switch (n) {
	case 1: {
		add(acc, 3);
		count += 2;
		const int more = count;
		add(acc, 4);
		count += more;
		add(acc, more);
		break;
	}
	default:
		add(acc, 3);
		add(acc, 4);
		add(acc, 5);
	}
	store(p, acc);
	p[7] += count;
}

// Cases on one line each stay so.
__global__ void labels(float *p, int n, int c, int d)
{
	tile acc = {};
	switch (n & 3) {
	case 0: add(acc, c); break;
	case 1: p[6] = d; add(acc, d); break;
	case 2: add(acc, 3); break;
	}
	store(p, acc);
}

// In another order.
__global__ void orders(float *p, int n, int c, int d)
{
	tile acc = {}, sum = {};
	if (c > d) {
		add(acc, n);
		p[70]++;
		add(sum, d);
	} else {
		add(sum, n);
		add(acc, d);
	}
	store(p, acc);
	store(p, sum);
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
		if (d > 100) {
			__builtin_unreachable();
		}
		add(acc, 2);
	} else {
		p[9] += 1;
		add(acc, part(p, d));
		if (d > 100) {
			__builtin_unreachable();
		}
		add(acc, 2);
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {choice, heads, equal, cases, declares,
	sinks, parts, orders, unreached, labels};
#endif
