// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Member templates, called inside their class and from elsewhere.

#pragma clang diagnostic ignored "-Wmissing-braces"
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
template <int N> struct worker {
	float scale;

	template <bool kMask> __device__ float one(float x) const
	{
		return kMask ? x > scale ? x : scale : x;
	}

	template <bool kMask, typename T> static __device__ T two(T x)
	{
		return kMask ? x : N;
	}

	// all of it
	template <bool kMask, bool kHasBias> __device__ void runTile(tile &accTile, float x)
	{
		for (int i = 0; i < 64; i++) {
			accTile.v[i] += kHasBias ? this->template one<kMask>(x)
						 : worker<N>::template two<kMask>(x);
			accTile.v[i] = accTile.v[i] > 2 ? two<kMask, float>(x) : one<kHasBias>(x);
		}
		scale = x;
	}
	__device__ void all(float *p, int n, int c, int d)
	{
		tile acc = {};
		for (int i = 0; i < n; i++) {
			if (c > d) {
				runTile<true, false>(acc, i);
			} else if (d == 3) {
				runTile<true, true>(acc, i);
			} else {
				runTile<false, true>(acc, i);
			}
		}
		store(p, acc);
	}
};
__global__ void inside(float *p, int n, int c, int d)
{
	worker<3> w = {2};
	w.all(p, n, c, d);
	worker<4> x = {2};
	x.all(p, n, c, d);
}
__global__ void outside(float *p, int n, int c, int d)
{
	tile acc = {};
	worker<3> w[2] = {{2}, {4}};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			w[i & 1].template runTile<true, false>(acc, i);
		} else {
			w[i & 1].runTile<false, false>(acc, i);
		}
	}
	store(p, acc);
}
__global__ void alike(float *p, int n, int c, int d)
{
	tile acc = {};
	worker<3> w[2] = {{2}, {4}};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			w[i & 1].template runTile<true, false>(acc, i);
		} else {
			w[i & 1].template runTile<false, false>(acc, i);
		}
	}
	store(p, acc);
}
__global__ void other(float *p, int n, int c, int d)
{
	tile acc = {};
	worker<3> w[2] = {{2}, {4}};
	for (int i = 0; i < n; i++) {
		if (c > d) {
			w[0].template runTile<true, false>(acc, i);
		} else {
			w[1].template runTile<false, false>(acc, i);
		}
	}
	store(p, acc);
}

// operator(), by name; others keep it
struct scaled {
	int k;
	// of a name that is taken
	int scaled_any;
	template <bool B = false> __device__ void operator()(tile &t, float x)
	{
		k++;
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] + k;
		}
	}
	template <bool B> __device__ void operator()(tile &t, int x)
	{
		k--;
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] - k;
		}
	}
};
struct plain {
	template <bool B, int N> __device__ void operator()(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] + N;
		}
	}
};
__global__ void functor(float *p, int n, int c, int d)
{
	tile acc = {};
	scaled f{c}, g{d};
	for (int i = 0; i < n; i++) {
		if (i > c) {
			f.operator()(acc, p[i]);
		} else {
			f.template operator()<true>(acc, p[i]);
		}
		i > d ? plain{}.operator()<true, 3>(acc, i) : plain{}.operator()<false, 3>(acc, i);
		if (i > c) {
			scaled{d}.operator()<false>(acc, 1.5f);
		} else {
			scaled{d}.template operator()<true>(acc, 1.5f);
		}
		// stays: by its sign, another function, another object
		if (i > c) {
			f(acc, p[i]);
		} else {
			f.operator()<true>(acc, p[i]);
		}
		if (i > c) {
			f.operator()<false>(acc, 1.5f);
		} else {
			f.operator()<true>(acc, 2);
		}
		if (i > c) {
			f.operator()<false>(acc, 1.5f);
		} else {
			g.operator()<true>(acc, 1.5f);
		}
	}
	p[1] += f.k;
	store(p, acc);
}
// of class templates: static, as an object, called by each other
template <bool kFirst, typename T> struct Stage {
	/* one
	   stage */
	static __device__ void run(tile &accTile, T x)
	{
		if constexpr (kFirst) {
			accTile.v[0] = x;
		}
		for (int i = 0; i < 64; i++) {
			accTile.v[i] = kFirst ? x : accTile.v[i] + 1;
		}
	}
};
template <class T, T V> struct integral_constant {
	static constexpr T value = V;
	__device__ constexpr operator T() const { return V; }
};
enum class half { low, high };
namespace inner {
template <half H> class clamp
{
    public:
	template <int N> __device__ inline void operator()(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = H == half::low || t.v[i] > N ? x : t.v[i];
		}
	}
	__device__ float one(float x, float y) const
	{
		return H == half::low ? x : y;
	}
};
} // namespace inner
template <bool Last, class T> struct affine {
	const T *from;
	tile &to;
	int unused; // here
	T more;
	using value = T;
	__device__ void operator()(int i) const
	{
		for (int k = 0; k < 64; k++) {
			to.v[k] = Last ? from[i & 3] : this->to.v[k] > 0 ? more : this -> more + 1;
		}
	}
	__device__ tile next(tile t, int i)
	{
		more += Last ? 1 : 2;
		for (int k = 0; k < 64; k++) {
			t.v[k] = more + i;
		}
		return t;
	}
};
template <bool B> __device__ inline float tail(float x)
{
	float part[B ? 2 : 3] = {x, 1};
	return part[1] + sizeof(part);
}
template <bool Last> struct steps {
	static __device__ tile all(tile t, float x)
	{
		Stage<!Last, float>::run(t, x);
		t.v[3] = tail<Last>(x);
		t.v[4] = tail<!Last>(x);
		t.v[1] += inner::clamp<Last ? half::low : half::high>().one(x, 3);
		return t;
	}
};
__global__ void classes(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		switch (d + i) {
		case 2:
			inner::clamp<half::low>{}.operator()<3>(acc, i);
			break;
		case 3:
			inner::clamp<half::high>{}.template operator()<4>(acc, i);
			break;
		default:
			inner::clamp<half::high>{}.operator()<3>(acc, i);
		}
		acc = i > d ? steps<true>::all(acc, i) : steps<false>::all(acc, i);
		if (i > d) {
			affine<true, float>{p, acc, i, float(d)}(i + 1);
		} else {
			affine<false, float>{p, acc, i, float(d)}(i + 1);
		}
		if (i == d) {
			acc = affine<true, int>{nullptr, acc, i, d}.next(acc, i);
		} else {
			acc = affine<false, int>{nullptr, acc, 3, d}.next(acc, i);
		}
	}
	Stage<true, int>::run(acc, d);
	store(p, acc);
}

// stays, except one: an alias, a base, an argument that is not written, objects of other
// values or without, a constructor, a lambda that holds the object
template <bool B, int N = 3> struct counts {
	static constexpr int K = B ? N : 4;
	int own;
	static __device__ void run(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] + K;
		}
	}
	static __device__ void plus(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] + N;
		}
	}
	__device__ void minus(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] - own;
		}
	}
};
template <bool B> struct based : scaled {
	static __device__ void run(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] + 4;
		}
	}
};
template <bool B> struct built {
	int own;
	__device__ built(int x) : own(x + 1) {}
	__device__ void run(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] - own;
		}
	}
};
template <bool B> struct held {
	int own;
	__device__ void run(tile &t, float x)
	{
		auto f = [=](float y) { return B ? y : own; };
		own = 3;
		for (int i = 0; i < 64; i++) {
			t.v[i] = t.v[i] > x ? f(x) : t.v[i] - own;
		}
	}
};
using yes_count = counts<true, 3>;
using no_count = counts<false, 3>;
__global__ void class_members(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			counts<true, 3>::run(acc, i);
		} else {
			counts<false, 3>::run(acc, i);
		}
		if (i == c) {
			counts<true>::plus(acc, i);
		} else {
			counts<false>::plus(acc, i);
		}
		if (i > c) {
			yes_count::plus(acc, i);
		} else {
			no_count::plus(acc, i);
		}
		if (i > c) {
			based<true>::run(acc, i);
		} else {
			based<false>::run(acc, i);
		}
		if (i == d) {
			counts<true, 3>{d}.minus(acc, i);
		} else {
			counts<false, 3>{c}.minus(acc, i);
		}
		if (i == d) {
			built<true>{d}.run(acc, i);
		} else {
			built<false>{d}.run(acc, i);
		}
		if (i == d) {
			held<true>{d}.run(acc, i);
		} else {
			held<false>{d}.run(acc, i);
		}
		if (i > d) {
			counts<true, 3>{}.minus(acc, i);
		} else {
			counts<false, 3>{}.minus(acc, i);
		}
	}
	store(p, acc);
}
// objects that the arms make: aggregates, and of constructors that store
template <bool Last> struct scale_add {
	float factor;
	tile &to;
	int count = 0; // of calls
	__device__ float operator()(float x)
	{
		count++;
		for (int i = 0; i < 64; i++) {
			to.v[i] = Last ? x : to.v[i] > factor ? factor : to.v[i] + count;
		}
		return factor;
	}
};
template <bool Last, int N> class ScaleAdd
{
	float factor_;
	tile &to_;

    public:
	__device__ ScaleAdd() = delete;
	__device__ explicit ScaleAdd(float factor, tile &to, int count = 1) noexcept
	    : to_(to), factor_{factor}, count_(count)
	{
	}
	__device__ void put(float x) const
	{
		for (int i = 0; i < 64; i++) {
			to_.v[i] = Last ? x : to_.v[i] > factor_ ? factor_ : to_.v[i] + N;
		}
	}

    private:
	int count_;
};
__global__ void objects(float *p, int n, int c, int d)
{
	tile acc = {};
	float x = d;
	for (int i = 0; i < n; i++) {
		if (i == c) {
			// the last
			scale_add<true> add{x, acc, 0};
			x = add(i);
		} else {
			constexpr bool last = false;
			auto add = scale_add<last>{x, acc, 0};
			x = add(i);
		}
		switch (i & 3) {
		case 0: {
			const ScaleAdd<true, 3> add(x, acc, 2);
			add.put(i);
			break;
		}
		case 1:
			ScaleAdd<false, 2>(x, acc, 2).put(i);
			break;
		default: {
			ScaleAdd<false, 3> add{x, acc, 2};
			add.put(i);
		}
		}
	}
	store(p, acc);
}

// types and constants of the class
using number = int;
constexpr int lanes = 7;
struct counted {
	using number = int;
};
template <bool Last, int N, class T> struct blockwise {
	using number = T;
	typedef float *place;
	static constexpr int lanes = 4 * N; // per row
	static inline constexpr int wide = lanes + 1, narrow = 1;
	static constexpr int depth = lanes * 2;
	static constexpr float middle = 0.5f;
	static const unsigned more = 1;
	number own;
	static __device__ number run(tile &acc, const number (&from)[N], number x)
	{
		number part[depth] = {x};
		for (int i = 0; i < 64; i++) {
			place to = acc.v + i;
			*to = Last ? part[i & 3] : *to > middle ? from[more] : *to + lanes;
		}
		return number(x);
	}
	__device__ void shift(tile &acc) const
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? own : acc.v[i] + number(2);
		}
	}
	static __device__ void widest(tile &acc, place x)
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? x[0] : acc.v[i];
		}
	}
	static __device__ void wider(tile &acc)
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? wide : acc.v[i];
		}
	}
	static __device__ void scoped(tile &acc, counted::number x, number y)
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? x : acc.v[i] + y;
		}
	}
	static __device__ void placed(tile &acc)
	{
		const int *at = &depth;
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? *at : acc.v[i];
		}
	}
	static __device__ void hidden(tile &acc)
	{
		for (int i = 0; i < 64; i++) {
			const int lanes = i;
			acc.v[i] = Last ? lanes : acc.v[i];
		}
	}
};
template <bool Last> struct chosen {
	using tag = integral_constant<bool, Last>;
	using own = decltype(Last ? 1 : 2);
	static constexpr int first = Last ? 1 : 2;
	static constexpr int both = first * first;
	static __device__ void square(tile &acc)
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? both : acc.v[i];
		}
	}
	static __device__ void flagged(tile &acc, float x)
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = Last ? own(x) : acc.v[i];
		}
	}
	static __device__ void tagged(tile &acc)
	{
		for (int i = 0; i < 64; i++) {
			acc.v[i] = tag::value ? 3 : acc.v[i];
		}
	}
};
__global__ void declared(float *p, int n, int c, int d)
{
	tile acc = {};
	float from[4] = {1.5f, lanes, 3.25f}, x = d;
	for (int i = 0; i < n; i++) {
		if (i == c) {
			x = blockwise<true, 4, float>::run(acc, from, x);
		} else {
			x = blockwise<false, 4, float>::run(acc, from, x);
		}
		if (i == d) {
			blockwise<true, 4, float>{x}.shift(acc);
		} else {
			blockwise<false, 4, float>{x}.shift(acc);
		}
		// stays: a pointer in the header, a name of another scope in the header, the
		// address of a constant, a variable of the function; a constant and types that depend on the flag
		if (i > c) {
			blockwise<true, 4, float>::widest(acc, &x);
		} else {
			blockwise<false, 4, float>::widest(acc, &x);
		}
		if (i > d) {
			blockwise<true, 4, float>::wider(acc);
		} else {
			blockwise<false, 4, float>::wider(acc);
		}
		if (i == n) {
			blockwise<true, 4, float>::scoped(acc, i, x);
		} else {
			blockwise<false, 4, float>::scoped(acc, i, x);
		}
		if (i < c) {
			blockwise<true, 4, float>::placed(acc);
		} else {
			blockwise<false, 4, float>::placed(acc);
		}
		if (i < d) {
			blockwise<true, 4, float>::hidden(acc);
		} else {
			blockwise<false, 4, float>::hidden(acc);
		}
		if (i == c) {
			chosen<true>::square(acc);
		} else {
			chosen<false>::square(acc);
		}
		if (i == d) {
			chosen<true>::flagged(acc, x);
		} else {
			chosen<false>::flagged(acc, x);
		}
		if (i > c) {
			chosen<true>::tagged(acc);
		} else {
			chosen<false>::tagged(acc);
		}
	}
	store(p, acc);
}

// stays: an inner list without braces, an array by its type's name, a constructor that changes its
// argument or another member, a comparison in a type, a constant of a global with the name of a
// parameter, a type with it, the neighbour of a member
struct pair {
	float low, high;
};
typedef float pair_array[2];
constexpr int width = 4;
template <bool B, int N> struct elided {
	pair unused;
	float own;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? own : t.v[i] + own;
		}
	}
};
template <bool B> struct arrayed {
	float own;
	pair_array both;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? own : t.v[i] + both[1];
		}
	}
};
template <bool B> struct doubled {
	int own;
	int more = own *= 2;
	__device__ doubled(int x) : own(x) {}
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? own : t.v[i] + own;
		}
	}
};
template <bool B> struct kind {
	int own;
};
template <bool B, int N> struct compared {
	float own;
	kind<N == 4> unused;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? own : t.v[i] + N;
		}
	}
};
template <bool B> struct scaled_by {
	static const int all = width * 2;
	pair both;
	static __device__ void run(tile &t, int width)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? width : t.v[i] + all;
		}
	}
	__device__ void typed(tile &t, float pair) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? pair : t.v[i] + both.low;
		}
	}
};
template <bool B> struct nearby {
	float low;
	float high;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? (&low)[i & 1] : t.v[i] + high;
		}
	}
};
template <bool B> struct punned {
	float low;
	float high;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			if constexpr (B) {
				t.v[i] = reinterpret_cast<const pair &>(low).high;
			} else {
				t.v[i] += high - low;
			}
		}
	}
};
// goes: by a flag with the name of a global, a pointer that is const, a type of another class
constexpr bool b = true;
struct traits {
	using whole = int;
};
template <bool B, class T /* has a number */> struct picked {
	using number = float;
	static const int all = b ? 7 : 9;
	float *const from;
	__device__ void run(tile &t, typename T::whole x) /* reads */ const
	{
		for (int i = 0; i < 64; i++) {
			number half = number(x) / 2;
			t.v[i] = B ? half : t.v[i] + all + from[1];
		}
	}
};
__global__ void hostile(float *p, int n, int c, int d)
{
	tile acc = {};
	float x = d;
	for (int i = 0; i < n; i++) {
		if (i == c) {
			elided<true, 3>{x, 2}.run(acc);
		} else {
			elided<false, 3>{x, 2}.run(acc);
		}
		if (i == d) {
			arrayed<true>{x, {0}}.run(acc);
		} else {
			arrayed<false>{x, {0}}.run(acc);
		}
		if (i > c) {
			doubled<true>{i}.run(acc);
		} else {
			doubled<false>{i}.run(acc);
		}
		if (i > d) {
			compared<true, 4>{x, {1}}.run(acc);
		} else {
			compared<false, 4>{x, {1}}.run(acc);
		}
		if (i < c) {
			scaled_by<true>::run(acc, i);
		} else {
			scaled_by<false>::run(acc, i);
		}
		if (i < d) {
			scaled_by<true>{{x, 2}}.typed(acc, i);
		} else {
			scaled_by<false>{{x, 2}}.typed(acc, i);
		}
		if (i > n) {
			nearby<true>{x, 2}.run(acc);
		} else {
			nearby<false>{x, 2}.run(acc);
		}
		if (n > i) {
			punned<false>{x, 2}.run(acc);
		} else {
			punned<true>{x, 2}.run(acc);
		}
		if (i == c) {
			picked<true, traits>{p}.run(acc, i);
		} else {
			picked<false, traits>{p}.run(acc, i);
		}
	}
	store(p, acc);
}

// stays: a conversion, another member, an effect, an expression, a body, a destructor, another overload,
// the declared type of a member; another use, other values, a copy
template <bool B> struct stored {
	float own;
	tile &t;
	__device__ stored(int own, tile &t) : own(own), t(t) {}
	__device__ stored(tile &t, float x) : own(x), t(t) {}
	__device__ stored(float x, tile &t) : own(x + 1), t(t) {}
	__device__ stored(float x, tile &t, int) : own(x), t(t) { this->t.v[0]++; }
	__device__ stored(int &x, tile &t, float y) : own(y), t(t), count(x++) {}
	int count = 3;
	__device__ void operator()(float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] - own;
		}
	}
	__device__ void operator()(float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] - own - 1;
		}
	}
	__device__ void counted() const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? 2 : t.v[i] - count;
		}
	}
};
template <bool B> struct shown {
	float own;
	tile &t;
	__device__ void run(float x) const
	{
		decltype(own) y = own;
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i] - y++;
		}
	}
};
template <bool B> struct ended {
	tile &t;
	__device__ void run(float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? x : t.v[i];
		}
	}
	__device__ ~ended()
	{
		t.v[0] += 1;
	}
};
__global__ void kept_objects(float *p, int n, int c, int d)
{
	tile acc = {};
	float x = d;
	for (int i = 0; i < n; i++) {
		if (i == c) {
			stored<true> s(i, acc);
			s(x);
		} else {
			stored<false> s(i, acc);
			s(x);
		}
		if (i == d) {
			stored<true> s(x, acc);
			s(x);
		} else {
			stored<false> s(x, acc);
			s(x);
		}
		if (i > c) {
			stored<true> s(x, acc, 3);
			s(x);
		} else {
			stored<false> s(x, acc, 3);
			s(x);
		}
		if (i > d) {
			stored<true> s(d, acc, x);
			s(x);
		} else {
			stored<false> s(d, acc, x);
			s(x);
		}
		if (i < c) {
			const stored<true> s(acc, x);
			s(x);
		} else {
			stored<false> s(acc, x);
			s(x);
		}
		if (i < d) {
			stored<true> s(acc, x);
			s.counted();
		} else {
			stored<false> s(acc, x);
			s.counted();
		}
		if (i == d) {
			shown<true> s{x, acc};
			s.run(x);
		} else {
			shown<false> s{x, acc};
			s.run(x);
		}
		if (i == d) {
			ended<true> s{acc};
			s.run(x);
		} else {
			ended<false> s{acc};
			s.run(x);
		}
		if (i > c) {
			scale_add<true> s{x, acc, 0};
			s(s.count);
		} else {
			scale_add<false> s{x, acc, 0};
			s(s.count);
		}
		if (i > d) {
			scale_add<true> s{x, acc, 0};
			s(i);
			s(i);
		} else {
			scale_add<false> s{x, acc, 0};
			s(i);
			s(i);
		}
		if (i < c) {
			scale_add<true> s{x, acc, 0};
			s(i);
		} else {
			scale_add<false> s{x, acc, 1};
			s(i);
		}
	}
	store(p, acc);
}
// members that are declared together, and their own values
template <bool B> struct together {
	float low, high = 3;
	int lanes{4}, unused = 5; // here
	const float top = -1.5f;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? low : t.v[i] > high ? top : t.v[i] + lanes;
		}
	}
};
template <bool B> struct defaulted {
	float low, high;
	float top = 7;
	__device__ explicit defaulted(float x, float y = 3, bool is = true) : low(x), high(y), all(is) {}
	bool all;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B && all ? low : t.v[i] > high ? top : t.v[i] + 1;
		}
	}
};
// stays: another value by the constructor, values of other members, inner braces that are left out
template <bool B> struct assigned {
	float low = 1, high = 2;
	__device__ assigned() { high = 7; }
	__device__ explicit assigned(float x) : low(x), high(low) {}
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? low : t.v[i] > high ? 2 : t.v[i] + 1;
		}
	}
};
template <bool B> struct elided_pair {
	pair first;
	float low = 3, high = 4;
	__device__ void run(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = B ? low : t.v[i] > high ? 2 : t.v[i] + 1;
		}
	}
};
__global__ void own_values(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			together<true>{float(i)}.run(acc);
		} else {
			together<false>{float(i)}.run(acc);
		}
		if (i == c) {
			together<true> t{1, 2, d};
			t.run(acc);
		} else {
			together<false> t{1, 2, d};
			t.run(acc);
		}
		if (i == d) {
			defaulted<true>(i).run(acc);
		} else {
			defaulted<false>(i).run(acc);
		}
		if (i == d) {
			assigned<true>{}.run(acc);
		} else {
			assigned<false>{}.run(acc);
		}
		if (i == d) {
			assigned<true>(i).run(acc);
		} else {
			assigned<false>(i).run(acc);
		}
		if (i == d) {
			elided_pair<true>{1, 2, 5}.run(acc);
		} else {
			elided_pair<false>{1, 2, 5}.run(acc);
		}
	}
	store(p, acc);
}
// stays: the class that the arms name inherits the function of another one of its name
template <bool Last> struct ending {
	__device__ void run(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + x;
		}
	}
	static __device__ void once(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + x;
		}
	}
};
template <int N> struct special {
	static __device__ void once(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = N > 3 ? x : t.v[i] + N;
		}
	}
};
template <> struct special<3> : special<5> {
};
namespace derived
{
template <bool Last> struct ending : ::ending<!Last> {
};
__global__ void inherits(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			ending<true>().run(acc, i);
		} else {
			ending<false>().run(acc, i);
		}
		if (i == d) {
			ending<true>::once(acc, i);
		} else {
			ending<false>::once(acc, i);
		}
		if (i == d) {
			special<3>::once(acc, i);
		} else {
			special<2>::once(acc, i);
		}
	}
	store(p, acc);
}
} // namespace derived

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {
	inside, outside, alike, other, functor, classes, class_members, objects, kept_objects,
	declared, hostile, own_values, derived::inherits};
#endif

// tags: with a name, without, for a template argument
using yes = integral_constant<bool, true>;
using no = integral_constant<bool, false>;

// by the tag's type
template <class Tail> __device__ void step(Tail, tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		if constexpr (Tail::value) {
			t.v[i] -= x;
		}
		t.v[i] += Tail{} ? 1 : x;
	}
}
template <bool kTail> __device__ inline void add(integral_constant<bool, kTail>, tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += kTail ? 1 : x;
	}
}
__global__ void tags(float *p, int n)
{
	tile acc = {};
	auto own = [&](auto rest, float x) {
		for (int i = 0; i < 64; i++) {
			if constexpr (decltype(rest)::value) {
				acc.v[i] += rest.value ? x : 2;
			}
			acc.v[i] -= rest + x;
		}
	};
	for (int i = 0; i < n; i++) {
		if (i == 0) {
			step(yes{}, acc, i);
		} else {
			step(no{}, acc, i);
		}
		if (i > 5) {
			add(yes{}, acc, i);
		} else {
			add(no{}, acc, i);
		}
		if (i > 7) {
			own(integral_constant<int, 4>{}, i);
		} else {
			own(integral_constant<int, 5>{}, i);
		}
	}
	store(p, acc);
}

// the lines of a literal keep their indentation
template <bool P> struct spoken {
	static __device__ void run(tile &t, float x)
	{
		const char *words = R"(a
		b)";
		for (int i = 0; i < 64; i++) {
			t.v[i] += P ? x : words[2];
		}
	}
};
__global__ void literals(float *p, int c)
{
	tile acc = {};
	if (c) {
		spoken<true>::run(acc, 1);
	} else {
		spoken<false>::run(acc, 1);
	}
	store(p, acc);
}
