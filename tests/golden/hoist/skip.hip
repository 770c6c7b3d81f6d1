// An if of our own around matrix operations, on conditions that nothing proves uniform, is kept only
// where a measurement shows that the compiler skips it.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:plain -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

// CHECK: hoist: not legal (clause 92): the condition is not proved uniform
__global__ void per_lane(f32x16 *out, const f16x4 *a, const f16x4 *b, int n)
{
	f32x16 acc = out[0];
	int row = __builtin_amdgcn_workitem_id_x() / 64;
	if (row < n - 1) {
		acc = __builtin_amdgcn_mfma_f32_32x32x8f16(a[row], b[0], acc, 0, 0, 0);
	} else if (row < n) {
		acc = __builtin_amdgcn_mfma_f32_32x32x8f16(a[n], b[0], acc, 0, 0, 0);
	}
	out[0] = acc;
}
