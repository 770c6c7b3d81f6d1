// Where code that is not seen may call a function, or other units may (-fgpu-rdc), its merges are
// found as its callers here show them. The last of these crashed.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | %FileCheck %s
// RUN: %exits 1 %unphi lint %s --target gfx90a -- -nogpuinc -I %root/tests/golden/rewrite/Inputs -fgpu-rdc | %FileCheck %s
// CHECK: warning: 'acc' {{.*}} [unphi-phi-explosion]

#include <hip/hip_runtime.h>

struct shape {
	__device__ virtual int extent() { return 1; }
};

typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ void step(f32x4 (&acc)[32], const f32x4 *from, int n)
{
	if (n & 1) {
		for (int i = 0; i < 32; ++i) {
			acc[i] += from[i];
		}
	} else {
		for (int i = 0; i < 32; ++i) {
			acc[i] *= from[i + n];
		}
	}
}

__global__ void k(f32x4 *out, const f32x4 *from, int n, shape *s)
{
	f32x4 acc[32] = {};
	for (int i = 0; i < n; ++i) {
		step(acc, from, i + s->extent());
	}
	for (int i = 0; i < 32; ++i) {
		out[i] = acc[i];
	}
}
