// Each kernel violates a clause of hoist's fenced form alone, but for the last one, which violates one
// that the plain form does not need. tests/exec/mutate.py switches the clause off.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:fenced -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
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

// CHECK: 65 chained VGPRs in label
// CHECK-NEXT: hoist: not legal (clause 3): an arm holds a label that can be jumped to
__global__ void label(float *p, int c)
{
	tile acc = {};
	int n = 0;
	if (c > 1) {
	again:
		n++;
		add(acc, 1);
	} else {
		n += 2;
		if (c == 0 && n < 8) {
			goto again;
		}
		add(acc, 1);
	}
	p[0] = acc.v[c] + (float)n;
}

// CHECK: 64 chained VGPRs in no_place
// CHECK-NEXT: hoist: not legal (clause 13): there is no place for declarations before it
// MUTATE structural: the guards would be written over the braces that it needs
__global__ void no_place(float *p, int c)
{
	tile acc = {};
	for (int t = 0; t < 2; t++)
		if (c > t) {
			p[1] += 1;
			add(acc, p[2]);
		} else {
			p[1] -= 1;
			add(acc, 2.0f);
		}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in nothing_stays
// CHECK-NEXT: hoist: not legal (clause 13): nothing stays in an arm that a fence could guard
// MUTATE equal: the plain form's text, and a fence that orders nothing: the clause keeps it from being tried twice
__global__ void nothing_stays(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		p[1] += 1;
		add(acc, 1);
	} else {
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in of_a_switch
// CHECK-NEXT: hoist: not legal (clause 13): the arms of a switch are not fenced
// MUTATE structural: the guards would be written over what the arms keep
__global__ void of_a_switch(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 1:
		p[1] += 1;
		add(acc, 1);
		break;
	default:
		p[1] -= 1;
		add(acc, 1);
	}
	p[0] = acc.v[c];
}
