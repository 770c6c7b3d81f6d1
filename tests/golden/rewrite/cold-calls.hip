// A call to what ends in a trap keeps no kernel from being measured.
//
// REQUIRES: hipcc
// RUN: %unphi rewrite %s --verbose --target gfx90a -o %t.hip -- -nogpuinc -nogpulib > %t.txt
// RUN: %FileCheck %s < %t.txt
// CHECK-NOT: is left in it
// CHECK: {{^}}product gfx90a
// CHECK: chained VGPRs in product
// CHECK-NOT: is left in it
// CHECK: hoist (plain): {{kept|veto: product: [^c]}}
// CHECK-NOT: is left in it

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

static __device__ __attribute__((noinline)) void stop(float *p, int line)
{
	*(volatile float *)p = line;
	__builtin_trap();
}

__global__ __attribute__((amdgpu_flat_work_group_size(64, 64))) void product(
	float *p, const f16x4 *a, const f16x4 *b, int n, int edge)
{
	if (n > 1000) {
		stop(p, __LINE__);
	}
	const int t = __builtin_amdgcn_workitem_id_x();
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (k < edge) {
			const f16x4 y = b[k * 64 + t];
			for (int i = 0; i < 8; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(a[i * 64 + t], y, acc[i], 0, 0, 0);
			}
		} else {
			const f16x4 y = b[t];
			for (int i = 0; i < 8; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(a[i * 64 + t], y, acc[i], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			p[(i * 16 + j) * 64 + t] = acc[i][j];
		}
	}
}
