// A note that the compiler's output makes a warning counts as one everywhere: in the exit code, in
// every format, and as an error with --warnings-as-errors. --quiet prints no notes.
//
// By clang 21 this kernel spills too, and no rewrite betters it but by an FMA.
// REQUIRES: clang19
// RUN: printf 'phi-explosion: {margin-percent: 0}\n' > %t.yaml
// RUN: %exits 0 %unphi lint %s --config %t.yaml --target gfx942 -- -nogpuinc | %FileCheck %s --check-prefix NOTE
// NOTE: note: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 1 %unphi lint %s --config %t.yaml --target gfx942 --compiler %compiler --measure --format sarif --report %t.sarif -- -nogpuinc
// RUN: %FileCheck %s --check-prefix SARIF < %t.sarif
// SARIF: "ruleId": "unphi-phi-explosion"
// SARIF: "level": "warning"
// RUN: %exits 1 %unphi lint %s --config %t.yaml --target gfx942 --compiler %compiler --measure --warnings-as-errors -- -nogpuinc | %FileCheck %s --check-prefix ERROR
// ERROR: error: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 1 %unphi lint %s --config %t.yaml --target gfx942 --compiler %compiler --measure --quiet -- -nogpuinc | %FileCheck %s --check-prefix QUIET --implicit-check-not note:
// QUIET: warning: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 0 %unphi lint %s --config %t.yaml --target gfx942 --quiet -- -nogpuinc > %t.quiet && %not grep . %t.quiet

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
// By the estimate alone (margin 0) the arms share registers, of which there are enough; by the compiler they
// spill, and less when they are rewritten.
__global__ __attribute__((amdgpu_flat_work_group_size(1, 1024))) void gemm(
	float *out, const float *rows, const float *panel, int split, int steps)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	float acc[80];
	for (int i = 0; i < 80; ++i) {
		acc[i] = out[lane * 80 + i];
	}
	for (int t = 0; t < steps; ++t) {
		const float a = rows[t * 1024 + lane];
		const float *const step = panel + (t * 64 + lane % 64) * 80;
		if (t + lane < split) {
			for (int i = 0; i < 80; ++i) {
				acc[i] = a * step[i] + acc[i];
			}
		} else {
			for (int i = 0; i < 80; ++i) {
				acc[i] = -a * a * step[i] + acc[i] * 0.5f;
				acc[i] = a * step[i] + acc[i];
			}
		}
	}
	for (int i = 0; i < 80; ++i) {
		out[lane * 80 + i] = acc[i];
	}
}
