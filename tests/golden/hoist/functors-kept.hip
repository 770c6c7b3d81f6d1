// What a functor or a ?: stands for that hoist must not take apart: an object that the call makes and the narrow part
// changes, a class that is another one in another arm and shows in the wide part, an arm that would be a declaration.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

struct tile {
	int v[64];
};

__device__ void add(tile &t, int x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK: chained VGPRs in counted
// CHECK: hoist: not legal (clause 25): 'run' is called for an object that each call makes, and that is more than its values
struct counter {
	int n;
	template <bool First> __device__ void run(tile &t, const int *p)
	{
		n += First ? 2 : 3;
		const int s = p[n];
		for (int i = 0; i < 64; i++) {
			t.v[i] += s * n;
		}
	}
};
__global__ void counted(int *p, int c)
{
	tile acc = {};
	if (c > 1) {
		counter{c}.run<true>(acc, p);
	} else {
		counter{c}.run<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: chained VGPRs in pointed
// CHECK: hoist: not legal (clause 25): 'table' is called for an object that each call makes, and that is more than its values
struct table {
	int t[4];
	template <int Mask> __device__ void operator()(tile &acc, int k) const
	{
		const int *at = t + (k & Mask);
		for (int i = 0; i < 64; i++) {
			acc.v[i] += *at;
		}
	}
};
__global__ void pointed(int *p, int c)
{
	tile acc = {};
	if (c > 1) {
		table{{1, 2, 3, 4}}.operator()<1>(acc, c);
	} else {
		table{{1, 2, 3, 4}}.operator()<3>(acc, c);
	}
	p[0] = acc.v[c];
}

// CHECK: chained VGPRs in constants
// CHECK: hoist: not legal (clause 26): 'scale' is of the class, which is another one in another arm, and the wide part uses it
template <int M> struct scaled {
	static constexpr int scale = M * 7;
	__device__ void operator()(tile &t, const int *p, int k) const
	{
		const int s = p[k];
		for (int i = 0; i < 64; i++) {
			if constexpr (M > 1) {
				t.v[i] += scale;
			}
			t.v[i] += s;
		}
	}
};
__global__ void constants(int *p, int c)
{
	tile acc = {};
	if (c > 1) {
		scaled<1>{}(acc, p, c);
	} else {
		scaled<2>{}(acc, p, c + 1);
	}
	p[0] = acc.v[c];
}

// CHECK: chained VGPRs in members
// CHECK: hoist: not legal (clause 26): 'by' is of the class, which is another one in another arm, and the wide part uses it
template <int M> struct times {
	int by;
	__device__ void operator()(tile &t, const int *p, int k) const
	{
		const int s = p[k + M];
		for (int i = 0; i < 64; i++) {
			t.v[i] += s * by;
		}
	}
};
__global__ void members(int *p, int c)
{
	tile acc = {};
	const times<1> left{p[1]};
	const times<2> right{p[2]};
	if (c > 1) {
		left(acc, p, c);
	} else {
		right(acc, p, c + 1);
	}
	p[0] = acc.v[c];
}

// CHECK: chained VGPRs in sizes
// CHECK: hoist: not legal (clause 26): 'this' is of the class, which is another one in another arm, and the wide part uses it
template <int M> struct sized {
	char pad[M];
	__device__ void operator()(tile &t, const int *p, int k) const
	{
		const int s = p[k + M];
		for (int i = 0; i < 64; i++) {
			t.v[i] += s * int(sizeof(*this));
		}
	}
};
__global__ void sizes(int *p, int c)
{
	tile acc = {};
	if (c > 1) {
		sized<1>{}(acc, p, c);
	} else {
		sized<2>{}(acc, p, c + 1);
	}
	p[0] = acc.v[c];
}

// CHECK: chained VGPRs in qualified
// CHECK: hoist: not legal (clause 22): 'operator()' cannot be split: it is only for temporaries, or for other objects
struct moved {
	template <bool First> __device__ void operator()(tile &t, const int *p) &&
	{
		const int s = First ? p[1] : p[2];
		for (int i = 0; i < 64; i++) {
			t.v[i] += s;
		}
	}
};
__global__ void qualified(int *p, int c)
{
	tile acc = {};
	if (c > 1) {
		moved{}.operator()<true>(acc, p);
	} else {
		moved{}.operator()<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// ?: comes last, the last of the file first.
// CHECK: chained VGPRs in gone: kept as it is: it is a conditional expression, and cannot be written as an if
// CHECK: chained VGPRs in declares: kept as it is: it is a conditional expression, and cannot be written as an if
struct adder {
	tile &t;
	__device__ explicit adder(tile &to) : t(to) { add(t, 1); }
	__device__ void operator()(int x) const { add(t, x); }
};
__global__ void declares(int *p, int c)
{
	tile acc = {};
	int x = p[1];
	c > 1 ? adder(acc)(x) : add(acc, 2);
	p[0] = acc.v[c];
}

struct asked {
	int &n;
	bool yes;
	__device__ ~asked() { n += 3; }
	__device__ operator bool() const { return yes; }
};
__global__ void gone(int *p, int c)
{
	tile acc = {};
	asked{c, c > 1} ? add(acc, p[c]) : add(acc, 2);
	p[0] = acc.v[c];
}
