// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Headers with attributes, types of results behind the parameters, and comments among these.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __forceinline__ inline __attribute__((always_inline))

struct tile {
	float v[64];
};

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

// one
template <bool First> [[nodiscard]] [[gnu::always_inline]] __device__ inline tile sum(tile t, float x)
{
	t.v[3] = First ? x : t.v[3] + 1;
	return t;
}

template <bool First>
[[gnu::always_inline]]
__host__ __device__ inline auto added(tile t, // to this
	float x /* the number */) -> tile
{
	t.v[4] = First ? x : t.v[4] + 1;
	return t;
}

template <bool First, class T> __attribute__((always_inline)) __device__ inline void more(
	T &t, // of any type
	float x // all of it
)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = First ? x : t.v[i] + 1;
	}
}

template <bool First> __device__ __forceinline__ auto none(/* nothing */) -> float
{
	return First ? 3 : 4;
}

template <bool First> struct stage {
	// by the class
	[[nodiscard]] static __device__ auto run(tile t, float x) -> tile
	{
		t.v[6] = First ? x : none<First>();
		return t;
	}
	[[gnu::always_inline]] __device__ inline auto operator()(tile &t, float x /* last */) const -> void
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = First ? x : t.v[i] + 1;
		}
	}
};

struct state {
	float scale;
	template <bool First> [[gnu::always_inline]] __device__ inline auto run(tile t, float x) const -> tile
	{
		t.v[8] = First ? x : t.v[8] > scale ? t.v[8] : scale;
		return t;
	}
};

__global__ void headers(float *p, int n, int c, int d)
{
	tile acc = {};
	const state s = {float(d)};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			acc = sum<true>(acc, i);
		} else {
			acc = sum<false>(acc, i);
		}
		if (i == c) {
			acc = added<true>(acc, i);
		} else {
			acc = added<false>(acc, i);
		}
		if (i == c) {
			more<true>(acc, i);
		} else {
			more<false>(acc, i);
		}
		if (i == c) {
			acc = stage<true>::run(acc, i);
		} else {
			acc = stage<false>::run(acc, i);
		}
		if (i == c) {
			stage<true>{}(acc, i);
		} else {
			stage<false>{}(acc, i);
		}
		if (i == c) {
			acc = s.run<true>(acc, i);
		} else {
			acc = s.run<false>(acc, i);
		}
	}
	acc = sum<false>(acc, 1);
	acc = added<false>(acc, 2);
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {headers};
#endif
