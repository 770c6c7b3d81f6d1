// GEMM with tiles in LDS and matrix operations of 32x32x8; tiles at the edge are scaled as they
// come in.
#include <hip/hip_runtime.h>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float floatx16 __attribute__((ext_vector_type(16)));

template <int TM, int TN, int WAVES, int BOUND>
__global__ void __launch_bounds__(BOUND)
	gemm_lds(const half4 *__restrict__ a, const half4 *__restrict__ b, float *__restrict__ c,
		const float *__restrict__ scale, int k_tiles, int k_full, int ldc)
{
	__shared__ half4 sa[TM * WAVES][64];
	__shared__ half4 sb[TN][64];
	const int lane = threadIdx.x & 63;
	const int wave = threadIdx.x >> 6;
	floatx16 acc[TM][TN] = {};

	for (int k = 0; k < k_tiles; ++k) {
#pragma unroll
		for (int i = 0; i < TM; ++i) {
			sa[wave * TM + i][lane] =
				a[((size_t)blockIdx.x * k_tiles + k) * TM * WAVES * 64 +
					(wave * TM + i) * 64 + lane];
		}
		if (wave < TN) {
			for (int j = wave; j < TN; j += WAVES) {
				sb[j][lane] = b[((size_t)blockIdx.y * k_tiles + k) * TN * 64 +
						j * 64 + lane];
			}
		}
		__syncthreads();
		if (k < k_full) {
#pragma unroll
			for (int i = 0; i < TM; ++i) {
#pragma unroll
				for (int j = 0; j < TN; ++j) {
					acc[i][j] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						sa[wave * TM + i][lane], sb[j][lane], acc[i][j], 0,
						0, 0);
				}
			}
		} else {
			const float s = scale[k];
#pragma unroll
			for (int i = 0; i < TM; ++i) {
				half4 x = sa[wave * TM + i][lane];
				for (int e = 0; e < 4; ++e) {
					x[e] = (_Float16)(s * (float)x[e]);
				}
#pragma unroll
				for (int j = 0; j < TN; ++j) {
					acc[i][j] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						x, sb[j][lane], acc[i][j], 0, 0, 0);
				}
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < TM; ++i) {
#pragma unroll
		for (int j = 0; j < TN; ++j) {
#pragma unroll
			for (int r = 0; r < 16; ++r) {
				const int row = blockIdx.x * TM * WAVES * 32 +
						(wave * TM + i) * 32 + (r / 4) * 8 +
						(lane / 32) * 4 + r % 4;
				c[(size_t)row * ldc + blockIdx.y * TN * 32 + j * 32 + lane % 32] =
					acc[i][j][r];
			}
		}
	}
}

#define GEMM(...)                                                                                  \
	template __global__ void gemm_lds<__VA_ARGS__>(                                            \
		const half4 *, const half4 *, float *, const float *, int, int, int);
GEMM(1, 2, 4, 256)
GEMM(2, 2, 4, 256)
GEMM(2, 2, 1, 64)
GEMM(2, 3, 2, 128)
GEMM(2, 4, 4, 256)
GEMM(4, 2, 4, 256)
GEMM(1, 4, 8, 512)
GEMM(2, 3, 8, 512)
GEMM(4, 4, 1, 64)
GEMM(1, 1, 16, 1024)
GEMM(1, 3, 4, 1024)
GEMM(2, 2, 8, 512)
