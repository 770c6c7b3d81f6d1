// Advice on accumulators that live through a loop. Notes: never exit code 1.
// RUN: %unphi lint --verbose %s --target gfx90a > %t
// RUN: %FileCheck %s < %t
// RUN: %unphi lint --verbose %s --target gfx90a --checks '-unphi-accumulator-lifetime' \
// RUN:   | %not grep accumulator-lifetime
#include <hip/hip_runtime.h>
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
constexpr int HEAD_TILES = 16, QUERY_STEPS = 16;
__device__ f32x4 mma(f16x4 a, f16x4 b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}

// CHECK: lifetime.hip:[[@LINE+8]]:8: note: 'acc' (f32x4[16], 64 VGPRs per lane) lives through a loop and is rescaled in it, as an online softmax does: attend peaks at about {{[0-9]+}} VGPRs in line {{[0-9]+}}, {{[0-9]}} waves per SIMD [unphi-accumulator-lifetime]
// CHECK: note: the next step of occupancy on gfx90a: -{{[0-9]+}} VGPRs, {{[0-9]}} waves
// CHECK: note: smaller tiles: with half of 'acc' about {{[0-9]+}} VGPRs, {{[0-9]}} waves per SIMD; its extents depend on HEAD_TILES; more tiles load more
// CHECK: lifetime.hip:[[@LINE+6]]:8: note: load 'q' where it is used: such fragments take 32 VGPRs through a loop that only reads them; without them about {{[0-9]+}} VGPRs
// CHECK: note: two phases, first statistics, then values: frees 'top' and other state (2 VGPRs in all)
// CHECK: note: split-K: more work-groups, each with the same accumulator
__global__ void __launch_bounds__(256) attend(const f16x4 *queries, const f16x4 *keys, f32x4 *out, int n)
{
	f32x4 acc[HEAD_TILES];
	f16x4 q[QUERY_STEPS];
	float top = -1e30f, sum = 0;
	for (int i = 0; i < HEAD_TILES; ++i) acc[i] = f32x4{0, 0, 0, 0};
	for (int i = 0; i < QUERY_STEPS; ++i) q[i] = queries[i * 64 + threadIdx.x];
	for (int t = 0; t < n; ++t) {
		f32x4 s = {0, 0, 0, 0};
		for (int i = 0; i < QUERY_STEPS; ++i) s = mma(keys[(t * 16 + i) * 64 + threadIdx.x], q[i], s);
		const float now = fmaxf(top, s.x);
		const float shrink = __expf(top - now);
		sum = sum * shrink + __expf(s.x - now);
		top = now;
		const f16x4 p = {(_Float16)s.x, (_Float16)s.y, (_Float16)s.z, (_Float16)s.w};
		for (int i = 0; i < HEAD_TILES; ++i) acc[i] = mma(keys[i * 64 + threadIdx.x], p, acc[i] * shrink);
	}
	for (int i = 0; i < HEAD_TILES; ++i) out[i * 64 + threadIdx.x] = acc[i] * (1 / sum);
}

// No loop carries this one, and nothing rescales the next.
// CHECK-NOT: once
__global__ void __launch_bounds__(256) once(const f16x4 *a, f32x4 *out)
{
	f32x4 acc[16];
	for (int i = 0; i < 16; ++i) acc[i] = mma(a[i * 64 + threadIdx.x], a[threadIdx.x], out[i * 64 + threadIdx.x]);
	for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = acc[i];
}

// CHECK-NOT: product
__global__ void __launch_bounds__(256) product(const f16x4 *a, f32x4 *out, int n)
{
	f32x4 acc[16];
	for (int i = 0; i < 16; ++i) acc[i] = f32x4{0, 0, 0, 0};
	for (int t = 0; t < n; ++t) {
		for (int i = 0; i < 16; ++i) acc[i] = mma(a[(t * 16 + i) * 64 + threadIdx.x], a[threadIdx.x], acc[i]);
	}
	for (int i = 0; i < 16; ++i) out[i * 64 + threadIdx.x] = acc[i];
}
