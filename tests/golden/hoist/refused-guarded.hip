// Each kernel violates a clause of hoist's guarded form alone. tests/exec/mutate.py switches the clause
// off.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:guarded -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK: 64 chained VGPRs in plain
// CHECK-NEXT: hoist: not legal (clause 14): nothing that the arms differ in has to be chosen in its place
// MUTATE equal: what comes out is the plain form's text, which is right: the clause keeps it from being tried twice
__global__ void plain(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, p[1]);
	} else {
		add(acc, p[2]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in bare
// CHECK-NEXT: hoist: not legal (clause 14): the arms would be empty: fuse does the same
// MUTATE equal: what comes out is fuse's text, which is right: the clause keeps it from being tried twice
__global__ void bare(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i]) / 3;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i + 1] / 2) / 3;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in array
// CHECK-NEXT: hoist: not legal (clause 14): the arms differ in 'x[i % 8]', and 'x', declared in an arm, is not a small value that could be handed over
__global__ void array(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		float x[8];
		for (int i = 0; i < 8; i++) {
			x[i] = p[i + 1];
		}
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + x[i % 8]) / 3;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i]) / 3;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in pointer
// CHECK-NEXT: hoist: not legal (clause 14): the arms differ in 'q[i % 8]', which may reach 'x', declared in an arm
__global__ void pointer(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		float x[8];
		for (int i = 0; i < 8; i++) {
			x[i] = p[i + 1];
		}
		const float *q = c > 5 ? p : x;
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + q[i % 8]) / 3;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i]) / 3;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in name
// CHECK-NEXT: hoist: not legal (clause 14): the arms differ in 'p[i] + x', where 'x' would mean something else
__global__ void name(float *p, int c)
{
	const float x = p[2];
	tile acc = {};
	if (c == 1) {
		p[5] = 2;
		for (int i = 0; i < 64; i++) {
			const float x = p[i + 64] / 2;
			acc.v[i] = (acc.v[i] + p[i]) / x;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			const float y = p[i + 64] / 2;
			acc.v[i] = (acc.v[i] + (p[i] + x)) / y;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in types
// CHECK-NEXT: hoist: not legal (clause 14): the arms differ in 'd + i' and 'n + i', which are of several types
__global__ void types(float *p, int c)
{
	const double d = p[1];
	const int n = 16777216;
	const float f = p[3];
	tile acc = {};
	if (c == 0) {
		p[5] = 2;
		for (int i = 0; i < 64; i++) {
			const double x = d + i;
			acc.v[i] = acc.v[i] / 2 + (x - 16777000);
		}
	} else if (c == 1) {
		for (int i = 0; i < 64; i++) {
			const double x = n + i;
			acc.v[i] = acc.v[i] / 2 + (x - 16777000);
		}
	} else {
		for (int i = 0; i < 64; i++) {
			const double x = f / (i + 1);
			acc.v[i] = acc.v[i] / 2 + (x - 16777000);
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in effect
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'p[i]++', which may have a side effect
// MUTATE equal: chosen in its place it happens as often as before, for its own arm; refused.hip has one that is moved
__global__ void effect(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		p[5] = 2;
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i]++) / 3;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i + 1]) / 3;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in contraction
// CHECK-NEXT: hoist: not legal (clause 11): a branch would come between the multiply that 's' is from and the add that takes its result, which the compiler may have joined to one FMA
// MUTATE isa: the multiply stays in the arm
__global__ void contraction(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		const float s = p[2] * p[3];
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + (p[i] + s)) / 3;
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] = (acc.v[i] + p[i + 1]) / 3;
		}
	}
	p[0] = acc.v[c];
}
