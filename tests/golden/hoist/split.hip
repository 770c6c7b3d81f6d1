// RUN: %S/../sequentialize/Inputs/form %unphi hoist %s %t.hip
// RUN: %S/../sequentialize/Inputs/form %unphi hoist:split %s %t.all.hip any
//
// Arms that call one function keep its narrow part; its wide part is called once, behind all of them.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
	float top; // no accumulator, although its struct holds one

	// a member
	template <bool First> __device__ void divide(const float *from, int n)
	{
		top = First ? from[n] : top + 1;
		const float by = top + 2;
		for (int i = 0; i < 64; i++) {
			v[i] = from[i & 31] / by - v[i];
		}
	}
};

// Tiles one and two.
template <const bool Edge, int N>
__device__ void subtract(float (&one)[N], tile &two, const float *from, int n)
{
	// what stays in the arms
	const int first = n & 3; // cheap: computed again
	float by = from[first];
	if (Edge) {
		by = n > 5 ? 0 : by;
	}

	// what moves
	for (int i = 0; i < N; i++) {
		if constexpr (Edge) {
			if (i >= n) {
				continue;
			}
		}
		one[i] = from[(first + i) & 31] - one[i];
		two.v[i] = by - two.v[i];
	}
}

__device__ inline void plain(tile &t, const float *from, int n, bool half)
{
	const float by = half ? from[n] / 2 : from[n];
	for (int i = 0; i < 64; i++) {
		t.v[i] = by - t.v[i];
	}
}

__global__ void templates(float *p, int n, int c, int d)
{
	float one[64] = {};
	tile two = {};
	for (int k = 0; k < n; k++) {
		// is there an edge?
		if (k + 64 > n) {
			subtract<true, 64>(one, two, p + k, n - k);
		} else {
			subtract<false, 64>(one, two, p + k, n - k);
		} // no more
	}
	p[0] = one[c & 63] - two.v[c & 63];
}

__global__ void nested(float *p, int n, int c, int d)
{
	float one[64] = {};
	tile two = {};
	for (int k = 0; k < n; k++)
		switch (k) {
		case 0:
			subtract<true, 64>(one, two, p + k, n);
			break;
		default:
			if (k + 64 > n) {
				p[k] = 1;
				subtract<true, 64>(one, two, p + k, n);
			} else {
				subtract<false, 64>(one, two, p + k, n);
			}
		}
	p[0] = one[c & 63] - two.v[c & 63];
}

__global__ void member(float *p, int n, int c, int d)
{
	tile t = {};
	for (int k = 0; k < n; k++) {
		if (k == 0) {
			t.divide<true>(p, n);
		} else {
			t.divide<false>(p, n);
		}
	}
	p[d] = t.v[c & 63] - t.top;
}

__global__ void closure(float *p, int n, int c, int d)
{
	tile t = {};
	// takes a step
	auto step = [&](int at, bool last) {
		const float by = last ? p[at] : p[at + 1];
		for (int i = 0; i < 64; i++) {
			t.v[i] = by - t.v[i];
		}
	};
	for (int k = 0; k < n; k++) {
		if (k + 1 == n) {
			step(k, true);
		} else {
			step(k, false);
		}
	}
	p[0] = t.v[c & 63];
}

__global__ void function(float *p, int n, int c, int d)
{
	tile t = {};
	for (int k = 0; k < n; k++) {
		if (k < c)
			plain(t, p, k, true);
		else
			plain(t, p, k, false);
	}
	p[0] = t.v[c & 63];
}

// Neither part needs the count, and the arms count.
__device__ inline void counted(tile &t, const float *from, float count, float at)
{
	const float by = from[3] + 1;
	for (int i = 0; i < 64; i++) {
		t.v[i] = by - t.v[i] - at;
	}
}

__global__ void acts(float *p, int n, int c, int d)
{
	tile t = {};
	float steps = 1;
	for (int k = 0; k < n; k++) {
		if (k < c) {
			counted(t, p, steps += 2, 1);
		} else {
			counted(t, p, steps, 1);
		}
	}
	p[0] = t.v[c & 63];
	p[d] = steps;
}

// The loops of the wide part have an i and a k of their own: it gets no other.
template <bool First>
__device__ inline void hidden(float (&t)[64], float x, int i, const float *from)
{
	const float by = First ? x : x + from[i];
	int k = (int)x;
	from += k++ & 1;
	for (int i = 0; i < 64; ++i) {
		t[i] = t[i] / by + from[i & 7];
		for (int k = 0; k < 2; ++k) {
			t[i] += k;
		}
	}
}

__global__ void hides(float *p, int n, int c, int d)
{
	float t[64] = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			hidden<true>(t, 2, k, p);
		} else {
			hidden<false>(t, 3, k + 1, p);
		}
	}
	for (int i = 0; i < 64; ++i) {
		p[i & 15] += t[i];
	}
}

// Elements are written through a reference that a member function gives.
struct tile64 {
	float v[64];
	__device__ float &operator[](int i) { return v[i]; }
	__device__ float &last() { return (*this)[63]; }
};

template <bool First>
__device__ inline void indexed(tile64 &t, float x, const float *from)
{
	const float by = First ? x : x + from[1];
	for (int i = 0; i < 64; ++i) {
		t[i] *= from[i & 7] / by;
	}
	t.last() = by;
}

// What is added elsewhere is not added there.
__device__ inline float added(tile64 &t, float x)
{
	t[3] += x;
	return t[2] + t[3];
}

__global__ void indexes(float *p, int n, int c, int d)
{
	tile64 t;
	for (int i = 0; i < 64; ++i) {
		t[i] = p[i & 15] + 1;
	}
	for (int k = 0; k < n; k++) {
		if (k < c) {
			indexed<true>(t, 2, p);
		} else {
			indexed<false>(t, 3, p);
		}
	}
	for (int i = 0; i < 64; ++i) {
		p[i & 15] = t[i];
	}
	tile64 other = {};
	other.v[1] = p[3];
	p[2] = added(other, p[1]);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {templates, nested, member, closure, function, acts, hides, indexes};
#endif
