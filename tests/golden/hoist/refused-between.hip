// Code between the wide statements that cannot run before them. tests/exec/mutate.py switches the
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

// CHECK: 128 chained VGPRs in orders
// CHECK-NEXT: hoist: not legal (clause 15): 'p[66] = 7' comes after the code that would move and cannot run before it: '*p' is written by both
__global__ void orders(float *p, int c)
{
	tile acc = {}, sum = {};
	if (c == 1) {
		add(acc, 2);
		p[65 + c] = 9;
		p[66] = 7;
		add(sum, 3);
	} else {
		add(acc, 3);
		p[65 + c] = 9;
		add(sum, 4);
	}
	p[0] = acc.v[c] + sum.v[c];
}

// CHECK: 65 chained VGPRs in gaps
// CHECK-NEXT: hoist: not legal (clause 11): 'x' may come from a multiply and is added in the code that moves: with nothing between the compiler could join the two to an FMA
// MUTATE isa: the multiply and the add come to stand side by side
__global__ void gaps(float *p, int c)
{
	tile acc = {};
	int count = c;
	if (c == 1) {
		add(acc, 3);
		const float x = p[2] * p[3];
		p[80] = x;
#pragma unroll 1
		for (int i = 0; i < c + 3; i++) {
			count = count * count + i;
		}
		acc.v[0] += x;
	} else {
		add(acc, 3);
		const float x = p[2] * p[3];
		p[80] = x;
		while (count > 3) {
			count -= count / 3;
		}
		acc.v[0] += x;
	}
	p[0] = acc.v[c] + count;
}

// CHECK: 64 chained VGPRs in reads
// CHECK-NEXT: hoist: not legal (clause 15): 'p[5] = acc.v[3]' comes after the code that would move and cannot run before it: 'acc' is written before it is read
__global__ void reads(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, p[1]);
		p[5] = acc.v[3];
		add(acc, 3);
	} else {
		add(acc, p[2]);
		add(acc, 4);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in hides
// CHECK-NEXT: hoist: not legal (clause 15): 'const float x = p[7]' comes after the code that would move and depends on it
__global__ void hides(float *p, int c)
{
	tile acc = {};
	const float x = p[6];
	if (c == 1) {
		add(acc, x);
		const float x = p[7];
		add(acc, x);
	} else {
		add(acc, 1);
		add(acc, 2);
	}
	p[0] = acc.v[c];
}
