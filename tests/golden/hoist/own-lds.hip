// LDS of a function that is split stays in its narrow part, and what is read from it is handed over, also where
// each arm reads the same.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy hoist:split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
// RUN: %FileCheck %s < %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

// CHECK: struct step_state {
// CHECK-NEXT: float scale;
// CHECK: step_state step_narrow(
// CHECK: __shared__ float seen[64];
// CHECK: const float scale = seen[threadIdx.x ^ 1];
// CHECK: void step_wide(
// CHECK-NOT: seen
// CHECK: t.v[i] = t.v[i] / state.scale - p[i + 2];
// CHECK-NOT: seen
// CHECK: __global__
__device__ void step(tile &t, const float *p, int k)
{
	__shared__ float seen[64];
	seen[threadIdx.x] = p[k];
	__syncthreads();
	const float scale = seen[threadIdx.x ^ 1];
	__syncthreads();
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}

__global__ void own(float *p, int c)
{
	tile acc = {};
	for (int i = 0; i < c; i++) {
		if (c > i + 4) {
			step(acc, p, i);
		} else {
			p[3] += 1;
			step(acc, p, i);
		}
	}
	p[threadIdx.x] = acc.v[c];
}
