#include <hip/hip_runtime.h>
#include <stdint.h>
typedef float f32x4 __attribute__((ext_vector_type(4)));
// d = (a * b^T) * scale_a * scale_b[col] + bias[col]; fp8 in bytes, K a multiple of 32
__global__ void gemm_fp8(const uint8_t *a, const uint8_t *b, const float *scale_b,
	const float *bias, float *d, float scale_a, int M, int N, int K)
{
	const int lane = threadIdx.x % 64;
	const int wave = threadIdx.x / 64;
	const int row0 = (blockIdx.x * (blockDim.x / 64) + wave) * 16;
	const int col0 = blockIdx.y * 16;
	if (row0 >= M) {
		return;
	}
	const int r = lane % 16, q = lane / 16;
	const int ar = min(row0 + r, M - 1);
	const int br = min(col0 + r, N - 1);
	f32x4 acc = {0, 0, 0, 0};
	for (int k = 0; k < K; k += 32) {
		const long x = *(const long *)(a + (size_t)ar * K + k + q * 8);
		const long y = *(const long *)(b + (size_t)br * K + k + q * 8);
		acc = __builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8(x, y, acc, 0, 0, 0);
	}
	const int col = col0 + r;
	if (col < N) {
		const float s = scale_a * scale_b[col];
		for (int i = 0; i < 4; ++i) {
			const int row = row0 + q * 4 + i;
			if (row < M) {
				d[(size_t)row * N + col] = acc[i] * s + (bias ? bias[col] : 0.f);
			}
		}
	}
}
