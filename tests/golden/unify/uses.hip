// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip any
// RUN: %unphi rewrite %s --target gfx90a --strategy unify --verbose -o %t.out.hip -- -nogpuinc -std=c++17 > %t.txt
// RUN: grep -oE "VGPRs in k_[a-z]+$" %t.txt > %t.kept
// RUN: %FileCheck %s < %t.kept
//
// RUN: ! grep -q "fault of unphi" %t.txt
//
// Uses of a template parameter: the result is the same, or nothing is rewritten.
//
// CHECK: in k_over
// CHECK-NEXT: in k_int
// CHECK-NEXT: in k_short
// CHECK-NEXT: in k_macro
// CHECK-NEXT: in k_members
// CHECK-NEXT: in k_early
// CHECK-NEXT: in k_deduced
// CHECK-NEXT: in k_dropped
// CHECK-NEXT: in k_there
// CHECK-NEXT: in k_there
// CHECK-NEXT: in k_there
// CHECK-NEXT: in k_keyword
// CHECK-NEXT: in k_keyword
// CHECK-NOT: in

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};
enum class mode : unsigned char {
	a,
	b,
	c
};
constexpr unsigned BIG = 4;
constexpr int NEG = -1;

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}
__device__ inline float pick(double x)
{
	return (float)x + 1;
}
template <bool P> __device__ inline float over(float x)
{
	return pick(x) + (P ? 1 : 2);
}
__device__ inline float pick(float x)
{
	return x * 3;
}
template <bool P> __device__ inline void overload(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > 4 ? over<P>(x) : t.v[i] + over<!P>(i);
	}
}
__global__ void k_over(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			overload<true>(acc, p[i]);
		} else {
			overload<false>(acc, p[i]);
		}
	}
	store(p, acc);
}
// integers of other types
template <long long N> __device__ inline void wide(tile &t)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > 3 ? N : t.v[i] + N + 1;
	}
}
__global__ void k_int(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			wide<BIG>(acc);
		} else {
			wide<NEG>(acc);
		}
	}
	store(p, acc);
}
__global__ void k_short(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			wide<7>(acc);
		} else if (c == 1) {
			wide<-3>(acc);
		} else {
			wide<0>(acc);
		}
	}
	store(p, acc);
}
#define SEL(p, x, y) ((p) ? (x) : (y))
template <bool bMask, mode kMode> struct traits {
	static constexpr int n = bMask ? 2 : 3;
};
template <bool bMask> __device__ inline void with_macro(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = SEL(bMask, x, t.v[i] + 1);
	}
}
__global__ void k_macro(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			with_macro<true>(acc, d);
		} else {
			with_macro<false>(acc, d);
		}
	}
	store(p, acc);
}
template <bool bMask, mode kMode> __device__ inline void with_traits(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] + traits<bMask, kMode>::n;
	}
}
__global__ void k_traits(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			with_traits<true, mode::a>(acc, d);
		} else {
			with_traits<false, mode::a>(acc, d);
		}
	}
	store(p, acc);
}
template <bool P, mode M> __device__ inline float inner(float x);
template <> __device__ inline float inner<true, mode::b>(float x)
{
	return x + 100;
}
template <bool P, mode M> __device__ inline float inner(float x)
{
	return P ? x : x + (M == mode::c ? 5 : 7);
}
template <bool P, mode M> __device__ inline void special(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > 2 ? inner<P, M>(x) : t.v[i] + 1;
	}
}
__global__ void k_special(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			special<true, mode::a>(acc, d);
		} else {
			switch (c) {
			case 0:
				special<true, mode::b>(acc, d);
				break;
			case 1:
				special<false, mode::c>(acc, d);
				break;
			default:
				special<false, mode::b>(acc, d);
				break;
			}
		}
	}
	store(p, acc);
}
template <bool P> __device__ auto give(float x)
{
	if constexpr (P) {
		return x;
	} else {
		return (int)x;
	}
}
template <bool P> __device__ inline void types(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] + give<P>(x + 0.5f);
	}
}
__global__ void k_types(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			types<true>(acc, d);
		} else {
			types<false>(acc, d);
		}
	}
	store(p, acc);
}
struct shape {
	int rows;
	bool P;
};
template <bool P, bool Q> __device__ inline void members(tile &t, shape s)
{
	const auto f = [=](int i) { return s.P ? i : -i; };
	const bool R = P && !Q;
	const shape other{2, s.P};
	int count = 0;
	while (Q ? count < 3 : count < 5) {
		count++;
	}
	do {
		count--;
	} while (R && count > 3);
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > 9 ? f(count) + other.rows
				    : t.v[i] + (R | Q) + (P << 2) +
					      (Q	  ? 3
						      : R ? 4
							  : 5);
	}
}
__global__ void k_members(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (!(c & 1)) {
			if (d & 2) {
				members<true, true>(acc, shape{c, d > 1});
			} else {
				members<true, false>(acc, shape{c, d > 1});
			}
		} else if (d) {
			members<false, true>(acc, shape{c, d > 1});
		} else {
			members<false, false>(acc, shape{c, d > 1});
		}
	}
	store(p, acc);
}
template <bool P> __device__ inline void refer(const bool &x, tile &t)
{
	t.v[0] += x;
}
template <typename T> __device__ inline float kind(T &&)
{
	return 1;
}
template <typename T> __device__ inline float kind(const T &)
{
	return 2;
}
template <bool P> __device__ inline void refs(tile &t)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += kind(P) + (P ? 1 : 0);
	}
}
__global__ void k_refs(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			refs<true>(acc);
		} else {
			refs<false>(acc);
		}
	}
	store(p, acc);
}
template <int P> __device__ inline float count(float (&a)[P])
{
	return P;
}
template <bool P> __device__ inline void local(tile &t, float x)
{
	const int N = P ? 4 : 8;
	float a[N] = {};
	for (int i = 0; i < 64; i++) {
		t.v[i] += count(a) + x;
	}
}
__global__ void k_local(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			local<true>(acc, d);
		} else {
			local<false>(acc, d);
		}
	}
	store(p, acc);
}
template <bool P> __device__ inline void early(tile &t, float x)
{
	if constexpr (P) {
		if (x > 2) {
			return;
		}
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
		if (P && i == 40) {
			break;
		}
		if constexpr (!P) {
			if (i & 1) {
				continue;
			}
		}
		t.v[i] += 1;
	}
}
__global__ void k_early(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			if (c > 2) {
				early<true>(acc, d);
			} else {
				early<false>(acc, d);
			}
		} else if (c == 0) {
			early<true>(acc, d);
		} else {
			early<false>(acc, d);
		}
	}
	store(p, acc);
}
// a template finds what is declared after it
struct base {
	float x;
};
struct vec : base {};
__device__ inline float norm(const base &b)
{
	return b.x;
}
template <bool P> __device__ vec make(float x)
{
	vec r;
	r.x = P ? x : x + 1;
	return r;
}
template <bool P> __device__ inline void looked_up(tile &t, float x)
{
	const auto y = make<P>(x);
	const auto get = [&] { return norm(y); };
	for (int i = 0; i < 64; i++) {
		t.v[i] += get();
	}
}
__device__ inline float norm(const vec &b)
{
	return b.x * 2;
}
__global__ void k_lookup(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			looked_up<true>(acc, d);
		} else {
			looked_up<false>(acc, d);
		}
	}
	store(p, acc);
}
template <bool P> __device__ decltype(auto) itself()
{
	return (P);
}
template <bool P> __device__ inline void deduced(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += itself<P>() ? x : 1;
	}
}
__global__ void k_deduced(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			deduced<true>(acc, d);
		} else {
			deduced<false>(acc, d);
		}
	}
	store(p, acc);
}
template <bool P> __device__ inline void bound(tile &t, float x)
{
	auto &&once = P;
	for (int i = 0; i < 64; i++) {
		t.v[i] += once ? x : 1;
		once = !once;
	}
}
__global__ void k_bound(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			bound<true>(acc, d);
		} else {
			bound<false>(acc, d);
		}
	}
	store(p, acc);
}
template <bool P> __device__ inline void listed(tile &t, float x)
{
	const short step{P ? 3 : 4};
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + step;
	}
}
__global__ void k_listed(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			listed<true>(acc, d);
		} else {
			listed<false>(acc, d);
		}
	}
	store(p, acc);
}
#define MASKED(x) (Masked ? (x) : 1)
template <bool Masked> __device__ inline void named(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += MASKED(x) + Masked;
	}
}
__global__ void k_named(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			named<true>(acc, d);
		} else {
			named<false>(acc, d);
		}
	}
	store(p, acc);
}
template <bool P> __device__ inline int counted(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : 1;
	}
	return P ? 1 : 2;
}
__global__ void k_dropped(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			counted<true>(acc, d);
		} else {
			counted<false>(acc, d);
		}
	}
	store(p, acc);
}
// tags whose value is another one, or of which more than that is used
template <class T, T V> struct integral_constant {
	static constexpr T value = V;
	__device__ constexpr operator T() const { return V; }
};
template <class T, T V> struct opposite {
	static constexpr T value = !V;
	__device__ constexpr operator T() const { return V; }
};
template <int N, int M> struct two {};
template <int N> using twice = integral_constant<int, 2 * N>;
template <class T> __device__ inline void hidden(tile &t, T tag)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += tag;
		{
			const int tag = 3;
			t.v[i] += tag;
		}
	}
}
__global__ void k_hidden(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			hidden(acc, integral_constant<int, 3>{});
		} else {
			hidden(acc, integral_constant<int, 4>{});
		}
	}
	store(p, acc);
}
template <class T> __device__ inline void asked(tile &t, T tag)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += tag.value ? 1 : 2;
	}
}
__global__ void k_opposite(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			asked(acc, opposite<bool, true>{});
		} else {
			asked(acc, opposite<bool, false>{});
		}
	}
	store(p, acc);
}
template <int N> __device__ inline int worth()
{
	return N;
}
template <class T> __device__ inline void passed(tile &t, T tag)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += worth<tag.value>();
	}
}
__global__ void k_passed(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			passed(acc, opposite<bool, true>{});
		} else {
			passed(acc, opposite<bool, false>{});
		}
	}
	store(p, acc);
}
template <class T> __device__ inline void sized(tile &t, T tag)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += sizeof(tag) + tag;
	}
}
__global__ void k_sized(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			sized(acc, integral_constant<int, 3>{});
		} else {
			sized(acc, integral_constant<int, 4>{});
		}
	}
	store(p, acc);
}
template <int N, int M> __device__ inline void both(tile &t, two<N, M>)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += 10 * N + M;
	}
}
__global__ void k_both(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			both(acc, two<1, 5>{});
		} else {
			both(acc, two<2, 6>{});
		}
	}
	store(p, acc);
}
template <int N> __device__ inline void alias(tile &t, twice<N>)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += N;
	}
}
__global__ void k_alias(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			alias<3>(acc, twice<3>{});
		} else {
			alias<4>(acc, twice<4>{});
		}
	}
	store(p, acc);
}
// a function with the same text exists: with another overload in it, next to another overload, and
// where it is not compiled
__device__ inline float half_of(int x)
{
	return x + 100.0f;
}
template <bool B> __device__ void later(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = B ? half_of(x) : t.v[i] + x;
	}
}
__device__ inline float half_of(float x)
{
	return x / 2;
}

__device__ void later_any(tile &t, float x, const bool b)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = b ? half_of(x) : t.v[i] + x;
	}
}
template <bool B> __device__ void beside(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = B ? x : t.v[i] + x;
	}
}

__device__ void beside_any(tile &t, float x, const bool b)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = b ? x : t.v[i] + x;
	}
}

__device__ void beside_any(tile &t, int x, const bool b)
{
	t.v[0] += x;
}
template <bool B> __device__ void nowhere(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = B ? x : t.v[i] + x;
	}
}
#if 0

__device__ void nowhere_any(tile &t, float x, const bool b)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = b ? x : t.v[i] + x;
	}
}
#endif
__global__ void k_there(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		later_any(acc, 3, i == d);
		if (i == c) {
			later<true>(acc, i);
		} else {
			later<false>(acc, i);
		}
		beside_any(acc, 3.0f, i == d);
		beside_any(acc, i, i == d);
		if (i == c) {
			beside<true>(acc, i);
		} else {
			beside<false>(acc, i);
		}
		if (i == d) {
			nowhere<true>(acc, i);
		} else {
			nowhere<false>(acc, i);
		}
	}
	store(p, acc);
}
// a parameter with the name of the type
template <mode M> __device__ void typed(tile &t, float mode)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = M == ::mode::a ? mode : t.v[i] + mode;
	}
}
__global__ void k_typed(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			typed<mode::a>(acc, i);
		} else {
			typed<mode::b>(acc, i);
		}
	}
	store(p, acc);
}
// keywords in lower case
template <bool Auto, bool New> __device__ void keywords(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = Auto ? x : New ? 2 : t.v[i] + x;
	}
}
template <int Short> struct Default {
	__device__ void operator()(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Short == 2 ? x : t.v[i] + x;
		}
	}
};
__global__ void k_keyword(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			keywords<true, false>(acc, i);
		} else {
			keywords<false, true>(acc, i);
		}
		if (i == d) {
			Default<1>{}(acc, i);
		} else {
			Default<2>{}(acc, i);
		}
	}
	store(p, acc);
}
#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {k_over, k_int, k_short, k_macro, k_traits,
	k_special, k_types, k_members, k_refs, k_local, k_early, k_lookup, k_deduced, k_bound,
	k_listed, k_named, k_dropped, k_hidden, k_opposite, k_passed, k_sized, k_both, k_alias,
	k_there, k_keyword, k_typed};
#endif
