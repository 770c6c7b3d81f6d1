// WMMA tiles whose operands come through LDS; the last step of K multiplies masked operands.
#include <hip/hip_runtime.h>

typedef _Float16 h16 __attribute__((ext_vector_type(16)));
typedef float f8 __attribute__((ext_vector_type(8)));

template <int M, int N, int T, bool ONE>
__global__ __launch_bounds__(T) void tiles(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, float *__restrict__ c, int k, int ld, int last)
{
	__shared__ _Float16 sa[M * 16][16], sb[N * 16][16];
	const int lane = threadIdx.x % 16, half = threadIdx.x / 16 % 2;
	f8 acc[M][N] = {};
	for (int k0 = 0; k0 < k; k0 += 16) {
		__syncthreads();
		for (int i = threadIdx.x; i < M * 256; i += T) {
			sa[i / 16][i % 16] = a[(size_t)(i / 16) * ld + k0 + i % 16];
		}
		for (int i = threadIdx.x; i < N * 256; i += T) {
			sb[i / 16][i % 16] = b[(size_t)(i / 16) * ld + k0 + i % 16];
		}
		__syncthreads();
		if (k0 < last) {
			h16 fa[M], fb[N];
#pragma unroll
			for (int m = 0; m < M; ++m) {
				fa[m] = *(const h16 *)sa[m * 16 + lane];
			}
#pragma unroll
			for (int n = 0; n < N; ++n) {
				fb[n] = *(const h16 *)sb[n * 16 + lane];
			}
#pragma unroll
			for (int m = 0; m < M; ++m)
#pragma unroll
				for (int n = 0; n < N; ++n) {
					acc[m][n] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(
						fa[m], fb[n], acc[m][n]);
				}
		} else if (!ONE) {
#pragma unroll
			for (int n = 0; n < N; ++n) {
				h16 fb = *(const h16 *)sb[n * 16 + lane];
#pragma unroll
				for (int e = 0; e < 16; ++e) {
					fb[e] = k0 + e < k ? fb[e] : (_Float16)0;
				}
#pragma unroll
				for (int m = 0; m < M; ++m) {
					acc[m][n] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(
						*(const h16 *)sa[m * 16 + lane], fb, acc[m][n]);
				}
			}
		}
	}
#pragma unroll
	for (int m = 0; m < M; ++m)
#pragma unroll
		for (int n = 0; n < N; ++n)
#pragma unroll
			for (int e = 0; e < 8; ++e) {
				c[(size_t)(blockIdx.x * M * 16 + m * 16 + e * 2 + half) * ld +
					n * 16 + lane] = acc[m][n][e];
			}
}
#define X(...)                                                                                     \
	template __global__ void tiles<__VA_ARGS__>(                                               \
		const _Float16 *, const _Float16 *, float *, int, int, int);
X(2, 2, 128, false)
X(2, 4, 256, false)
X(4, 4, 256, false)
X(4, 4, 128, true)
X(2, 4, 64, true)
