// Operands that a function takes by reference to const, and arrays of LDS: the choice is the object.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy fuse -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: %verify %s %t.hip --spec %S/objects.verify.yaml | grep -x '  4 of 4 cases equal'

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

struct two {
	float x, y;
};

__device__ inline void step(tile &t, const two &by, const float *from)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + from[i % 8]) / by.y + by.x;
	}
}

// CHECK-LABEL: void objects(
// CHECK: const bool taken{{[0-9]*}} = c > i;
// CHECK-NEXT: step(acc, taken{{[0-9]*}} ? a : b, left);
// CHECK-NEXT: step(acc, taken{{[0-9]*}} ? pairs[i] : *pairs, taken{{[0-9]*}} ? left : right);
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
