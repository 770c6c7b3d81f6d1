#include <hip/hip_runtime.h>
#include <stdint.h>
typedef short bf16x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));
// c[M][N] = a[M][K] * b[N][K]^T; each wave makes one 16x16 tile, a block four of them in a row
__global__ __launch_bounds__(256) void gemm_bf16(const uint16_t *__restrict__ a,
	const uint16_t *__restrict__ b, float *__restrict__ c, int M, int N, int K)
{
	const int lane = threadIdx.x & 63;
	const int wave = threadIdx.x >> 6;
	const int m0 = blockIdx.y * 16;
	const int n0 = (blockIdx.x * 4 + wave) * 16;
	const int r = lane & 15;
	const int q = (lane >> 4) * 4;
	f32x4 acc = {0.f, 0.f, 0.f, 0.f};
	for (int k = 0; k < K; k += 16) {
		bf16x4 av = {0, 0, 0, 0};
		bf16x4 bv = {0, 0, 0, 0};
		for (int i = 0; i < 4; ++i) {
			if (m0 + r < M && k + q + i < K) {
				av[i] = (short)a[(m0 + r) * K + k + q + i];
			}
			if (n0 + r < N && k + q + i < K) {
				bv[i] = (short)b[(n0 + r) * K + k + q + i];
			}
		}
		acc = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(av, bv, acc, 0, 0, 0);
	}
	for (int i = 0; i < 4; ++i) {
		const int row = m0 + q + i;
		const int col = n0 + r;
		if (row < M && col < N) {
			c[row * N + col] = acc[i];
		}
	}
}
