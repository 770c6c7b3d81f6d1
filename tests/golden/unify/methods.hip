// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Methods of a class template that call others of it, or are called for objects in front of the merge.

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

// objects in front of the merge
template <bool Last> struct tail {
	__device__ void run(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + x;
		}
	}
	template <int N> __device__ void shifted(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + N;
		}
	}
};
template <bool Last, int N> struct shift {
	float by;
	tile &to;
	int count = 4;

	__device__ void operator()(float x) const
	{
		for (int i = 0; i < 64; i++) {
			to.v[i] = Last ? x - by : to.v[i] + x + count + N;
		}
	}
};
template <bool Last> struct stepped {
	float by;
	const float *from;

	__device__ stepped(float b, const float *f = nullptr) : by(b), from(f)
	{
	}
	__device__ void run(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x - by : t.v[i] + by;
		}
	}
	__device__ void look(tile &t) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? from[i % 4] : t.v[i] + 1;
		}
	}
	__device__ void counted(tile &t)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? by : t.v[i] + by;
		}
		by += 1;
	}
};
namespace other
{
template <int N> struct at {
	float by;
	__device__ void run(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = N > 2 ? x : t.v[i] + by;
		}
	}
};
} // namespace other
__device__ inline void change(stepped<true> &s)
{
	s.by += 2;
}

__global__ void front(float *p, int n, int c, int d)
{
	tile acc = {};
	const tail<true> last;
	tail<false> second, third;
	tail<false> shifts;
	const tail<false> rest{};
	const float by = d + 1;
	float step = n;
	const float list[4] = {1, 2, by, 4};
	constexpr int more = 3;
	const shift<true, more> a{by, acc};
	const shift<false, more> b = {by, acc};
	const stepped<true> full(step, list);
	const auto edge = stepped<false>(step, list);
	const other::at<2> two{step + 0};
	const other::at<3> three{step + 0};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			last.run(acc, i); // of the last
		} else {
			rest.run(acc, i);
		}
		if (i == d) {
			tail<true>().shifted<2>(acc, i);
		} else {
			shifts.shifted<2>(acc, i);
		}
		if (i == c) {
			a(i);
		} else {
			b(i);
		}
		if (i == c) {
			full.run(acc, i);
		} else {
			edge.run(acc, i);
		}
		if (i == c) {
			full.look(acc);
		} else {
			edge.look(acc);
		}
		const stepped<true> inner(i);
		const stepped<false> outer(i);
		i == c ? inner.run(acc, d) : outer.run(acc, d);
		// stays: a calculated float, two in one declaration
		if (i == c) {
			two.run(acc, i);
		} else {
			three.run(acc, i);
		}
		if (i == c) {
			last.run(acc, i);
		} else {
			third.run(acc, i);
		}
		second.run(acc, i);
	}
	store(p, acc);
}
// stays: a value that changes, an object that does, by a reference, a call, an assignment, its own
// method; a name that means something else at the merge
__global__ void kept(float *p, int n, int c, int d)
{
	tile acc = {};
	float by = d;
	float changes = d;
	constexpr int more = 3;
	stepped<true> full(changes);
	stepped<false> edge(changes);
	stepped<true> full2(by);
	stepped<false> edge2(by);
	stepped<true> full3(by);
	stepped<false> edge3(by);
	stepped<true> full4(by);
	stepped<false> edge4(by);
	stepped<true> full5(by);
	stepped<false> edge5(by);
	stepped<true> full6(by);
	stepped<false> edge6(by);
	shift<true, more> a{1, acc};
	shift<false, more> b{1, acc};
	stepped<false> &as = edge2;
	for (int i = 0; i < n; i++) {
		if (i == c) {
			full.run(acc, i);
		} else {
			edge.run(acc, i);
		}
		changes += 1;
		if (i == c) {
			full2.run(acc, i);
		} else {
			edge2.run(acc, i);
		}
		as.by = i;
		if (i == c) {
			full3.run(acc, i);
		} else {
			edge3.run(acc, i);
		}
		change(full3);
		if (i == c) {
			full4.run(acc, i);
		} else {
			edge4.run(acc, i);
		}
		edge4 = stepped<false>(i);
		if (i == c) {
			full5.counted(acc);
		} else {
			edge5.counted(acc);
		}
		{
			const float by = 7;
			if (i == c) {
				full6.run(acc, by);
			} else {
				edge6.run(acc, by);
			}
		}
		{
			constexpr int more = 5;
			if (i == d) {
				a(more);
			} else {
				b(more);
			}
		}
	}
	store(p, acc);
}

// constants that are declared together, with comments
template <int N, int M> struct least {
	static constexpr int value = N < M ? N : M;
};
template <int N> __device__ float added(float x)
{
	return x > N ? x + N : N;
}
template <bool Last, int N> struct lists {
	// of the block
	static constexpr int rows = N, // for each
		// of the lane
		cols = Last ? 3 : rows; /* also for each */
	constexpr static float low = 0.5f, high = Last ? 2.0f : 4.0f; // bounds
	static inline constexpr int least_of = least<N, 3>::value, unused = 1;
	static constexpr bool edge = !Last && N > 2;
	static constexpr int square = Last ? 2 : 4, *place = nullptr;
	static const int one{1}, two = 2;
	static constexpr int inner = N, outer = Last ? inner : inner * cols;

	static __device__ void run(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = i % rows < cols ? x : t.v[i] + high - low;
		}
	}
	static __device__ void nested(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = i < outer ? x : t.v[i] + outer;
		}
	}
	template <bool Edge> static __device__ float scaled(float x)
	{
		constexpr int by = Edge ? 2 : 3, more = by + 1;
		return x + added<more>(x) + added<by * 2>(x);
	}
	// a constant that is computed from what differs is a template argument
	static __device__ void passed(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : scaled<edge>(t.v[i]) + ::added<square>(x);
		}
	}
	// goes, except with template arguments among them, and braces
	static __device__ void least_is(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + least_of;
		}
	}
	static __device__ void pointers(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + square;
		}
	}
	static __device__ void braces(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + two;
		}
	}
	static __device__ int by_bound(tile &t, float x)
	{
		float own[cols] = {x};
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] + own[0];
		}
		return 0;
	}
};

__global__ void together(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			lists<true, 5>::run(acc, i);
		} else {
			lists<false, 5>::run(acc, i);
		}
		if (i == d) {
			lists<true, 5>::nested(acc, i);
		} else {
			lists<false, 5>::nested(acc, i);
		}
		if (i == c) {
			lists<true, 5>::passed(acc, i);
		} else {
			lists<false, 5>::passed(acc, i);
		}
		if (i == c) {
			lists<true, 5>::least_is(acc, i);
		} else {
			lists<false, 5>::least_is(acc, i);
		}
		if (i == c) {
			lists<true, 5>::pointers(acc, i);
		} else {
			lists<false, 5>::pointers(acc, i);
		}
		if (i == c) {
			lists<true, 5>::braces(acc, i);
		} else {
			lists<false, 5>::braces(acc, i);
		}
		if (i == c) {
			lists<true, 5>::by_bound(acc, i);
		} else {
			lists<false, 5>::by_bound(acc, i);
		}
	}
	store(p, acc);
}

// lists that name their members
#pragma clang diagnostic ignored "-Wc++20-designator"
#pragma clang diagnostic ignored "-Wbraced-scalar-init"
template <bool Last> struct offset {
	float scale;
	int other = 3;
	float more = 5;
	__device__ void run(tile &t, float x) const
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Last ? x : t.v[i] - scale + more + other;
		}
	}
};
struct part {
	int x, y;
};
struct args {
	part at;
	int a;
	float b;
};
struct mixed {
	int a;
	union {
		int b;
		float c;
	};
	int e;
};
template <bool Last> __device__ void take(tile &t, const args &q)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = Last ? q.b : t.v[i] - q.a + q.at.y;
	}
}
template <bool Last> __device__ void both(tile &t, const mixed &q)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = Last ? q.b : t.v[i] - q.a + q.e;
	}
}
__device__ inline int next(int &n)
{
	return n++;
}
__global__ void named(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i == c) {
			offset<true>{.scale = 1.0f, .other = d}.run(acc, i);
		} else {
			offset<false>{.scale = 1.0f, .other = d}.run(acc, i);
		}
		if (i == c) {
			offset<true>{.scale{1.0f}, .other = 2, .more = 3}.run(acc, i);
		} else {
			offset<false>{.scale{1.0f}, .other = 2, .more = 3}.run(acc, i);
		}
		if (i == c) {
			take<true>(acc, {.at = {.x = 1, .y = i}, .a = i, .b = 2});
		} else {
			take<false>(acc, {.at = {.x = 1, .y = i}, .a = i, .b = 2});
		}
		if (i == c) {
			take<true>(acc, args{.at = {1, d}, .a = i});
		} else {
			take<false>(acc, args{.at = {1, d}, .a = i});
		}
		// stays: other values, a side effect, members that are left out, of an unnamed union
		if (i == c) {
			offset<true>{.scale = 1, .other = 2}.run(acc, i);
		} else {
			offset<false>{.scale = 1, .other = 3}.run(acc, i);
		}
		int k = i;
		if (i == c) {
			take<true>(acc, {.at = {.x = 1, .y = 3}, .a = next(k)});
		} else {
			take<false>(acc, {.at = {.x = 1, .y = 3}, .a = next(k)});
		}
		if (i == c) {
			take<true>(acc, {.a = 3, .b = 4});
		} else {
			take<false>(acc, {.a = 3, .b = 4});
		}
		if (i == c) {
			both<true>(acc, {.a = 3, .b = 4, .e = 5});
		} else {
			both<false>(acc, {.a = 3, .b = 4, .e = 5});
		}
		if (i == c) {
			offset<true>{.scale = 1, .more = 2}.run(acc, i);
		} else {
			offset<false>{.scale = 1, .more = 2}.run(acc, i);
		}
	}
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {methods, front, kept, together, named};
#endif
