// Code behind the wide statements that the wide ones cannot pass. tests/exec/mutate.py switches the
// clause off.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:plain -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
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

// CHECK: 64 chained VGPRs in reads
// CHECK-NEXT: hoist: not legal (clause 15): 'p[5] = acc.v[3]' comes after the code that would move and cannot run before it: 'acc' is written before it is read
__global__ void reads(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, p[1]);
		p[5] = acc.v[3];
	} else {
		add(acc, p[2]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in writes
// CHECK-NEXT: hoist: not legal (clause 15): 'p[7] = 9' comes after the code that would move and cannot run before it: '*p' is read before it is written
__global__ void writes(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[i];
		}
		p[7] = 9;
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[i];
		}
	}
	p[0] = acc.v[c] + acc.v[7];
}

// CHECK: 64 chained VGPRs in declared
// CHECK-NEXT: hoist: not legal (clause 15): 'p[5] = x' comes after the code that would move and depends on it
__global__ void declared(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
		const float x = p[c + 2];
		add(acc, x);
		p[5] = x;
	} else {
		add(acc, 1);
		const float x = p[c + 2];
		add(acc, x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in contraction
// CHECK-NEXT: hoist: not legal (clause 11): 'x' may come from a multiply and is added after the code that would move: the compiler could join the two to an FMA
// MUTATE isa: the multiply and the add come to stand side by side
__global__ void contraction(float *p, int c)
{
	tile acc = {};
	float sum = p[4];
	if (c == 1) {
		const float x = p[2] * p[3];
		p[8] = x;
#pragma unroll 1
		for (int i = 0; i < 64; i++) {
			acc.v[i] += 3;
		}
		sum += x;
	} else {
#pragma unroll 1
		for (int i = 0; i < 64; i++) {
			acc.v[i] += 3;
		}
	}
	p[0] = acc.v[c] + sum;
}
