// RUN: %S/../sequentialize/Inputs/form %unphi hoist %s %t.hip
//
// A split function that others call as well is made of its two parts, if that is certain to be the same.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

/* One step, with a scale. */
template <bool First, int N>
__device__ inline void scaled(float (&acc)[N], const float *p, float scale, int k)
{
	const int at = k & 7;
	const float by = First ? scale : scale + p[at];
	for (int i = 0; i < N; ++i) {
		acc[i] = acc[i] / by + p[at + (i & 3)];
	}
}

// Gives how far it came.
template <bool First> __device__ inline int counted(float (&acc)[64], const float *p, int k)
{
	const float by = First ? 2 : p[1] + 3;
	for (int i = 0; i < 64; ++i) {
		acc[i] = acc[i] * 3 - by;
	}
	return k + 1;
}

// An array is handed over.
template <bool First> __device__ inline void several(float (&acc)[64], const float *p)
{
	float by[3];
	for (int i = 0; i < 3; ++i) {
		by[i] = First ? i : p[i];
	}
	for (int i = 0; i < 64; ++i) {
		acc[i] = acc[i] / 2 + by[i % 3];
	}
}

// In another call the reference may stand for an element of the accumulator: it stays.
template <bool First> __device__ inline void aliased(float (&acc)[64], const float &by, int k)
{
	const float more = First ? 1 : k;
	for (int i = 0; i < 64; ++i) {
		acc[i] = acc[i] * by + more;
	}
}

// Another instance, which nobody looked at: it stays.
template <bool First, int N> __device__ inline void other(float (&acc)[N], const float *p, int k)
{
	const float by = First ? 3 : p[k & 7];
	for (int i = 0; i < N; ++i) {
		acc[i] = acc[i] / 2 - by;
	}
}

// What an if constexpr asked is a variable of the wide part.
template <bool First> __device__ inline void pulled(float (&acc)[64], const float *p, float *q, int k)
{
	for (int i = 0; i < 64; ++i) {
		acc[i] = acc[i] / 2 - p[i & 7];
	}
	if constexpr (First) {
		q[40] += k;
	}
}

// A method; its parts stand in the class.
struct held {
	float acc[64];
	int calls;

	template <bool First> __device__ int add(const float *p, int k)
	{
		++calls;
		const float by = First ? 2 : p[k & 7], less = by - k;
		for (int i = 0; i < 64; ++i) {
			acc[i] = acc[i] / 2 - by / less;
		}
		return calls;
	}
};

// A method that another class has as an instance, too: it stays.
template <class T> struct more {
	T acc[64];

	template <bool First> __device__ void take(const float *p, int k)
	{
		const float by = First ? 2 : p[k & 7], less = by - k;
		for (int i = 0; i < 64; ++i) {
			acc[i] = acc[i] / 2 - by / less;
		}
	}
};

__global__ void merges(float *p, int n, int c, int d)
{
	float acc[64] = {};
	held h = {};
	more<float> m = {};
	float x = 2, y = 3;
	int steps = 0;
	for (int k = 0; k < n; ++k) {
		if (k < c) {
			scaled<true>(acc, p, 2, k);
		} else {
			scaled<false>(acc, p, 3, k);
		}
		if (k < d) {
			steps = counted<true>(acc, p, k);
		} else {
			steps = counted<false>(acc, p, k);
		}
		if (k + d < c) {
			several<true>(acc, p);
		} else {
			several<false>(acc, p);
		}
		if (k == c) {
			aliased<true>(acc, x, k);
		} else {
			aliased<false>(acc, y, k);
		}
		if (k < d) {
			other<true>(acc, p, k);
		} else {
			other<false>(acc, p, k);
		}
		if (k + 1 < d) {
			pulled<true>(acc, p, p, k);
		} else {
			pulled<false>(acc, p, p, k);
		}
		if (k + 2 < d) {
			steps = h.add<true>(p, k);
		} else {
			steps = h.add<false>(p, k);
		}
		if (k + 2 < c) {
			m.take<true>(p, k);
		} else {
			m.take<false>(p, k);
		}
	}
	for (int i = 0; i < 64; ++i) {
		p[i & 15] += acc[i] + steps + h.acc[i] + m.acc[i];
	}
}

__global__ void others(float *p, int n, int c, int d)
{
	float acc[64] = {};
	float small[16] = {};
	scaled<true>(acc, p, n, c);
	d += counted<false>(acc, p, d);
	several<true>(acc, p);
	aliased<true>(acc, acc[5], c);
	other<true>(small, p, d);
	pulled<true>(acc, p, acc, d);
	held h = {};
	more<double> m = {};
	d = h.add<true>(p, n) + h.add<false>(p, c);
	m.take<true>(p, d);
	for (int i = 0; i < 64; ++i) {
		p[i & 15] += acc[i] + small[i & 15] + h.acc[i] + m.acc[i];
	}
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {merges, others};
#endif
