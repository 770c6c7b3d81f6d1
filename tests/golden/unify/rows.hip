// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Arms with several calls: each row of them becomes one call.

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
__device__ inline void next(int &i)
{
	i++;
}

// a functor that each arm makes, called twice
template <bool kTail> struct clamp {
	float low;
	const float *high;
	__device__ void operator()(tile &t, int at) const
	{
		for (int i = 0; i < 64; i++) {
			const float x = t.v[i] + at;
			t.v[i] = x < low ? low : kTail && x > high[i & 7] ? high[i & 7] : x;
		}
	}
};
__global__ void functor(float *p, int n, int c, int d)
{
	tile acc = {}, other = {};
	const float high[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	const float low = -c;
	for (int i = 0; i < n; i++) {
		if (i > d) {
			clamp<true> r{low, high};
			r(acc, i);
			r(other, i + 1);
		} else {
			clamp<false> r{low, high};
			r(acc, i);
			r(other, i + 1);
		}
	}
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] > other.v[i] ? acc.v[i] : -other.v[i];
	}
	store(p, acc);
}

// load and step of one class, with code between them that all arms have
struct parameters {
	const float *a;
	int limit;
};
template <bool kMask, int kRows> struct process {
	const parameters &params;
	__device__ explicit process(const parameters &q) : params(q) {}
	__device__ void load(float (&frag)[4], int k) const
	{
		for (int i = 0; i < 4; i++) {
			frag[i] = kMask && k + i >= params.limit ? 0 : params.a[(k + i) & 7];
		}
	}
	__device__ void step(tile &t, const float (&frag)[4]) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = t.v[i] + (i % kRows == 0 ? frag[i & 3] : frag[3]);
		}
	}
};
__global__ void stages(float *p, int n, int c, int d)
{
	tile acc = {};
	float frag[4] = {};
	const float a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	const parameters params = {a, c};
	int loads = 0;
	for (int i = 0; i < n; i++) {
		// the first tiles are whole
		if (i + 2 < d) {
			process<false, 4> all(params);
			all.load(frag, i);
			next(loads);
			all.step(acc, frag);
		} else if (i + 1 < n) { // has a next one
			process<true, 4> all(params);
			all.load(frag, i);
			next(loads);
			all.step(acc, frag);
		} else {
			process<true, 3> all(params);
			all.load(frag, i);
			next(loads);
			all.step(acc, frag);
		}
	}
	acc.v[1] = loads;
	store(p, acc);
}

template <bool B> __device__ inline int count(tile &t, int x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += B ? x : 1;
	}
	return x + B;
}
template <int N, bool B> __device__ inline void fill(tile &t, int x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += i % 4 < N ? B ? x : t.v[i] : 2;
	}
}
// the first call changes what the condition reads
__global__ void changes(float *p, int n, int c, int d)
{
	tile acc = {};
	int odd = d & 1;
	for (int i = 0; i < n; i++) {
		if (odd) {
			odd = count<true>(acc, c);
			fill<3, true>(acc, i);
		} else {
			odd = count<false>(acc, c);
			fill<1, false>(acc, i);
		}
		if (c > d)
			for (int k = 0; k < 1; k++) {
				if (odd) {
					constexpr bool first = true;
					count<first>(acc, 1);
					fill<2, first>(acc, c);
				} else {
					constexpr bool first = false;
					count<first>(acc, 1);
					fill<2, first>(acc, c);
				}
			}
	}
	store(p, acc);
}

// some paths have no arm; rows with merges of their own
__global__ void nested(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		switch (c) {
		case 0:
			count<true>(acc, i);
			d > 2 ? fill<1, true>(acc, i) : fill<2, true>(acc, i);
			break;
		case 1:
		case 2: {
			count<false>(acc, i);
			if (d == 1) {
				fill<3, true>(acc, i);
			} else {
				fill<3, false>(acc, i);
			}
			break;
		}
		}
	}
	store(p, acc);
}

// arms that return, and one function with other arguments
__device__ inline int returned(tile &t, int c, int d)
{
	if (c > d) {
		fill<2, true>(t, c);
		return count<true>(t, d);
	} else if (c == d) {
		fill<2, false>(t, d);
		return count<true>(t, c);
	} else {
		fill<2, false>(t, c);
		return count<false>(t, d);
	}
}
__device__ inline void left(tile &t, int c, int d)
{
	if (c > d) {
		count<true>(t, d);
		count<false>(t, c);
		return;
	}
	count<false>(t, d);
	count<true>(t, c);
}
__global__ void ends(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		acc.v[i] += returned(acc, c, d);
		left(acc, i, d);
	}
	store(p, acc);
}

// arms that return before their last call: only the merges in them
__device__ inline void leaves(tile &t, int c)
{
	if (c) {
		if (c == 2) {
			fill<2, true>(t, c);
			return;
		} else {
			fill<2, false>(t, c);
			return;
		}
		fill<2, true>(t, -c);
	} else {
		if (c == 3) {
			fill<2, true>(t, 2 * c);
			return;
		} else {
			fill<2, false>(t, 2 * c);
			return;
		}
		fill<2, false>(t, -c);
	}
}
__global__ void early(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		leaves(acc, c - d);
	}
	store(p, acc);
}

// variables of the arms
struct fragment {
	float v[8];
};
template <bool kEdge> __device__ inline fragment loaded(const float *p, int n)
{
	fragment f;
	for (int i = 0; i < 8; i++) {
		f.v[i] = kEdge && i >= n ? 0 : p[i];
	}
	return f;
}
template <int N> __device__ inline void load(float (&to)[4], const float *p)
{
	for (int i = 0; i < 4; i++) {
		to[i] = i < N ? p[i] : -1;
	}
}
__device__ inline void add(tile &t, const fragment &x, const fragment &y, const float (&z)[4])
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += (x.v[i & 7] > y.v[i & 7] ? x.v[i & 7] : y.v[i & 7]) + z[i & 3];
	}
}
__global__ void variables(float *p, int n, int c, int d)
{
	tile acc = {};
	const float a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 8, 7, 6, 5, 4, 3, 2};
	for (int i = 0; i < n; i++) {
		if (i > d) {
			const fragment x = loaded<true>(a + i, c), y = loaded<false>(a + 2 * i, d);
			float z[4], w[4];
			load<3>(z, a);
			load<2>(w, a + 1);
			for (int k = 0; k < 4; k++) {
				z[k] = z[k] > w[k] ? z[k] : w[k];
			}
			add(acc, x, y, z);
		} else {
			const fragment x = loaded<false>(a + i, c), y = loaded<true>(a + 2 * i, d);
			float z[4], w[4];
			load<1>(z, a);
			load<4>(w, a + 1);
			for (int k = 0; k < 4; k++) {
				z[k] = z[k] > w[k] ? z[k] : w[k];
			}
			add(acc, x, y, z);
		}
		if (c > d)
			if (i & 1) {
				fragment x = c == 1 ? loaded<true>(a, i) : loaded<false>(a, i);
				count<true>(acc, x.v[3]);
				count<false>(acc, 1);
			} else {
				fragment x = c == 2 ? loaded<false>(a, d) : loaded<true>(a, i);
				count<false>(acc, x.v[3]);
				count<true>(acc, 1);
			}
	}
	store(p, acc);
}

// lambdas with a tag: one that nothing else calls, and one of two
template <bool B> struct tag {
	static constexpr bool value = B;
};
__global__ void lambdas(float *p, int n, int c, int d)
{
	tile acc = {};
	auto step = [&](auto first, int x) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += first.value ? x : d;
		}
	};
	auto other = [&](auto last) { acc.v[1] += last.value ? 1 : 2; };
	for (int i = 0; i < n; i++) {
		if (i > c) {
			step(tag<true>{}, i);
			step(tag<false>{}, c);
			other(tag<true>{});
		} else {
			step(tag<false>{}, i);
			step(tag<true>{}, c);
			other(tag<false>{});
		}
		other(tag<true>{});
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {functor, stages, changes, nested, ends, early, variables,
	lambdas};
#endif
