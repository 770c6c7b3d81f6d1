// An array that a loop with a count known only at run time indexes lies in scratch memory, and crosses no merge in registers: a
// note. Loops whose headers have constants alone, also in odd forms, are unrolled: a warning.
//
// RUN: %exits 1 %unphi lint %s --target gfx942 -- %stub | %FileCheck %s
#include <hip/hip_runtime.h>
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

#define KERNEL(name, LOOP) \
__global__ __launch_bounds__(256) void name(const f16x4 *a, const f16x4 *b, f32x4 *out, int n, int m) \
{ \
	f32x4 acc[32] = {}; \
	const int lane = threadIdx.x & 63; \
	for (int t = 0; t < n; ++t) { \
		if (t < m) { \
			LOOP acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a[t * 64 + lane], b[i * 64 + lane], acc[i], 0, 0, 0); \
		} else { \
			LOOP acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(b[t * 64 + lane], a[i * 64 + lane], acc[i], 0, 0, 0); \
		} \
	} \
	for (int i = 0; i < 32; ++i) { out[i * 64 + lane] = acc[i]; } \
}

// CHECK: [[#@LINE+1]]:1: warning: 'acc' (f32x4[32], 128 VGPRs
KERNEL(down, for (int i = 31; i >= 0; --i))
// CHECK: [[#@LINE+1]]:1: warning: 'acc' (f32x4[32], 128 VGPRs
KERNEL(powers, for (int i = 1; i < 32; i <<= 1))
// CHECK: [[#@LINE+1]]:1: warning: 'acc' (f32x4[32], 128 VGPRs
KERNEL(bound, for (int i = 0, end = 32; i < end; i += 3))
// CHECK: [[#@LINE+1]]:1: warning: 'acc' (f32x4[32], 128 VGPRs
KERNEL(triangle, for (int j = 0; j < 8; ++j) for (int i = j * 4; i < j * 4 + 4 && i < 31; ++i))
// CHECK: [[#@LINE+1]]:1: note: 'acc' (f32x4[32], 128 VGPRs
KERNEL(runtime, for (int i = 0; i < (m & 31); ++i))
// CHECK: costs nothing as it is: the accumulator is indexed at run time in runtime
// CHECK: [[#@LINE+1]]:1: note: 'acc' (f32x4[32], 128 VGPRs
KERNEL(both, for (int i = 0; i < 32 && i < m; ++i))
// CHECK: costs nothing as it is: the accumulator is indexed at run time in both

__global__ void state(const float *k, const float *u, float *h, int size, int n, bool gated)
{
	float s[256];
	for (int d = 0; d < size; d++) { s[d] = 0; }
	for (int t = 0; t < n; t++) {
		// CHECK: [[#@LINE+1]]:3: note: 's' (float[256], 256 VGPRs
		if (gated) {
			for (int d = 0; d < size; d++) { s[d] *= u[t]; }
		} else {
			for (int d = 0; d < size; d++) { s[d] += k[d]; }
		}
		// CHECK: costs nothing as it is: the accumulator is indexed at run time in state
	}
	for (int d = 0; d < size; d++) { h[d] = s[d]; }
}
// CHECK-NOT: warning
