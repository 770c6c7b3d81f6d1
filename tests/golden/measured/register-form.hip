// Results of matrix operations in two kinds of registers: by the source, by the compiler, and the second launch bound.
// REQUIRES: compiler, clang-before-22
// RUN: %unphi lint %s --target gfx942 --compiler %compiler --checks=-*,unphi-register-form --verbose > %t.txt
// RUN: grep -c 'note: .*unphi-register-form\]' %t.txt | grep -qx 4 && %FileCheck %s < %t.txt
// CHECK: 'skips' is bound to 256 threads a block: the compiler keeps 'acc' (f32x16[8], 128 VGPRs) twice, in accumulation VGPRs for its matrix operations and in others: registers for about 1 in place of 3 waves per SIMD; try __launch_bounds__(256, 2) (gfx942) [unphi-register-form]
// CHECK: note: it crosses the end of this if
// CHECK: 'scales' is bound to 64 threads a block
// CHECK: note: it is computed by other instructions here
// CHECK: 'passes' is bound to 256
// CHECK: 'chosen<1>' is bound to 256
// RUN: %unphi lint %s --target gfx908,gfx1100 --compiler %compiler --checks=-*,unphi-register-form -- -DNOTHING | cmp - /dev/null
//
// --measure has what the bound gains, and it as an edit; where that is in, there is nothing more to say. (All of one
// file, whose compiles the cache then has.)
// RUN: cp %s %t.k.hip && %exits 1 %unphi lint %t.k.hip --target gfx942 --compiler %compiler --checks=-*,unphi-register-form --measure --verbose > %t.txt
// RUN: grep -c 'warning: .*unphi-register-form\]' %t.txt | grep -qx 5 && %FileCheck %s --check-prefix MEASURED < %t.txt
// MEASURED: 'skips' {{copies results of matrix operations between two kinds of registers: [1-9][0-9]+ v_accvgpr instructions in its loops|has results of matrix operations in accumulation VGPRs, and .*}}. With __launch_bounds__(256, 2): VGPRs 2{{[0-9]+}} -> 1{{[0-9]+}}, waves/SIMD 1 -> 3{{(, v_accvgpr in loops [1-9][0-9]+ -> 0)?}} (gfx942)
// MEASURED: 'scales' {{.*}} With __launch_bounds__(64, 2): {{.*}} waves/SIMD 1 -> 3
// MEASURED: 'passes' {{.*}} waves/SIMD 1 -> 3
// MEASURED: 'chosen<1>' {{.*}} With __launch_bounds__(256, 2) of BOUNDED: {{.*}} waves/SIMD 1 -> 3
// MEASURED: 'only_multiplies' has results of matrix operations in accumulation VGPRs, and computes with copies of them in the others. With __launch_bounds__(256, 2): {{.*}} waves/SIMD 1 -> 2
// RUN: %unphi lint %t.k.hip --target gfx942 --compiler %compiler --checks=-*,unphi-register-form --measure --fix
// RUN: grep -q '^__global__ void __launch_bounds__(256, 2) skips' %t.k.hip && grep -q '^__global__ void __launch_bounds__(256) arms' %t.k.hip && grep -q '^#define BOUNDED __launch_bounds__(256, 2)' %t.k.hip
// RUN: %unphi lint %t.k.hip --target gfx942 --compiler %compiler --checks=-*,unphi-register-form --measure | cmp - /dev/null
#ifndef NOTHING
#include <hip/hip_runtime.h>
#define BOUNDED __launch_bounds__(256)
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
struct given {
	const f16x4 *a, *b;
	const int *mask;
	float *out;
	int n;
};

template <int N> __device__ inline void multiply(f32x16 (&acc)[N], const f16x4 *a, const f16x4 *b, int t)
{
	for (int k = 0; k < 4; k++) {
		const f16x4 x = a[(t * 4 + k) * 64 + threadIdx.x % 64];
#pragma unroll
		for (int i = 0; i < N; i++) {
			const f16x4 y = b[((t * 4 + k) * N + i) * 64 + threadIdx.x % 64];
			acc[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[i], 0, 0, 0);
		}
	}
}
template <int N> __device__ inline void scale(f32x16 (&acc)[N], float by)
{
#pragma unroll
	for (int i = 0; i < N; i++) acc[i] *= by;
}
template <int N> __device__ inline void store(const f32x16 (&acc)[N], float *out)
{
#pragma unroll
	for (int i = 0; i < N; i++) {
#pragma unroll
		for (int j = 0; j < 16; j++) out[((blockIdx.x * N + i) * 16 + j) * 64 + threadIdx.x % 64] = acc[i][j];
	}
}
__global__ void __launch_bounds__(256) skips(given g)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < g.n; t++) {
		if (g.mask[t]) {
			multiply(acc, g.a, g.b, t);
		}
	}
	store(acc, g.out);
}
__global__ void __launch_bounds__(64) scales(given g)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < g.n; t++) {
		multiply(acc, g.a, g.b, t);
		scale(acc, g.out[t]);
	}
	store(acc, g.out);
}
__global__ void __launch_bounds__(256) passes(given g)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < g.n; t++) {
		if (g.mask[t] == 0) continue;
		multiply(acc, g.a, g.b, t);
	}
	store(acc, g.out);
}
template <int SKIPS> __device__ inline bool has_work(const int *mask, int t)
{
	if (SKIPS == 0) return true;
	return mask[t] != 0;
}
template <int SKIPS> __global__ void BOUNDED chosen(given g)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < g.n; t++) {
		if (has_work<SKIPS>(g.mask, t)) {
			multiply(acc, g.a, g.b, t);
		}
	}
	store(acc, g.out);
}
template __global__ void chosen<0>(given);
template __global__ void chosen<1>(given);

// only the compiler tells of copies after the loop
__global__ void __launch_bounds__(256) only_multiplies(given g)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < g.n; t++) multiply(acc, g.a, g.b, t);
	scale(acc, g.out[0]);
	store(acc, g.out);
}
// quiet: large blocks, the second bound; no matrix operations
__global__ void __launch_bounds__(512) large(given g)
{
	f32x16 acc[6] = {};
	for (int t = 0; t < g.n; t++) {
		if (g.mask[t]) multiply(acc, g.a, g.b, t);
	}
	store(acc, g.out);
}
__global__ void __launch_bounds__(256, 2) asks(given g)
{
	f32x16 acc[8] = {};
	for (int t = 0; t < g.n; t++) {
		if (g.mask[t]) multiply(acc, g.a, g.b, t);
	}
	store(acc, g.out);
}
__global__ void __launch_bounds__(256) adds(given g)
{
	f32x16 acc[4] = {};
	for (int t = 0; t < g.n; t++) {
		if (g.mask[t]) {
#pragma unroll
			for (int i = 0; i < 4; i++) acc[i] += g.out[t + i];
		}
	}
	store(acc, g.out);
}
// needs more than 256 registers in any form: the second bound would make it spill
__global__ void __launch_bounds__(256) arms(given g)
{
	f32x16 acc[12] = {};
	for (int t = 0; t < g.n; t++) {
		if (g.mask[t]) {
			multiply(acc, g.a, g.b, t);
		} else {
			multiply(acc, g.b, g.a, t + 1);
		}
	}
	store(acc, g.out);
}
#endif
