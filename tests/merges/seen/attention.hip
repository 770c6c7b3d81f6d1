// Flash attention: online softmax, matrix operations of 16x16x16, the tile on the diagonal is
// masked.
#include <hip/hip_runtime.h>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float floatx4 __attribute__((ext_vector_type(4)));

template <int DIM, int KEYS> struct Attention {
	floatx4 out[DIM / 16];
	float top;
	float sum;

	template <bool MASKED>
	__device__ __forceinline__ void tile(const half4 *q, const _Float16 *__restrict__ keys,
		const _Float16 *__restrict__ values, int first, int row, int lane, float scale)
	{
		floatx4 s[KEYS / 16];
#pragma unroll
		for (int n = 0; n < KEYS / 16; ++n) {
			s[n] = floatx4{0, 0, 0, 0};
#pragma unroll
			for (int d = 0; d < DIM / 16; ++d) {
				const half4 k =
					*(const half4 *)(keys + (first + n * 16 + lane % 16) * DIM +
							 d * 16 + lane / 16 * 4);
				s[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					k, q[d], s[n], 0, 0, 0);
			}
		}
		float best = top;
#pragma unroll
		for (int n = 0; n < KEYS / 16; ++n) {
#pragma unroll
			for (int r = 0; r < 4; ++r) {
				s[n][r] *= scale;
				if (MASKED && first + n * 16 + lane / 16 * 4 + r > row) {
					s[n][r] = -INFINITY;
				}
				best = fmaxf(best, s[n][r]);
			}
		}
		best = fmaxf(best, __shfl_xor(best, 16));
		best = fmaxf(best, __shfl_xor(best, 32));
		const float fade = exp2f(top - best);
		float more = 0;
		half4 p[KEYS / 16];
#pragma unroll
		for (int n = 0; n < KEYS / 16; ++n) {
#pragma unroll
			for (int r = 0; r < 4; ++r) {
				const float e = exp2f(s[n][r] - best);
				more += e;
				p[n][r] = (_Float16)e;
			}
		}
		sum = sum * fade + more;
		top = best;
#pragma unroll
		for (int d = 0; d < DIM / 16; ++d) {
			out[d] *= fade;
#pragma unroll
			for (int n = 0; n < KEYS / 16; ++n) {
				const half4 v =
					*(const half4 *)(values + (d * 16 + lane % 16) * 4096 +
							 first + n * 16 + lane / 16 * 4);
				out[d] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					v, p[n], out[d], 0, 0, 0);
			}
		}
	}
};

template <int DIM, int KEYS, int BOUND, int WAVES = 1>
__global__ void __launch_bounds__(BOUND, WAVES)
	attention(const half4 *__restrict__ queries, const _Float16 *__restrict__ keys,
		const _Float16 *__restrict__ values, float *__restrict__ o, float scale)
{
	const int lane = threadIdx.x & 63;
	const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x >> 6);
	const int block = (blockIdx.x * (BOUND / 64) + wave) * 16;
	half4 q[DIM / 16];
#pragma unroll
	for (int d = 0; d < DIM / 16; ++d) {
		q[d] = queries[((size_t)block * DIM / 4) + (lane % 16) * (DIM / 4) + d * 4 +
			       lane / 16];
	}
	Attention<DIM, KEYS> st = {};
	st.top = -INFINITY;
	for (int first = 0; first <= block + 15; first += KEYS) {
		if (first + KEYS <= block) {
			st.template tile<false>(
				q, keys, values, first, block + lane % 16, lane, scale);
		} else {
			st.template tile<true>(
				q, keys, values, first, block + lane % 16, lane, scale);
		}
	}
	st.sum += __shfl_xor(st.sum, 16);
	st.sum += __shfl_xor(st.sum, 32);
#pragma unroll
	for (int d = 0; d < DIM / 16; ++d) {
#pragma unroll
		for (int r = 0; r < 4; ++r) {
			o[((size_t)block + lane % 16) * DIM + d * 16 + lane / 16 * 4 + r] =
				st.out[d][r] / st.sum;
		}
	}
}

#define ATTENTION(...)                                                                             \
	template __global__ void attention<__VA_ARGS__>(                                           \
		const half4 *, const _Float16 *, const _Float16 *, float *, float);
ATTENTION(64, 16, 256)
ATTENTION(64, 32, 256)
ATTENTION(64, 64, 256)
ATTENTION(128, 16, 256)
ATTENTION(128, 32, 256)
ATTENTION(128, 32, 512)
ATTENTION(128, 64, 64)
ATTENTION(128, 32, 256, 2)
ATTENTION(256, 16, 256)
ATTENTION(256, 32, 512)
ATTENTION(64, 32, 1024)
