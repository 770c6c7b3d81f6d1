// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Default arguments, which the new function does not have: its call writes them.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};
enum class mode { none, half, full };
enum state { NONE, SOME };

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

template <bool First> __device__ inline float one(float x, int n = 3, bool is = true)
{
	return First && is ? x : x + n;
}

template <bool First>
__device__ inline void step(tile &t, float x, const float *mask = nullptr,
	mode how = mode::half /* of them */, float top = -1.5e2f)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = First || mask || how == mode::none ? one<First>(x) : t.v[i] > top ? t.v[i] : one<!First>(x, 4);
	}
}

struct worker {
	enum state { SOME, NONE };
	float scale;
	template <bool First> __device__ inline void run(tile &t, float x, int n = 2) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = First ? x : t.v[i] > scale ? t.v[i] + n : x;
		}
	}
	// stays: the name means something else where the call is
	template <bool First> __device__ inline void scoped(tile &t, float x, int n = state::SOME) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = First ? x : t.v[i] + n;
		}
	}
	template <bool First, int N = state::SOME> __device__ inline void named(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = First ? x : t.v[i] + N;
		}
	}
};

// stays: calculated, deduced from others, not the same
template <bool First> __device__ inline void calculated(tile &t, float x, int n = 1 + sizeof(int))
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = First ? x : t.v[i] + n;
	}
}
template <bool First, class T> __device__ inline void deduced(tile &t, T x, T n = 2)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = First ? x : t.v[i] + n;
	}
}

// of a namespace that is opened twice; and stays: a name that an arm's function declares otherwise
namespace kinds {
enum class kind { low, high };
}
namespace kinds {
using none = void;
}
enum place { FIRST, LAST };
template <bool First> __device__ inline void kept(tile &t, float x, kinds::kind how = kinds::kind::high)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = First && how == kinds::kind::high ? x : t.v[i] + 2;
	}
}
template <bool First> __device__ inline void placed(tile &t, float x, int n = place::LAST)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = First ? x : t.v[i] + n;
	}
}
__global__ void scopes(float *p, int n, int c, int d)
{
	struct alignas(4) place {
		enum { A, B, LAST };
	};
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			kept<true>(acc, i + d);
		} else {
			kept<false>(acc, i + d);
		}
		if (i == c) {
			placed<true>(acc, i);
		} else {
			placed<false>(acc, i);
		}
	}
	store(p, acc);
}

__global__ void defaults(float *p, int n, int c, int d)
{
	tile acc = {};
	const worker w = {float(d)};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			step<true>(acc, i);
		} else {
			step<false>(acc, i);
		}
		if (i == c) {
			step<true>(acc, i, nullptr);
		} else {
			step<false>(acc, i, p, mode::none);
		}
		if (i == c) {
			w.run<true>(acc, i);
		} else if (i == d) {
			w.run<true>(acc, i, 3);
		} else {
			w.run<false>(acc, i);
		}
		if (i == c) {
			w.scoped<true>(acc, i);
		} else {
			w.scoped<false>(acc, i);
		}
		if (i == c) {
			w.named<true, 3>(acc, i);
		} else {
			w.named<false>(acc, i);
		}
		if (i == c) {
			calculated<true>(acc, i);
		} else {
			calculated<false>(acc, i);
		}
		if (i == c) {
			deduced<true>(acc, float(d));
		} else {
			deduced<false>(acc, float(d));
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {defaults, scopes};
#endif
