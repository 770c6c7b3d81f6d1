// Fused, a switch whose arms differ in an operand of each accumulator is no longer and takes fewest
// registers, but branches for every operand. One arm behind a guard is what runs shortest.
//
// REQUIRES: compiler, clang-before-22
// RUN: %unphi rewrite %s --target gfx942 --compiler %compiler --threshold 16 --explain --report %t -- -nogpuinc > /dev/null
// RUN: %FileCheck %s < %t
// CHECK: fuse (plain): worse: sum: issue cycles of the cheapest path {{[0-9]+}} -> {{[0-9]+}}{{.*}} % of the issue cycles, 1{{[0-9][0-9]}} % of the estimated time]
// CHECK: fuse (laundered): worse: sum: issue cycles of the cheapest path
// CHECK: {{(sequentialize|launder) \([a-z]+\): kept}}
//
// What runs says so, too: of cases that are found by launching, as there is no spec.
// RUN: %unphi rewrite %s --target gfx942 --compiler %compiler --threshold 16 --explain --verify --on isa --report %t -- -nogpuinc > /dev/null 2> %t.err
// RUN: grep "switch.verify.yaml is missing: using [0-9]* cases found by launching kernels" %t.err
// RUN: %FileCheck %s --check-prefix RAN < %t
// RAN: fuse (plain): worse: issue cycles that a wave runs, over all cases: {{[0-9]+}} -> {{[0-9]+}}
// RAN: {{(sequentialize|launder) \([a-z]+\): kept}}

#define __global__ __attribute__((global, amdgpu_flat_work_group_size(1, 256)))
typedef float f32x4 __attribute__((ext_vector_type(4)));

extern "C" __global__ void sum(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
	const int *__restrict__ mode, int tiles)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	f32x4 acc[8];
	for (int i = 0; i < 8; ++i) {
		acc[i] = f32x4{0, 0, 0, 0};
	}
	for (int t = 0; t < tiles; ++t) {
		const float x = a[t * 64 + lane];
		switch (mode[t]) {
		case 0:
			for (int i = 0; i < 8; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
					x, b[(t * 8 + i) * 64 + lane], acc[i], 0, 0, 0);
			}
			break;
		case 1:
			for (int i = 0; i < 8; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
					x, b[(t * 8 + i) * 64 + (lane ^ 1)] * 0.5f, acc[i], 0, 0, 0);
			}
			break;
		case 2:
			for (int i = 0; i < 8; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
					x, b[(t * 16 + i) * 64 + lane] + 1.0f, acc[i], 0, 0, 0);
			}
			break;
		default:
			for (int i = 0; i < 8; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(
					x, -b[(t * 8 + i) * 32 + lane], acc[i], 0, 0, 0);
			}
			break;
		}
	}
	for (int i = 0; i < 8; ++i) {
		for (int e = 0; e < 4; ++e) {
			c[(i * 4 + e) * 64 + lane] = acc[i][e];
		}
	}
}
