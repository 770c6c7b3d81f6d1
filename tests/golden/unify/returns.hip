// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Arms that return, ?: as an operand, arguments that differ between calls of one function, and lambdas.

#pragma clang diagnostic ignored "-Wc++20-extensions"
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};
enum class mode { a, b };

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

template <int N, class T> __device__ inline T step(tile &t, T x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > N ? x : N;
	}
	return x > N ? x : 2;
}

// ifs in a row
__device__ inline int chain(tile &t, int x, int c)
{
	// one
	if (c == 0) {
		return step<1>(t, x);
	}
	// two
	if (c == 1)
		return step<2>(t, x);

	return step<3>(t, x); // three
}

__device__ inline long two(tile &t, int x, int c)
{
	if (c == 0) {
		return step<1>(t, x); // an int
	}
	return step<2>(t, x);
}

__device__ inline void dispatch(tile &t, int x, int c)
{
	switch (c) {
	case 0:
		step<1>(t, x);
		return;
	case 4: {
		constexpr int k = 7;
		step<k>(t, x);
		return;
	}
	default:
		step<3>(t, x);
		return;
	}
}

__device__ inline int by_case(tile &t, int x, int c)
{
	if (x > 1) {
		switch (c) {
		case 0:
			return step<1>(t, x);
		case 4:
		case 5:
			return c > x ? step<6>(t, x) : step<2>(t, x);
		default:
			if (x == 3) {
				return step<3>(t, x);
			} else {
				return step<4>(t, x);
			}
		}
	}
	return 3;
}

// ways that all return, in an arm of a switch
__device__ inline int by_both(tile &t, int x, int c)
{
	switch (c & 1) {
	case 0:
		if (x == 3) {
			return step<3>(t, x);
		} else {
			return step<4>(t, x);
		}
	default:
		return step<5>(t, x);
	}
}

// a return after an if, for both of its arms
__device__ inline void after_if(tile &t, int x, int c, int d)
{
	switch (c) {
	case 0: {
		if (d)
			step<1>(t, x);
		else
			step<2>(t, x);
		return;
	}
	case 1:
		x > 2 ? step<3>(t, x) : step<5>(t, x);
		return;
	default:
		if (d > 1) {
			step<4>(t, x);
			return;
		} else {
			step<7>(t, x);
		}
		return;
	}
}

template <int N> __device__ inline void kept(tile &t, int x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > N ? x : N;
	}
}

// stays: one arm of three returns, after an if
__device__ inline void only_one(tile &t, int x, int c, int d)
{
	if (c == 0) {
		if (d)
			kept<1>(t, x);
		else
			kept<2>(t, x);
		return;
	} else if (c == 1) {
		kept<3>(t, x);
	} else {
		kept<4>(t, x);
	}
	t.v[3] = 7;
}

// stays: a path returns without a call
__device__ inline void no_call(tile &t, int x, int c, int d)
{
	if (c == 0) {
		if (d) {
			kept<1>(t, x);
		}
		return;
	} else if (c == 1) {
		kept<3>(t, x);
		return;
	} else if (c == 2) {
		kept<4>(t, x);
		return;
	}
	t.v[3] = 7;
}

__global__ void returns(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		p[i & 3] = chain(acc, i, c) + two(acc, i, d);
		dispatch(acc, i, c + d);
		p[4] = by_case(acc, i, d) + by_both(acc, i, c);
		after_if(acc, i, c, d);
		only_one(acc, i, c, d);
		no_call(acc, i, c, d);
	}
	store(p, acc);
}

// the rest of the expression stays where it is
__global__ void operand(float *p, int n, int c, int d)
{
	tile acc = {};
	int s = 0;
	for (int i = 0; i < n; i++) {
		s += 3 * (i == c ? step<1>(acc, i) : step<2>(acc, i)) << 1;
		p[i & 1] = float(i < c ? step<1>(acc, i) : step<2>(acc, s)) + 1;
		c > d ? (i & 1 ? step<1>(acc, i) : step<3>(acc, i))
		      : d > 1 ? step<2>(acc, i) : step<4>(acc, i);
		s ^= n > d && (d ? step<3>(acc, i) : step<4>(acc, i)) > 2 ? 1 : 3;
	}
	store(p, acc);
	p[3] = s;
}

// one function, which stays as it is
__device__ inline void plain(tile &t, float x, bool first, mode m)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = first ? x : t.v[i] > x ? 1.f : m == mode::a ? 2.f : 3.f;
	}
}

__global__ void arguments(float *p, int n, int c, int d)
{
	tile acc = {};
	auto f = [&](bool first, auto b, int k) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = first && b ? k : acc.v[i] > k ? 1.f : 2.f;
		}
	};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			if (d & 1) {
				plain(acc, p[i], true, mode::a);
			} else {
				plain(acc, p[i], false, mode::a);
			}
		} else {
			plain(acc, p[i], true, mode::b);
		}
		if (i == c) {
			f(true, true, 1);
		} else if (i > 3) {
			f(false, n > 1, 3);
		} else if (n & 1) {
			f(true, false, i);
		}
	}
	store(p, acc);
}

// written beside the one that others call, and in its own place
__global__ void lambdas(float *p, int n, int c, int d)
{
	tile acc = {};
	const float scale = p[3];
	// steps
	auto step_by = [&, scale]<bool First, int N>(float x) {
		for (int i = 0; i < 64; i++) {
			if constexpr (First) {
				acc.v[i] = x;
			} else {
				acc.v[i] = acc.v[i] > scale ? N : 2.f;
			}
		}
	};
	const auto last = [&acc]<mode M>() { // of all
		for (int i = 0; i < 64; i++) {
			acc.v[i] = M == mode::a ? 1.f : acc.v[i];
		}
	};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			step_by.template operator()<true, 3>(p[i]);
		} else if (c > 1) {
			step_by.operator()<false, 4>(p[i]);
		} else {
			step_by.operator()<true, 4>(p[i]);
		}
	}
	step_by.template operator()<true, 3>(1);
	if (c > d) {
		last.operator()<mode::a>();
	} else {
		last.operator()<mode::b>();
	}
	store(p, acc);
}

// stays: a copy of an object, its own value, another lambda, an object that it makes
struct counter {
	mutable int n = 0;
	__device__ int get() const
	{
		return ++n;
	}
};
__global__ void closures(float *p, int n, int c, int d)
{
	tile acc = {};
	counter k;
	auto copy = [=, &acc]<bool B>(float x) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = B ? x : acc.v[i] > x ? k.get() : 2.f;
		}
	};
	auto last = [&acc]<bool B>(float x) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = B ? x : acc.v[i] > x ? 3 : 2.f;
		}
	};
	auto own = [&acc, m = 0]<bool B>(float x) mutable {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = B ? x : acc.v[i] > x ? m++ : 2.f;
		}
	};
	auto by = copy;
	auto &alias = last;
	for (int i = 0; i < n; i++) {
		if (i == c) {
			copy.operator()<true>(p[i]);
		} else {
			copy.operator()<false>(p[i]);
		}
		if (i == d) {
			own.operator()<true>(p[i]);
		} else {
			own.operator()<false>(p[i]);
		}
		if (i < c) {
			copy.operator()<true>(p[i]);
		} else {
			by.operator()<false>(p[i]);
		}
		if (i < d) {
			alias.operator()<true>(p[i]);
		} else {
			alias.operator()<false>(p[i]);
		}
	}
	copy.operator()<false>(2);
	store(p, acc);
}
#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {returns, operand, arguments, lambdas, closures};
#endif
