// A full tile and a rest: what differs is the loop's bound, and whether it is to be unrolled.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy fuse -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: %FileCheck --check-prefix=SAID %s < %t.txt
// RUN: %verify %s %t.hip --no-races --spec %S/trips.verify.yaml | grep -x '  12 of 12 cases equal'
//
// REQUIRES: compiler

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

constexpr int depth = 4;

// CHECK-LABEL: void rest_last(
// CHECK-NOT: #pragma
// CHECK: for (int k = 0; k < (!taken{{[0-9]*}} ? n - at : depth); k++) {
// CHECK-NOT: #pragma
// CHECK-LABEL: void rest_first(
__global__ void rest_last(float *p, int n)
{
	tile acc = {};
	for (int at = 0; at < n; at += depth) {
		if (at + depth <= n) {
#pragma unroll
			for (int k = 0; k < depth; k++) {
				add(acc, p[at + k]);
			}
		} else {
			for (int k = 0; k < n - at; k++) {
				add(acc, p[at + k]);
			}
		}
	}
	p[threadIdx.x] = acc.v[n & 63];
}

// CHECK-NOT: #pragma
// CHECK: for (int k = 0; k < (taken{{[0-9]*}} ? n - at : depth); k++) {
// CHECK-NOT: #pragma
// CHECK-LABEL: void both(
__global__ void rest_first(float *p, int n)
{
	tile acc = {};
	for (int at = 0; at < n; at += depth) {
		if (at + depth > n) {
			for (int k = 0; k < n - at; k++) {
				add(acc, p[at + k]);
			}
		} else {
#pragma clang loop unroll(full)
			for (int k = 0; k < depth; k++) {
				add(acc, p[at + k]);
			}
		}
	}
	p[threadIdx.x] = acc.v[n & 63];
}

// What all arms ask for stays.
// CHECK: #pragma unroll 2
// CHECK-NEXT: for (int k = 0; k < (taken{{[0-9]*}} ? 4 : 3); k++) {
__global__ void both(float *p, int n)
{
	tile acc = {};
	for (int at = 0; at < n; at += depth) {
		if (at + depth <= n) {
#pragma unroll 2
			for (int k = 0; k < 4; k++) {
				add(acc, p[at + k]);
			}
		} else {
#pragma unroll 2
			for (int k = 0; k < 3; k++) {
				add(acc, p[at + k]);
			}
		}
	}
	p[threadIdx.x] = acc.v[n & 63];
}

// A promise of one arm's is none of the other's.
// SAID: 64 chained VGPRs in promise: kept as it is: an arm writes the accumulator in a statement that another does not have
__global__ void promise(float *p, int n)
{
	tile acc = {};
	for (int at = 0; at < n; at += depth) {
		if (at + depth <= n) {
#pragma clang loop vectorize(assume_safety) unroll(enable)
			for (int k = 0; k < depth; k++) {
				add(acc, p[at + k]);
			}
		} else {
			for (int k = 0; k < n - at; k++) {
				add(acc, p[at + k]);
			}
		}
	}
	p[threadIdx.x] = acc.v[n & 63];
}
