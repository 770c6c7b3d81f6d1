// Why a measurement is asked for: a matrix operation in an arm, or code that nobody sees.
//
// RUN: %exits 0 %unphi rewrite %s --verbose --target gfx90a --strategy sequentialize --threshold 1 -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
__device__ void other(float x);

// CHECK: {{.*}} not legal (clause 92): the condition is not proved uniform, and an arm holds a matrix operation or a barrier: only a measurement shows whether the compiler keeps the skip around it
__global__ void matrix(float *out, const int *in)
{
	f32x4 acc = {};
	if (__builtin_amdgcn_ds_bpermute(0, in[threadIdx.x])) {
		acc = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 2, acc, 0, 0, 0);
	} else {
		acc[1] += 2;
	}
	*(f32x4 *)out = acc;
}

// CHECK: {{.*}} not legal (clause 92): the condition is not proved uniform, and an arm runs code that is not seen, maybe a matrix operation or a barrier: only a measurement shows whether the compiler keeps the skip around it
__global__ void hidden(float *out, const int *in)
{
	f32x4 acc = {};
	if (in[threadIdx.x]) {
		acc[0] += 3;
		other(acc[1]);
	} else {
		acc[1] += 2;
	}
	*(f32x4 *)out = acc;
}
