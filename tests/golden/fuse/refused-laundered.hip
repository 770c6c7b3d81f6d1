// What the plain form does not mind: a condition that differs per lane, and a ?:. tests/exec/mutate.py switches the
// clause off.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy fuse:laundered -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
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

__device__ inline tile plus(tile t, float x)
{
	add(t, x);
	return t;
}

// CHECK: 64 chained VGPRs in expression
// CHECK-NEXT: fuse: not legal (clause 1): it is a conditional expression, not a statement
// MUTATE structural: there are no statements that could be one
__global__ void expression(float *p, int c)
{
	tile acc = {};
	acc = c ? plus(acc, 1) : (p[1] = 0, plus(acc, 2));
	p[threadIdx.x] = acc.v[c];
}

// CHECK: 64 chained VGPRs in lanes
// CHECK-NEXT: fuse: not legal (clause 11): the condition would go to a scalar register, and the condition is not proved uniform: {{.*}}
__global__ void lanes(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	if (lane < c) {
		add(acc, 1);
	} else {
		add(acc, 2);
	}
	p[lane] = acc.v[c];
}
