// A note that the compiler's output makes a warning counts as one everywhere: in the exit code, in
// every format, and as an error with --warnings-as-errors. --quiet prints no notes.
//
// REQUIRES: clang19
// RUN: %exits 0 %unphi lint %s --target gfx942 -- -nogpuinc | %FileCheck %s --check-prefix NOTE
// NOTE: note: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 1 %unphi lint %s --target gfx942 --compiler clang++-19 --measure --format sarif --report %t.sarif -- -nogpuinc
// RUN: %FileCheck %s --check-prefix SARIF < %t.sarif
// SARIF: "ruleId": "unphi-phi-explosion"
// SARIF: "level": "warning"
// RUN: %exits 1 %unphi lint %s --target gfx942 --compiler clang++-19 --measure --warnings-as-errors -- -nogpuinc | %FileCheck %s --check-prefix ERROR
// ERROR: error: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 1 %unphi lint %s --target gfx942 --compiler clang++-19 --measure --quiet -- -nogpuinc | %FileCheck %s --check-prefix QUIET --implicit-check-not note:
// QUIET: warning: 'acc' {{.*}} [unphi-phi-explosion]
// RUN: %exits 0 %unphi lint %s --target gfx942 --quiet -- -nogpuinc > %t.quiet && %not grep . %t.quiet

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct dim {
	unsigned x, y, z;
};
extern const __device__ dim threadIdx, blockIdx;
typedef float f32x4 __attribute__((ext_vector_type(4)));

__global__ __attribute__((amdgpu_flat_work_group_size(1, 256))) void gemm(
	float *out, const float *a, const float *b, int m, int k)
{
	const unsigned lane = __builtin_amdgcn_workitem_id_x();
	const int row = (int)(__builtin_amdgcn_workgroup_id_x() * 4 + (lane >> 6)) * 16;
	f32x4 acc[24] = {};
	for (int i = 0; i < k; i += 4) {
		if (row + 16 <= m) {
			const float x = a[row * k + i];
			for (int j = 0; j < 24; ++j) {
				acc[j] = __builtin_amdgcn_mfma_f32_16x16x4f32(x, b[i * 384 + j], acc[j], 0, 0, 0);
			}
		} else {
			const float x = row < m ? a[row * k + i] : 0;
			for (int j = 0; j < 24; ++j) {
				acc[j] = __builtin_amdgcn_mfma_f32_16x16x4f32(x, b[i * 384 + j], acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 24; ++j) {
		*(f32x4 *)(out + (row * 24 + j) * 256 + lane * 4) = acc[j];
	}
}
