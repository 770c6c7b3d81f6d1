// Each kernel violates one clause of hoist: the report names it, and not a byte changes. A case for
// every clause stands in tests/unit/data/hoist/cases.hip.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x / t.v[i];
	}
}

// CHECK: 64 chained VGPRs in no_else
// CHECK-NEXT: hoist: not legal (clause 1): there is a path without an arm (no else)
__global__ void no_else(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
	} else if (c == 2) {
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in directive
// CHECK-NEXT: hoist: not legal (clause 2): a preprocessor directive stands inside: #ifdef FAST
__global__ void directive(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
#ifdef FAST
		p[1] = 2;
#endif
		add(acc, 1);
	} else {
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in leaves
// CHECK-NEXT: hoist: not legal (clause 3): an arm may leave in its middle (return)
__global__ void leaves(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		if (c == 5) {
			return;
		}
		add(acc, 1);
	} else {
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in different
// CHECK-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: 'add(acc, 1)' against 'scale(acc, 1)'
__global__ void different(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, 1);
	} else {
		scale(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in depends
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'p[i]', which depends on 'i' inside the code that would move
__global__ void depends(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[i];
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += (float)i;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in multiply
// CHECK-NEXT: hoist: not legal (clause 11): the multiply in 'p[0] * p[1]' would be cut from the add
__global__ void multiply(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[0] * p[1]);
	} else {
		add(acc, 3.0f);
	}
	p[0] = acc.v[c];
}
