// GEMM of WMMA fragments for wave32: B is stored by rows or by columns, an arm each.
#include <hip/hip_runtime.h>

typedef _Float16 h16 __attribute__((ext_vector_type(16)));
typedef _Float16 h8 __attribute__((ext_vector_type(8)));
typedef float f8 __attribute__((ext_vector_type(8)));

__device__ inline h16 row_of(const _Float16 *p)
{
	const h8 lo = *(const h8 *)p, hi = *(const h8 *)(p + 8);
	return __builtin_shufflevector(
		lo, hi, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

template <int M, int N, int T, int PER>
__global__ __launch_bounds__(T, PER) void gemm(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, float *__restrict__ c, int k, int ld,
	const char *__restrict__ columns)
{
	const int lane = threadIdx.x % 16, half = threadIdx.x / 16 % 2;
	const size_t wave = blockIdx.x * (T / 32) + threadIdx.x / 32;
	f8 acc[M][N] = {};
	for (int k0 = 0; k0 < k; k0 += 16) {
		h16 fa[M], fb[N];
#pragma unroll
		for (int i = 0; i < M; ++i) {
			fa[i] = row_of(&a[((wave * M + i) * 16 + lane) * k + k0]);
		}
		if (columns[k0 / 16]) {
#pragma unroll
			for (int j = 0; j < N; ++j) {
				fb[j] = row_of(&b[((size_t)j * 16 + lane) * k + k0]);
			}
#pragma unroll
			for (int i = 0; i < M; ++i)
#pragma unroll
				for (int j = 0; j < N; ++j) {
					acc[i][j] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(
						fa[i], fb[j], acc[i][j]);
				}
		} else {
#pragma unroll
			for (int j = 0; j < N; ++j)
#pragma unroll
				for (int e = 0; e < 16; ++e) {
					fb[j][e] = b[(size_t)(k0 + e) * ld + j * 16 + lane];
				}
#pragma unroll
			for (int j = 0; j < N; ++j)
#pragma unroll
				for (int i = 0; i < M; ++i) {
					acc[i][j] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(
						fa[i], fb[j], acc[i][j]);
				}
		}
	}
#pragma unroll
	for (int i = 0; i < M; ++i)
#pragma unroll
		for (int j = 0; j < N; ++j)
#pragma unroll
			for (int e = 0; e < 8; ++e) {
				c[((wave * M + i) * 16 + e * 2 + half) * ld + j * 16 + lane] =
					acc[i][j][e];
			}
}
#define X(...)                                                                                     \
	template __global__ void gemm<__VA_ARGS__>(                                                \
		const _Float16 *, const _Float16 *, float *, int, int, const char *);
X(2, 2, 128, 1)
X(4, 2, 128, 1)
X(4, 4, 128, 1)
X(4, 4, 256, 2)
