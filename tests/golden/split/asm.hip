// Inline asm that split would write twice. No asm runs on the CPU, so that this is no refused*.hip
// for tests/exec/mutate.py.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt

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

__device__ inline void turn(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x - t.v[i];
	}
}

#define HERE(text) asm volatile(text)
#define WAIT() asm volatile("s_nop 2")

// CHECK: {{.*}} VGPRs in labelled: {{.*}}
// CHECK-NEXT:  split: not legal (clause 7): the loop runs inline asm that has, or may have, a label: 'HERE(""){{;?}}'
__global__ void labelled(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		HERE("");
	}
	p[0] = acc.v[n];
}

__device__ inline __attribute__((always_inline)) void named()
{
	asm volatile("unphi_test:");
}

// CHECK: {{.*}} VGPRs in labelled_below: {{.*}}
// CHECK-NEXT:  split: not legal (clause 7): the loop runs inline asm that has, or may have, a label: '{{.*}}'
__global__ void labelled_below(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		named();
	}
	p[0] = acc.v[n];
}

__device__ inline void rest()
{
	asm volatile("s_nop 0");
}

// CHECK: {{.*}} VGPRs in waits
// CHECK-NEXT:  split (two loops): kept: forced, not measured
__global__ void waits(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		asm volatile("s_nop 1");
		WAIT();
		rest();
	}
	p[0] = acc.v[n];
}
