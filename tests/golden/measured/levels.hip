// A note that the compiler's output makes a warning counts as one everywhere: in the exit code, in
// every format, and as an error with --warnings-as-errors. --quiet prints no notes.
//
// REQUIRES: clang19
// RUN: printf 'phi-explosion: {margin-percent: 0}\n' > %t.yaml
// RUN: %exits 0 %unphi lint %s --config %t.yaml --target gfx942 -- -nogpuinc | %FileCheck %s --check-prefix NOTE
// NOTE: note: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 1 %unphi lint %s --config %t.yaml --target gfx942 --compiler clang++-19 --measure --format sarif --report %t.sarif -- -nogpuinc
// RUN: %FileCheck %s --check-prefix SARIF < %t.sarif
// SARIF: "ruleId": "unphi-phi-explosion"
// SARIF: "level": "warning"
// RUN: %exits 1 %unphi lint %s --config %t.yaml --target gfx942 --compiler clang++-19 --measure --warnings-as-errors -- -nogpuinc | %FileCheck %s --check-prefix ERROR
// ERROR: error: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 1 %unphi lint %s --config %t.yaml --target gfx942 --compiler clang++-19 --measure --quiet -- -nogpuinc | %FileCheck %s --check-prefix QUIET --implicit-check-not note:
// QUIET: warning: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 0 %unphi lint %s --config %t.yaml --target gfx942 --quiet -- -nogpuinc > %t.quiet && %not grep . %t.quiet

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

// By the estimate alone (margin 0) as many waves fit with a second copy of the accumulator; the compiler
// takes one wave more of them.
__global__ __attribute__((amdgpu_flat_work_group_size(1, 256))) void gemm(
	f32x4 *out, const f16x4 *rows, const f16x4 *panel, int split, int steps)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	f32x4 acc[4];
	for (int i = 0; i < 4; ++i) {
		acc[i] = out[lane * 4 + i];
	}
	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * 1024 + lane];
		const f16x4 *const step = panel + (t * 64 + lane % 64) * 4;
		if (t < split) {
			for (int i = 0; i < 4; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a, step[i], acc[i], 0, 0, 0);
			}
		} else {
			for (int i = 0; i < 4; ++i) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(-a * a, step[i], acc[i] * 0.5f, 0, 0, 0);
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a, step[i], acc[i], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 4; ++i) {
		out[lane * 4 + i] = acc[i];
	}
}
