// Ifs that leave are written with an else all at once, where they do not meet: the unit is parsed for all of them, and once
// more for those for which something was kept. The others stay as they are.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:plain --format json -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json
// RUN: grep -q '"parses": 5,' %t.json
// RUN: %FileCheck %s < %t.hip
// RUN: %unphi rewrite %s --target gfx90a --strategy predicate --format json -o %t.same.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json
// RUN: grep -q '"parses": 2,' %t.json && cmp %s %t.same.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

__device__ void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

__device__ void sub(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] -= x;
	}
}

// CHECK-LABEL: void other(
// CHECK: if (a[k] > 1) {
// CHECK-NEXT: add(acc, a[k]);
// CHECK-NEXT: continue;
// CHECK-NEXT: }
// CHECK-NEXT: sub(acc, a[k + 1]);
__global__ void other(float *p, const float *a, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (a[k] > 1) {
			add(acc, a[k]);
			continue;
		}
		sub(acc, a[k + 1]);
	}
	p[threadIdx.x] = acc.v[threadIdx.x];
}

// CHECK-LABEL: void alike(
// CHECK: const int index = a[k] > 1 ? k : k + 1;
// CHECK-NEXT: add(acc, a[index]);
__global__ void alike(float *p, const float *a, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (a[k] > 1) {
			add(acc, a[k]);
			continue;
		}
		add(acc, a[k + 1]);
	}
	p[threadIdx.x] = acc.v[threadIdx.x];
}

// CHECK-LABEL: void other_again(
// CHECK: if (a[k] > 1) {
// CHECK-NEXT: add(acc, a[k]);
// CHECK-NEXT: continue;
// CHECK-NEXT: }
// CHECK-NEXT: sub(acc, a[k + 1]);
__global__ void other_again(float *p, const float *a, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (a[k] > 1) {
			add(acc, a[k]);
			continue;
		}
		sub(acc, a[k + 1]);
	}
	p[threadIdx.x] = acc.v[threadIdx.x];
}

// CHECK-LABEL: void alike_again(
// CHECK: const int index = a[k] > 1 ? k : k + 1;
// CHECK-NEXT: add(acc, a[index]);
__global__ void alike_again(float *p, const float *a, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (a[k] > 1) {
			add(acc, a[k]);
			continue;
		}
		add(acc, a[k + 1]);
	}
	p[threadIdx.x] = acc.v[threadIdx.x];
}
