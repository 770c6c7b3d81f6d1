// Grouped GEMM of 16x16x16 straight from memory: an else-if chain over the group's kind.
#include <hip/hip_runtime.h>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float floatx4 __attribute__((ext_vector_type(4)));

template <int TM, int TN, int HOW>
__device__ __forceinline__ void step(floatx4 (&acc)[TM][TN], const half4 *__restrict__ a,
	const half4 *__restrict__ b, _Float16 s)
{
	half4 x[TM], y[TN];
#pragma unroll
	for (int i = 0; i < TM; ++i) {
		x[i] = a[i * 64];
		x[i] = HOW == 1 ? x[i] * s : HOW == 2 ? x[i] + s : x[i];
	}
#pragma unroll
	for (int j = 0; j < TN; ++j) {
		y[j] = b[j * 64];
	}
#pragma unroll
	for (int i = 0; i < TM; ++i) {
#pragma unroll
		for (int j = 0; j < TN; ++j) {
			acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
				x[i], y[j], acc[i][j], 0, 0, 0);
		}
	}
}

template <int TM, int TN, int BOUND, int ARMS>
__global__ void __launch_bounds__(BOUND)
	grouped(const half4 *__restrict__ a, const half4 *__restrict__ b, float *__restrict__ c,
		const int *__restrict__ kind, const float *__restrict__ scale, int steps)
{
	const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
	floatx4 acc[TM][TN] = {};
	a += ((size_t)blockIdx.x * (BOUND / 64) + wave) * steps * TM * 64 + lane;
	b += (size_t)blockIdx.y * steps * TN * 64 + lane;
	for (int s = 0; s < steps; ++s, a += TM * 64, b += TN * 64) {
		const int k = kind[s];
		if (k == 0) {
			step<TM, TN, 0>(acc, a, b, 0);
		} else if (ARMS == 2 || k == 1) {
			step<TM, TN, 1>(acc, a, b, (_Float16)scale[s]);
		} else {
			step<TM, TN, 2>(acc, a, b, (_Float16)scale[s]);
		}
	}
#pragma unroll
	for (int i = 0; i < TM; ++i) {
#pragma unroll
		for (int j = 0; j < TN; ++j) {
#pragma unroll
			for (int r = 0; r < 4; ++r) {
				c[(((size_t)blockIdx.x * TM + i) * 16 + lane / 16 * 4 + r) * 4096 +
					(blockIdx.y * TN + j) * 16 + lane % 16] = acc[i][j][r];
			}
		}
	}
}

#define GROUPED(...)                                                                               \
	template __global__ void grouped<__VA_ARGS__>(                                             \
		const half4 *, const half4 *, float *, const int *, const float *, int);
GROUPED(2, 2, 256, 2)
GROUPED(2, 4, 256, 2)
GROUPED(4, 4, 256, 2)
GROUPED(4, 4, 512, 2)
GROUPED(4, 8, 256, 2)
GROUPED(4, 6, 64, 2)
GROUPED(2, 4, 256, 3)
GROUPED(4, 4, 256, 3)
GROUPED(4, 4, 512, 3)
GROUPED(4, 2, 1024, 2)
GROUPED(6, 6, 256, 2)
