// FlashAttention, forward, one head of 128 dimensions, f16 in and f32 out: tiles of 128 queries by
// 64 keys, as one wave for a whole tile and as four waves with 32 queries each, in the variants
// that "Accumulator Lifetime Reduction Strategies for AMD GPUs" names: online softmax (the
// baseline), query fragments loaded again at their use, smaller tiles, split-K with a kernel that
// merges, two phases (statistics first, then values), and both.
//
// "FlashAttention VGPR Case Study: BLOCK_M=128, BLOCK_N=64" reckons 300 to 330 VGPRs for the
// baseline: 256 for the output, 4 for the softmax state, 16 to 32 for the query, 20 to 40 for the
// rest. doc/lifetime.md has what compilers make of it.
//
// A matrix operation multiplies 32 x 8 by 8 x 32. Scores are made transposed: a lane holds tokens
// 8j + 4 (lane / 32) .. + 3 of its query, lane % 32, in registers 4j .. 4j + 3, which is the
// layout of the operand that the second product wants. V comes as [dimension][token].

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

#ifndef BLOCK_M
#define BLOCK_M 128 // queries of a work-group
#endif
#ifndef BLOCK_N
#define BLOCK_N 64 // keys of a step
#endif

constexpr int DIM = 128;
constexpr int STEPS = DIM / 8;	  // matrix operations to 32 x 32 scores
constexpr int D_BLOCKS = DIM / 32; // of the output
constexpr int T_BLOCKS = BLOCK_N / 32;

// An offset of 0 that the compiler cannot know, so that what is loaded through it is loaded where
// it stands, and not before the loop.
#if defined(__AMDGCN__)
#define OPAQUE_ZERO(x) asm volatile("s_mov_b32 %0, 0" : "=s"(x))
#else
#define OPAQUE_ZERO(x) ((x) = 0)
#endif


struct row_state {
	float top; // largest score so far, times log2(e)
	float sum; // of this half of the lanes
};

__device__ f32x16 mma(f16x4 a, f16x4 b, f32x16 c)
{
	return __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, c, 0, 0, 0);
}

__device__ f16x4 fragment(const _Float16 *at, int row, int stride, int step)
{
	const int lane = threadIdx.x % 64;
	return *(const f16x4 *)(at + (size_t)(row + lane % 32) * stride + step * 8 + lane / 32 * 4);
}

template <int ROWS> __device__ int first_row()
{
	return blockIdx.x * BLOCK_M + threadIdx.x / 64 * ROWS;
}

template <int ROWS>
__device__ void load_query(f16x4 (&q)[ROWS / 32][STEPS], const _Float16 *__restrict__ from, int row)
{
	for (int r = 0; r < ROWS / 32; ++r) {
		for (int i = 0; i < STEPS; ++i) {
			q[r][i] = fragment(from, row + r * 32, DIM, i);
		}
	}
}

template <int ROWS> __device__ void clear(f32x16 (&acc)[ROWS / 32][D_BLOCKS])
{
	for (int r = 0; r < ROWS / 32; ++r) {
		for (int d = 0; d < D_BLOCKS; ++d) {
			for (int e = 0; e < 16; ++e) {
				acc[r][d][e] = 0;
			}
		}
	}
}

// Scores of 32 queries and BLOCK_N keys, scaled.
__device__ void scores(f32x16 (&s)[T_BLOCKS], const _Float16 *__restrict__ k,
	const f16x4 (&q)[STEPS], int key, float scale)
{
	for (int t = 0; t < T_BLOCKS; ++t) {
		s[t] = f32x16{};
		for (int i = 0; i < STEPS; ++i) {
			s[t] = mma(fragment(k, key + t * 32, DIM, i), q[i], s[t]);
		}
		s[t] *= scale;
	}
}

__device__ float row_max(const f32x16 (&s)[T_BLOCKS])
{
	float top = s[0][0];
	for (int t = 0; t < T_BLOCKS; ++t) {
		for (int e = 0; e < 16; ++e) {
			top = fmaxf(top, s[t][e]);
		}
	}
	return fmaxf(top, __shfl_xor(top, 32));
}

// Scores become weights, under the maximum that is given; returns their sum.
__device__ float weights(f32x16 (&s)[T_BLOCKS], float top)
{
	float sum = 0;
	for (int t = 0; t < T_BLOCKS; ++t) {
		for (int e = 0; e < 16; ++e) {
			s[t][e] = exp2f(s[t][e] - top);
			sum += s[t][e];
		}
	}
	return sum;
}

// acc += V^T * weights
__device__ void values(f32x16 (&acc)[D_BLOCKS], const _Float16 *__restrict__ v,
	const f32x16 (&s)[T_BLOCKS], int key, int keys)
{
	for (int t = 0; t < T_BLOCKS; ++t) {
		for (int j = 0; j < 4; ++j) {
			const f16x4 p = {(_Float16)s[t][j * 4], (_Float16)s[t][j * 4 + 1],
				(_Float16)s[t][j * 4 + 2], (_Float16)s[t][j * 4 + 3]};
			for (int d = 0; d < D_BLOCKS; ++d) {
				const f16x4 x = fragment(v + key + t * 32, d * 32, keys, j);
				acc[d] = mma(x, p, acc[d]);
			}
		}
	}
}

// One step of the online softmax: 32 queries.
__device__ void online_step(f32x16 (&acc)[D_BLOCKS], row_state &state, const f16x4 (&q)[STEPS],
	const _Float16 *__restrict__ k, const _Float16 *__restrict__ v, int key, int keys,
	float scale)
{
	f32x16 s[T_BLOCKS];
	scores(s, k, q, key, scale);
	const float top = fmaxf(state.top, row_max(s));
	const float shrink = exp2f(state.top - top);
	state.sum = state.sum * shrink + weights(s, top);
	state.top = top;
	for (int d = 0; d < D_BLOCKS; ++d) {
		acc[d] *= shrink;
	}
	values(acc, v, s, key, keys);
}

template <int ROWS>
__device__ void store(float *__restrict__ out, const f32x16 (&acc)[ROWS / 32][D_BLOCKS],
	const float (&factor)[ROWS / 32], int row)
{
	const int lane = threadIdx.x % 64;
	for (int r = 0; r < ROWS / 32; ++r) {
		float *at = out + (size_t)(row + r * 32 + lane % 32) * DIM + lane / 32 * 4;
		for (int d = 0; d < D_BLOCKS; ++d) {
			for (int j = 0; j < 4; ++j) {
				*(f32x4 *)(at + d * 32 + j * 8) =
					f32x4{acc[r][d][j * 4], acc[r][d][j * 4 + 1],
						acc[r][d][j * 4 + 2], acc[r][d][j * 4 + 3]} *
					factor[r];
			}
		}
	}
}

// Keys [first, last); Reload: the query's fragments are loaded at every step.
template <int ROWS, bool Reload>
__device__ void online(f32x16 (&acc)[ROWS / 32][D_BLOCKS], row_state (&state)[ROWS / 32],
	const _Float16 *__restrict__ queries, const _Float16 *__restrict__ k,
	const _Float16 *__restrict__ v, int first, int last, int keys, float scale)
{
	const int row = first_row<ROWS>();
	clear<ROWS>(acc);
	for (int r = 0; r < ROWS / 32; ++r) {
		state[r].top = -INFINITY;
		state[r].sum = 0;
	}
	if constexpr (Reload) {
		for (int key = first; key < last; key += BLOCK_N) {
			for (int r = 0; r < ROWS / 32; ++r) {
				int zero;
				OPAQUE_ZERO(zero);
				f16x4 q[STEPS];
				for (int i = 0; i < STEPS; ++i) {
					q[i] = fragment(queries + zero, row + r * 32, DIM, i);
				}
				online_step(acc[r], state[r], q, k, v, key, keys, scale);
			}
		}
	} else {
		f16x4 q[ROWS / 32][STEPS];
		load_query<ROWS>(q, queries, row);
		for (int key = first; key < last; key += BLOCK_N) {
			for (int r = 0; r < ROWS / 32; ++r) {
				online_step(acc[r], state[r], q[r], k, v, key, keys, scale);
			}
		}
	}
}

template <int ROWS, bool Reload>
__device__ void attend(const _Float16 *__restrict__ q, const _Float16 *__restrict__ k,
	const _Float16 *__restrict__ v, float *__restrict__ out, int keys, float scale)
{
	f32x16 acc[ROWS / 32][D_BLOCKS];
	row_state state[ROWS / 32];
	float factor[ROWS / 32];

	online<ROWS, Reload>(acc, state, q, k, v, 0, keys, keys, scale);
	for (int r = 0; r < ROWS / 32; ++r) {
		factor[r] = 1 / (state[r].sum + __shfl_xor(state[r].sum, 32));
	}
	store<ROWS>(out, acc, factor, first_row<ROWS>());
}

// A part of the keys for each blockIdx.y: the output as it is, and maximum and sum beside it.
template <int ROWS>
__device__ void attend_part(const _Float16 *__restrict__ q, const _Float16 *__restrict__ k,
	const _Float16 *__restrict__ v, float *__restrict__ part, float2 *__restrict__ stats,
	int rows, int keys, float scale)
{
	const int each = keys / gridDim.y;
	f32x16 acc[ROWS / 32][D_BLOCKS];
	row_state state[ROWS / 32];
	float factor[ROWS / 32];
	const int row = blockIdx.y * rows + first_row<ROWS>();

	online<ROWS, false>(
		acc, state, q, k, v, blockIdx.y * each, (blockIdx.y + 1) * each, keys, scale);
	for (int r = 0; r < ROWS / 32; ++r) {
		const float sum = state[r].sum + __shfl_xor(state[r].sum, 32);
		factor[r] = 1;
		if (threadIdx.x % 64 < 32) {
			stats[row + r * 32 + threadIdx.x % 32] = float2{state[r].top, sum};
		}
	}
	store<ROWS>(part, acc, factor, row);
}

// First phase: maximum and sum of each query, without V.
template <int ROWS>
__device__ void statistics(const _Float16 *__restrict__ queries, const _Float16 *__restrict__ k,
	float2 *__restrict__ stats, int keys, float scale)
{
	f16x4 q[ROWS / 32][STEPS];
	row_state state[ROWS / 32];
	const int row = first_row<ROWS>();

	load_query<ROWS>(q, queries, row);
	for (int r = 0; r < ROWS / 32; ++r) {
		state[r].top = -INFINITY;
		state[r].sum = 0;
	}
	for (int key = 0; key < keys; key += BLOCK_N) {
		for (int r = 0; r < ROWS / 32; ++r) {
			f32x16 s[T_BLOCKS];
			scores(s, k, q[r], key, scale);
			const float top = fmaxf(state[r].top, row_max(s));
			state[r].sum = state[r].sum * exp2f(state[r].top - top) + weights(s, top);
			state[r].top = top;
		}
	}
	for (int r = 0; r < ROWS / 32; ++r) {
		const float sum = state[r].sum + __shfl_xor(state[r].sum, 32);
		if (threadIdx.x % 64 < 32) {
			stats[row + r * 32 + threadIdx.x % 32] = float2{state[r].top, sum};
		}
	}
}

// Second phase: weights under the final maximum and sum; nothing is rescaled. With blockIdx.y as in
// attend_part, but parts only have to be added up.
template <int ROWS>
__device__ void accumulate(const _Float16 *__restrict__ queries, const _Float16 *__restrict__ k,
	const _Float16 *__restrict__ v, const float2 *__restrict__ stats, float *__restrict__ out,
	int rows, int keys, float scale)
{
	const int each = keys / gridDim.y;
	const int row = first_row<ROWS>();
	f32x16 acc[ROWS / 32][D_BLOCKS];
	f16x4 q[ROWS / 32][STEPS];
	float top[ROWS / 32];
	float factor[ROWS / 32];

	clear<ROWS>(acc);
	load_query<ROWS>(q, queries, row);
	for (int r = 0; r < ROWS / 32; ++r) {
		const float2 of = stats[row + r * 32 + threadIdx.x % 32];
		top[r] = of.x;
		factor[r] = 1 / of.y;
	}
	for (int key = blockIdx.y * each; key < (int)(blockIdx.y + 1) * each; key += BLOCK_N) {
		for (int r = 0; r < ROWS / 32; ++r) {
			f32x16 s[T_BLOCKS];
			scores(s, k, q[r], key, scale);
			weights(s, top[r]);
			values(acc[r], v, s, key, keys);
		}
	}
	store<ROWS>(out, acc, factor, blockIdx.y * rows + row);
}

#define ARGUMENTS                                                                                  \
	const _Float16 *__restrict__ q, const _Float16 *__restrict__ k,                            \
		const _Float16 *__restrict__ v

// One wave for BLOCK_M queries.

__global__ void __launch_bounds__(64)
	flash_online(ARGUMENTS, float *__restrict__ out, int keys, float scale)
{
	attend<BLOCK_M, false>(q, k, v, out, keys, scale);
}

__global__ void __launch_bounds__(64)
	flash_reload(ARGUMENTS, float *__restrict__ out, int keys, float scale)
{
	attend<BLOCK_M, true>(q, k, v, out, keys, scale);
}

__global__ void __launch_bounds__(64) flash_part(ARGUMENTS, float *__restrict__ part,
	float2 *__restrict__ stats, int rows, int keys, float scale)
{
	attend_part<BLOCK_M>(q, k, v, part, stats, rows, keys, scale);
}

__global__ void __launch_bounds__(64) flash_statistics(const _Float16 *__restrict__ q,
	const _Float16 *__restrict__ k, float2 *__restrict__ stats, int keys, float scale)
{
	statistics<BLOCK_M>(q, k, stats, keys, scale);
}

__global__ void __launch_bounds__(64) flash_values(ARGUMENTS, const float2 *__restrict__ stats,
	float *__restrict__ out, int rows, int keys, float scale)
{
	accumulate<BLOCK_M>(q, k, v, stats, out, rows, keys, scale);
}

// Four waves, a quarter of the queries each.
#if BLOCK_M >= 128

__global__ void __launch_bounds__(256)
	flash_online_4(ARGUMENTS, float *__restrict__ out, int keys, float scale)
{
	attend<BLOCK_M / 4, false>(q, k, v, out, keys, scale);
}

__global__ void __launch_bounds__(256)
	flash_reload_4(ARGUMENTS, float *__restrict__ out, int keys, float scale)
{
	attend<BLOCK_M / 4, true>(q, k, v, out, keys, scale);
}

__global__ void __launch_bounds__(256) flash_part_4(ARGUMENTS, float *__restrict__ part,
	float2 *__restrict__ stats, int rows, int keys, float scale)
{
	attend_part<BLOCK_M / 4>(q, k, v, part, stats, rows, keys, scale);
}

__global__ void __launch_bounds__(256) flash_statistics_4(const _Float16 *__restrict__ q,
	const _Float16 *__restrict__ k, float2 *__restrict__ stats, int keys, float scale)
{
	statistics<BLOCK_M / 4>(q, k, stats, keys, scale);
}

__global__ void __launch_bounds__(256) flash_values_4(ARGUMENTS, const float2 *__restrict__ stats,
	float *__restrict__ out, int rows, int keys, float scale)
{
	accumulate<BLOCK_M / 4>(q, k, v, stats, out, rows, keys, scale);
}

#endif

// What parts of the keys gave, put together: a thread for four dimensions of a query.

__global__ void __launch_bounds__(256) flash_merge(const f32x4 *__restrict__ part,
	const float2 *__restrict__ stats, f32x4 *__restrict__ out, int rows, int parts)
{
	const int at = blockIdx.x * 256 + threadIdx.x;
	const int row = at / (DIM / 4);
	float top = -INFINITY;

	if (row >= rows) {
		return;
	}
	for (int p = 0; p < parts; ++p) {
		top = fmaxf(top, stats[p * rows + row].x);
	}
	f32x4 acc = {0, 0, 0, 0};
	float sum = 0;
	for (int p = 0; p < parts; ++p) {
		const float2 of = stats[p * rows + row];
		const float shrink = exp2f(of.x - top);
		sum += of.y * shrink;
		acc += part[(size_t)p * rows * (DIM / 4) + at] * shrink;
	}
	out[at] = acc * (1 / sum);
}

__global__ void __launch_bounds__(256)
	flash_sum(const f32x4 *__restrict__ part, f32x4 *__restrict__ out, int rows, int parts)
{
	const int at = blockIdx.x * 256 + threadIdx.x;

	if (at / (DIM / 4) >= rows) {
		return;
	}
	f32x4 acc = {0, 0, 0, 0};
	for (int p = 0; p < parts; ++p) {
		acc += part[(size_t)p * rows * (DIM / 4) + at];
	}
	out[at] = acc;
}
