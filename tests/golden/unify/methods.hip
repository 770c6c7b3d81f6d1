// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Methods of a class template that call others of it.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

template <bool First, class T> struct softmax {
	static constexpr int kStep = First ? 3 : 4;
	float scale, top = 7;
	tile &to;

	// of one row
	__device__ void operator()(T x) const
	{
		for (int i = 0; i < 64; i++) {
			to.v[i] = First ? scaled(x) : this->clamped(to.v[i], top) + next<2>(x);
		}
		add(x);
	}

	static __device__ T plain(T x, int n = 2)
	{
		return x + n;
	}
	static __device__ int plain(int x)
	{
		return x - 2;
	}

	// needs it
	__device__ float scaled(T x) const
	{
		return plain(x) > scale ? plain(x, 3) : plain(kStep);
	}
	__device__ inline auto clamped(T x, T y) const -> T
	{
		return x > y ? y : First ? scaled(x) : x;
	}
	template <int N> __device__ T next(T x) const
	{
		return First ? x : x + N;
	}
	__device__ void add(T x) const
	{
		for (T &v : to.v) {
			v = v > x ? v : scaled(v);
		}
	}
	// stays: a member that changes, each other, of another object
	__device__ void counted(T x)
	{
		top += 1;
		for (int i = 0; i < 64; i++) {
			to.v[i] = First ? scaled(x) : to.v[i] + top;
		}
	}
	__device__ void odd(int n) const
	{
		for (int i = 0; i < 64; i++) {
			to.v[i] = First ? n : to.v[i] + 1;
		}
		if (n > 0) {
			even(n - 1);
		}
	}
	__device__ void even(int n) const
	{
		if (n > 0) {
			odd(n - 1);
		}
	}
	__device__ void others(T x, const softmax &s) const
	{
		for (int i = 0; i < 64; i++) {
			to.v[i] = First ? s.scaled(x) : to.v[i] + 1;
		}
	}
};

__global__ void methods(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			softmax<true, float>{float(d), 3, acc}(i);
		} else {
			softmax<false, float>{float(d), 3, acc}(i);
		}
		if (i == c) {
			softmax<true, float>{float(d), 3, acc}.counted(i);
		} else {
			softmax<false, float>{float(d), 3, acc}.counted(i);
		}
		if (i == c) {
			softmax<true, float>{float(d), 3, acc}.odd(i);
		} else {
			softmax<false, float>{float(d), 3, acc}.odd(i);
		}
		if (i == c) {
			softmax<true, float>{float(d), 3, acc}.others(i, {1, 2, acc});
		} else {
			softmax<false, float>{float(d), 3, acc}.others(i, {1, 2, acc});
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {methods};
#endif
