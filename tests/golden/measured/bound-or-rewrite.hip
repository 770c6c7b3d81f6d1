// Of a second launch bound and a rewrite of the merge --measure names the one that measures better, and --fix does that.
// REQUIRES: compiler, clang-before-22
// RUN: cp %s %t.k.hip && %unphi lint %t.k.hip --target gfx942 --compiler %compiler --measure --fix -- -nogpuinc > %t.txt
// RUN: grep -q 'note: .acc. .*unphi-phi-explosion' %t.txt && grep -Eq 'note: measured: (the second launch bound is as good|better by the second launch bound)' %t.txt
// RUN: %not diff %s %t.k.hip > %t.txt && grep -c '^>' %t.txt | grep -qx 1 && grep -q '^> .*__launch_bounds__(256, 2) skips' %t.txt
#define __global__ __attribute__((global))
#define bounds_one(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
#define bounds_two(n, w) __attribute__((amdgpu_flat_work_group_size(1, n), amdgpu_waves_per_eu(w)))
#define third(a, b, c, ...) c
#define __launch_bounds__(...) third(__VA_ARGS__, bounds_two, bounds_one, )(__VA_ARGS__)
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

__global__ void __launch_bounds__(256) skips(float *q, const f16x4 *a, const f16x4 *b, const int *mask, int n)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < n; t++) {
		if (mask[t]) {
			for (int k = 0; k < 4; k++) {
				const f16x4 x = a[(t * 4 + k) * 64 + __builtin_amdgcn_workitem_id_x() % 64];
				for (int i = 0; i < 8; i++) {
					const f16x4 y = b[((t * 4 + k) * 8 + i) * 64 + __builtin_amdgcn_workitem_id_x() % 64];
					acc[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[i], 0, 0, 0);
				}
			}
		}
	}
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			q[((__builtin_amdgcn_workgroup_id_x() * 8 + i) * 16 + j) * 64 + __builtin_amdgcn_workitem_id_x() % 64] = acc[i][j];
		}
	}
}
