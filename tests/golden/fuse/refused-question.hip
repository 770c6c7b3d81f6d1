// A ?: that stays: each kernel violates clause 12 of fuse.
// tests/exec/mutate.py switches the clause off and shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy fuse:plain -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

// A ?: of a plain type would become an if first.
struct tile {
	float v[64];

	__device__ tile() : v()
	{
	}
};

__device__ inline tile next(tile t, float x, float y)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + x) / y;
	}
	return t;
}

__device__ inline tile late(tile t, int k, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + x) / (float)(k + 2);
	}
	return t;
}

__device__ inline float change(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / x;
	}
	return t.v[3];
}

// An operand in front of the choice changes what the condition reads.
// CHECK: 65 chained VGPRs in changed
// CHECK-NEXT: fuse: not legal (clause 12): its condition reads what the statement writes
__global__ void changed(float *p, int c)
{
	tile acc = {};
	acc = c > 1 ? late(acc, c++, p[1]) : late(acc, c++, p[2]);
	p[0] = acc.v[c & 63];
}

// The condition would be evaluated twice.
// CHECK: 64 chained VGPRs in effect
// CHECK-NEXT: fuse: not legal (clause 12): its condition has an effect
__global__ void effect(float *p, int c)
{
	tile acc = {};
	acc = c++ > 1 ? next(acc, p[1], 3) : next(acc, p[2], 4);
	p[0] = acc.v[c & 63];
}

// What the value goes into may be an add that a multiply of an arm would join.
// CHECK: 64 chained VGPRs in operand
// CHECK-NEXT: fuse: not legal (clause 12): it is not a statement, nor the value that one assigns or declares
// MUTATE equal: tried with a product from change(), too: clang 19 joins it with the add before and after
__global__ void operand(float *p, int c)
{
	tile acc = {};
	p[0] = p[3] + (c > 1 ? change(acc, p[1]) : change(acc, p[2]));
	p[1] = acc.v[c & 63];
}

// CHECK: 64 chained VGPRs in comma
// CHECK-NEXT: fuse: not legal (clause 12): an arm is not a plain expression
__global__ void comma(float *p, int c)
{
	tile acc = {};
	p[5] = c > 1 ? (p[4] = 1, change(acc, p[1])) : (p[4] = 1, change(acc, p[2]));
	p[1] = acc.v[c & 63];
}

// The accumulators themselves differ.
// CHECK: 64 chained VGPRs in chosen
// CHECK-NEXT: fuse: not legal (clause 12): the arms differ where they compute
// MUTATE structural: an object by value is no operand that can be chosen
__global__ void chosen(float *p, int c)
{
	tile acc = {}, other = {};
	other.v[3] = p[3];
	acc = c > 1 ? next(acc, p[1], 2) : next(other, p[1], 2);
	p[1] = acc.v[c & 63] + other.v[3];
}
