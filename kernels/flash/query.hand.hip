// query.hip by hand: each step loads the query fragments again, and none is kept through the loop.
// The offset of 0 is one that the compiler does not know: it would move the loads out again.
// Whether the loop over the fragments is best unrolled, as an array makes it, depends on the
// target and the compiler: doc/lifetime.md.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int QUERIES = 128; // of a work-group, 32 to a wave
constexpr int TOKENS = 32;   // of a step
constexpr int DIM = 576;     // of queries and keys
constexpr int VALUES = 64;   // dimensions of the output that a work-group makes
constexpr int STEPS = DIM / 8;
constexpr int BLOCKS = VALUES / 32;
__device__ f32x16 mma(f16x4 a, f16x4 b, f32x16 c)
{
	return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
}

__device__ f16x4 fragment(const _Float16 *at, int row, int stride, int step)
{
	const int lane = threadIdx.x % 64;
	return *(const f16x4 *)(at + (size_t)(row + lane % 32) * stride + step * 8 + lane / 32 * 4);
}

__global__ void __launch_bounds__(256) flash_query(const _Float16 *__restrict__ queries,
	const _Float16 *__restrict__ keys, const _Float16 *__restrict__ values,
	float *__restrict__ out, int tokens, float scale)
{
	const int lane = threadIdx.x % 64;
	const int row = blockIdx.x * QUERIES + threadIdx.x / 64 * 32;
	const int slice = blockIdx.y * VALUES;
	f32x16 acc[BLOCKS];
	float top = -INFINITY;
	float sum = 0;
	for (int d = 0; d < BLOCKS; ++d) {
		acc[d] = f32x16{};
	}
	for (int token = 0; token < tokens; token += TOKENS) {
		int none = 0;
#if defined(__AMDGCN__)
		asm volatile("" : "+s"(none));
#endif
		f32x16 s = {};
#if !defined(__gfx942__) || __clang_major__ > 21
#pragma unroll
#endif
		for (int i = 0; i < STEPS; ++i) {
			s = mma(fragment(keys, token, DIM, i),
				fragment(queries + none, row, DIM, i), s);
		}
		s *= scale;
		float now = top;
		for (int e = 0; e < 16; ++e) {
			now = fmaxf(now, s[e]);
		}
		now = fmaxf(now, __shfl_xor(now, 32));
		const float shrink = exp2f(top - now);
		top = now;
		sum *= shrink;
		for (int e = 0; e < 16; ++e) {
			s[e] = exp2f(s[e] - now);
			sum += s[e];
		}
		for (int d = 0; d < BLOCKS; ++d) {
			acc[d] *= shrink;
		}
		for (int j = 0; j < 4; ++j) {
			const f16x4 p = {(_Float16)s[j * 4], (_Float16)s[j * 4 + 1],
				(_Float16)s[j * 4 + 2], (_Float16)s[j * 4 + 3]};
			for (int d = 0; d < BLOCKS; ++d) {
				const f16x4 v = fragment(values + token, slice + d * 32, tokens, j);
				acc[d] = mma(v, p, acc[d]);
			}
		}
	}
	const float factor = 1 / (sum + __shfl_xor(sum, 32));
	const int width = gridDim.y * VALUES;
	float *at = out + (size_t)(row + lane % 32) * width + slice + lane / 32 * 4;
	for (int d = 0; d < BLOCKS; ++d) {
		for (int j = 0; j < 4; ++j) {
			*(f32x4 *)(at + d * 32 + j * 8) = f32x4{acc[d][j * 4], acc[d][j * 4 + 1],
				acc[d][j * 4 + 2], acc[d][j * 4 + 3]} * factor;
		}
	}
}
