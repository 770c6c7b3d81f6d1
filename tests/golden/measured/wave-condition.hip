// An if on the wave's number around matrix operations, which clang 19 takes for one of lanes. An edit where launches show
// that blocks have one dimension; none in macros, for the host's functions, and where lanes may differ.
// REQUIRES: clang19
// RUN: %exits 1 %unphi lint %s --target gfx942 --compiler clang++-19 --checks=-*,unphi-wave-condition --measure --verbose > %t.txt
// RUN: grep -c 'unphi-wave-condition\]' %t.txt | grep -qx 3 && grep 'unphi-wave-condition\]' %t.txt | %FileCheck %s
// CHECK: warning: 'threadIdx.x / WAVE' is the same for all lanes of a wave, and the compiler does not know: the if in line {{[0-9]+}} round matrix operations is one of lanes for it. With __builtin_amdgcn_readfirstlane: helper: VGPRs 2{{[0-9]+}} -> 1{{[0-9]+}}, waves/SIMD 2 -> 3 (gfx942)
// CHECK-NEXT: warning: 'threadIdx.x < 128' is the same {{.*}} compares: VGPRs {{.*}} waves/SIMD 2 -> 3
// CHECK-NEXT: warning: if blocks have one dimension, 'threadIdx.x >> 6' is the same {{.*}} unlaunched: {{.*}} waves/SIMD 2 -> 3
// RUN: cp %s %t.k.hip && %not %unphi lint %t.k.hip --target gfx942 --compiler clang++-19 --checks=-*,unphi-wave-condition --measure --fix > %t.txt
// RUN: grep -q 'return (unsigned int)__builtin_amdgcn_readfirstlane(threadIdx.x / WAVE);' %t.k.hip && grep -q 'if ((bool)__builtin_amdgcn_readfirstlane(threadIdx.x < 128))' %t.k.hip
// RUN: grep -v '^//' %t.k.hip | grep -c readfirstlane | grep -qx 2
#include <hip/hip_runtime.h>
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
struct given {
	const f16x4 *a, *b;
	float *out;
	int n;
};
__device__ inline void multiply(f32x16 (&acc)[4], const f16x4 *a, const f16x4 *b, int t)
{
#pragma unroll
	for (int i = 0; i < 4; i++) {
		const f16x4 x = a[t * 64 + threadIdx.x % 64], y = b[(t * 4 + i) * 64 + threadIdx.x % 64];
		acc[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[i], 0, 0, 0);
	}
}
__device__ inline void store(const f32x16 (&acc)[4], float *out)
{
#pragma unroll
	for (int i = 0; i < 4; i++) {
#pragma unroll
		for (int j = 0; j < 16; j++) out[(i * 16 + j) * 256 + threadIdx.x] = acc[i][j];
	}
}
#define WAVE_OF(t) ((t) / 64)
template <int WAVE> __device__ unsigned wave_of() { return threadIdx.x / WAVE; }
__host__ __device__ inline int group_of(int t) { return t / 64; }
#define KERNEL(NAME, BEFORE, IF) \
	__global__ void __launch_bounds__(256) NAME(given g) \
	{ \
		f32x16 acc[4] = {}; \
		BEFORE; \
		for (int t = 0; t < g.n; t++) { \
			IF multiply(acc, g.a, g.b, t); else multiply(acc, g.b, g.a, t); \
		} \
		store(acc, g.out); \
	}
KERNEL(helper, , if (wave_of<64>() < 2))
__global__ void __launch_bounds__(256) compares(given g)
{
	f32x16 acc[4] = {};
	for (int t = 0; t < g.n; t++) {
		if (threadIdx.x < 128) {
			multiply(acc, g.a, g.b, t);
		} else {
			multiply(acc, g.b, g.a, t);
		}
	}
	store(acc, g.out);
}
__global__ void __launch_bounds__(256) unlaunched(given g)
{
	f32x16 acc[4] = {};
	const int wave = threadIdx.x >> 6;
	for (int t = 0; t < g.n; t++) {
		if (t % 4 == wave) {
			multiply(acc, g.a, g.b, t);
		} else {
			multiply(acc, g.b, g.a, t);
		}
	}
	store(acc, g.out);
}
// quiet: of a macro's text, the host's as well, of rows, of lanes, halves of waves, and said already
KERNEL(by_macro, const int w = WAVE_OF(threadIdx.x), if (w < 2))
KERNEL(of_host, const int w = group_of(threadIdx.x), if (w < 2))
__global__ void __launch_bounds__(256) rows(given g)
{
	f32x16 acc[4] = {};
	const int wave = threadIdx.x / 64;
	for (int t = 0; t < g.n; t++) {
		if (wave < 1) {
			multiply(acc, g.a, g.b, t);
		} else {
			multiply(acc, g.b, g.a, t);
		}
	}
	store(acc, g.out);
}
__global__ void __launch_bounds__(256) halves(given g)
{
	f32x16 acc[4] = {};
	for (int t = 0; t < g.n; t++) {
		if (threadIdx.x / 32 < 3) {
			multiply(acc, g.a, g.b, t);
		} else {
			multiply(acc, g.b, g.a, t);
		}
	}
	store(acc, g.out);
}
KERNEL(lanes, const int lane = threadIdx.x % 64, if (lane < 32))
void launch(given g, int n)
{
	helper<<<n, 256>>>(g);
	compares<<<n, 256>>>(g);
	rows<<<n, dim3(32, 8)>>>(g);
	halves<<<n, 256>>>(g);
}
