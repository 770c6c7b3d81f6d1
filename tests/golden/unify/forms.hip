// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Arms that call instances of one function template become one call of a function that takes the
// template arguments that differ.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

enum class phase { first, middle, last };
enum mode { NONE, FULL, MASKED };

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

// one flag, by if constexpr
template <bool kIsFirst> __device__ void begin(tile &t, float x)
{
	if constexpr (kIsFirst) {
		// nothing is there yet
		for (int i = 0; i < 64; i++) {
			t.v[i] = x;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			t.v[i] = t.v[i] > x ? t.v[i] : x;
		}
	}
}

__global__ void flag(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == 0) {
			begin<true>(acc, p[i]); // the first one
		} else {
			/* and all others */
			begin<false>(acc, p[i]);
		}
	}
	store(p, acc);
}

// the same way, where all others are
__global__ void other(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++)
		if (c > d)
			begin<false>(acc, p[i]);
		else
			begin<true>(acc, p[i]);
	begin<false>(acc, 1.0f);
	store(p, acc);
}

/* What a callee takes. */
template <mode Mode, typename T>
__device__ T
load(const T *from, int i,
	int limit)
{
	return Mode == NONE ? T(0) : Mode == FULL || i < limit ? from[i % 4] : T(1);
}

template <typename T, phase Phase, mode Mode = FULL, int Extra = 0>
__device__ inline void step(tile &t, const T *from, int limit = 8)
{
	const int more = Extra * 2;
	for (int i = 0; i < 64; i++) {
		T x = load<Mode>(from, i, limit);
		if (Phase != phase::first) {
			x = x > t.v[i] ? x : t.v[i];
		}
		t.v[i] = x;
	}
	switch (Phase) {
	case phase::last:
		t.v[0] = more;
		break;
	default:
		t.v[1] = Extra;
	}
}

__global__ void nest(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c == 0) {
			if (d > i) {
				step<float, phase::first, NONE, 3>(acc, p, c);
			} else if (d == i) {
				step<float, phase::first, FULL, 3>(acc, p, c);
			} else {
				step<float, phase::first, MASKED, 3>(acc, p, c);
			}
		} else if (c < i || d < i) {
			if (d > i) {
				step<float, phase::middle, NONE, 3>(acc, p, c);
			} else if (d == i) {
				step<float, phase::middle, FULL, 3>(acc, p, c);
			} else {
				step<float, phase::middle, MASKED, 3>(acc, p, c);
			}
		} else {
			if (d > i) {
				step<float, phase::last, NONE, 4>(acc, p, c);
			} else if (d == i) {
				step<float, phase::last, FULL, 4>(acc, p, c);
			} else {
				step<float, phase::last, MASKED, 4>(acc, p, c);
			}
		}
	}
	store(p, acc);
}

// shares the function, and hands it what is the same here
__global__ void again(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			step<float, phase::middle, NONE, 2>(acc, p, i);
		} else {
			step<float, phase::middle, MASKED, 2>(acc, p, i);
		}
	}
	store(p, acc);
}

namespace inner {
template <int N, bool B> __device__ float pick(float x, tile &)
{
	if (B && N > 1) {
		return x;
	}
	return N;
}
template <bool Any, bool A, bool B> __device__ float choose(float x, tile &t)
{
	return A || !B ? pick<1 + A, B>(x, t) : pick<(Any ? 2 : 3), A>(x, t);
}
template <bool Any, bool A, bool B> __device__ tile make(tile t, float x, float y)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = choose<Any, A, B>(t.v[i] > x ? y : t.v[i], t);
	}
	return t;
}
} // namespace inner

__global__ void by_switch(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		switch (c + d) {
		case 3:
			acc = inner::make<true, true, false>(acc, p[1], p[2]);
			break;
		case 1:
		case 2: {
			acc = inner::make<true, false, false>(acc, p[1], p[2]);
			break;
		}
		default:
			if (!(c < d)) {
				acc = inner::make<true, true, true>(acc, p[1], p[2]);
			} else {
				acc = inner::make<true, false, true>(acc, p[1], p[2]);
			}
		}
	}
	store(p, acc);
}

// a default, a name that is one of an argument, and arguments that hold signs of all kinds
template <int Extra, bool is_tail = false, mode Mode = mode::FULL>
__device__ void finish(tile &t, // all of it
	float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = is_tail && t.v[i] > x ? x : Mode == FULL ? Extra : t.v[i];
	}
}

template <int N> __device__ void finish_all(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if ((void)n, c > d) {
			finish<3>(acc, p[i]);
		} else if (d == 2) {
			finish<3, (N > 2), MASKED>(acc, p[i]);
		} else {
			finish<3, true>(acc, p[i]);
		}
	}
	store(p, acc);
}
__global__ void defaults(float *p, int n, int c, int d)
{
	finish_all<3>(p, n, c, d);
}

// on some paths nothing is called; numbers by name, of several types
constexpr unsigned ROWS = 12;
template <int N> struct sized {
	static constexpr long rows = N * 2 - 9;
};
template <int Rows, bool Edge> __device__ void rows(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = Edge && i > Rows ? x : t.v[i] > x ? Rows : x;
	}
}
__global__ void paths(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		switch (c + d) {
		case 1:
		case 3:
			rows<ROWS / 4 - 1, true>(acc, p[i]);
			break;
		case 2:
			if (c > i) // only then
				rows<sized<3>::rows, true>(acc, p[i]);
			else if (d == i) {
				rows<MASKED, false>(acc, p[i]);
			}
			break;
		case 4:
			rows<7, false>(acc, p[i]);
		}
	}
	store(p, acc);
}

// one new function for merges that call it and merges that reach it; the second namespace has its own
namespace second {
constexpr int more = 3;
template <bool P> __device__ inline void reached(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = P ? x : t.v[i] + more;
	}
}
} // namespace second
constexpr int more = 4;
template <bool P> __device__ inline void reached(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = P ? x : t.v[i] + more;
	}
}
template <bool P, bool Q> __device__ inline void reaching(tile &t, float x)
{
	reached<P>(t, x);
	t.v[3] += 1;
	reached<Q>(t, x);
}
__global__ void reach(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i > c) {
			reached<true>(acc, i);
		} else {
			reached<false>(acc, i);
		}
		if (i > d) {
			reaching<true, true>(acc, i);
		} else {
			reaching<false, true>(acc, i);
		}
		if (i < c) {
			second::reached<true>(acc, i);
		} else {
			second::reached<false>(acc, i);
		}
		if (i < d) {
			if (i == c) {
				reaching<true, false>(acc, i);
			} else {
				reaching<false, true>(acc, i);
			}
			acc.v[1] = i;
		}
	}
	reached<true>(acc, d);
	store(p, acc);
}

// constants of the function that depend on it
template <phase P, int kDepth> __device__ void derived(tile &t, float x)
{
	constexpr bool edge = P != phase::middle, deep = kDepth > 8;
	static constexpr int skip = edge ? 3 : 1; // elements
	constexpr float scale = deep ? 0.5f : 2.f;
	constexpr int steps = skip * 2 + (deep ? 1 : 0), lanes = 4;
	float part[lanes] = {x, x, x, x};
	part[1] = scale;
	if constexpr (edge) {
		t.v[5] = t.v[5] > x ? t.v[5] : x;
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] = i % (skip + 1) == 0 ? part[i % lanes] : steps;
	}
}
__global__ void constants(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i < c) {
			derived<phase::first, 4>(acc, p[i]);
		} else if (i < d) {
			derived<phase::middle, 9>(acc, p[i]);
		} else {
			derived<phase::last, 12>(acc, p[i]);
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {flag, other, nest, again, by_switch,
	defaults, paths, reach, constants};
#endif
