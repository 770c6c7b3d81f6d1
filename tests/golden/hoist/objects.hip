// Operands that a function takes by reference to const, and arrays of LDS that it takes as a
// pointer: a variable takes the value, or a choice is the object.
//
// RUN: %unphi rewrite --prefix unphi_ %s --target gfx90a --strategy hoist:plain -o %t.plain.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --check-prefix PLAIN < %t.plain.hip
// RUN: %unphi rewrite --prefix unphi_ %t.plain.hip --target gfx90a --strategy hoist:guarded -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: %verify %s %t.hip --spec %S/objects.verify.yaml | grep -x '  8 of 8 cases equal'

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

struct two {
	float x, y;
};

__device__ inline float times(const two &by, float x)
{
	return x * by.y;
}

__device__ inline void step(tile &t, const two &by, const float *from)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + from[i % 8]) / times(by, 2) + by.x;
	}
}

// PLAIN-LABEL: void objects(
// PLAIN: const bool unphi_[[TAKEN:taken[0-9]*]] = c > i;
// PLAIN-NEXT: const two unphi_by{{[0-9]*}} = unphi_[[TAKEN]] ? a : b;
// PLAIN-NEXT: const two unphi_[[BY:by[0-9]*]] = unphi_[[TAKEN]] ? pairs[i] : *pairs;
// PLAIN-NEXT: const float *const unphi_[[FROM:from[0-9]*]] = unphi_[[TAKEN]] ? left : right;
// PLAIN-NEXT: step(acc, unphi_by{{[0-9]*}}, left);
// PLAIN-NEXT: step(acc, unphi_[[BY]], unphi_[[FROM]]);
__global__ void objects(float *p, two *pairs, int c)
{
	__shared__ float left[8], right[8];
	tile acc = {};
	const two a = {2, 3};
	two b = pairs[1];
	left[threadIdx.x % 8] = p[threadIdx.x % 8];
	right[threadIdx.x % 8] = p[threadIdx.x % 8 + 1];
	__syncthreads();
	for (int i = 0; i < 4; i++) {
		if (c > i) {
			step(acc, a, left);
			step(acc, pairs[i], left);
		} else {
			step(acc, b, left);
			step(acc, *pairs, right);
		}
	}
	p[16 + threadIdx.x] = acc.v[threadIdx.x];
}

// CHECK: {{^}}__global__ void inside(
// CHECK: {{^	}}for (int i = 0; i < 4; i++) {
// CHECK-NEXT: step(acc, unphi_[[ARM:taken[0-9]*]] ? pairs[i] : unphi_own{{[0-9]*}}, unphi_from{{[0-9]*}});
// CHECK-NEXT: }
__global__ void inside(float *p, two *pairs, int c)
{
	__shared__ float left[8], right[8];
	tile acc = {};
	left[threadIdx.x % 8] = p[threadIdx.x % 8];
	right[threadIdx.x % 8] = p[threadIdx.x % 8 + 1];
	__syncthreads();
	if (c > 1) {
		for (int i = 0; i < 4; i++) {
			step(acc, pairs[i], left);
		}
	} else {
		const two own = {p[2], p[3]};
		for (int i = 0; i < 4; i++) {
			step(acc, own, right);
		}
	}
	p[16 + threadIdx.x] = acc.v[threadIdx.x];
}
