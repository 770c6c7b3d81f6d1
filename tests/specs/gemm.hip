#include <hip/hip_runtime.h>
#define T 16
// c = alpha * a * b + beta * c, row major
__global__ void gemm(const float *a, const float *b, float *c, int M, int N, int K, int lda,
	int ldb, int ldc, float alpha, float beta)
{
	__shared__ float as[T][T + 1];
	__shared__ float bs[T][T + 1];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * T + ty;
	const int col = blockIdx.x * T + tx;
	float acc = 0.f;
	for (int k0 = 0; k0 < K; k0 += T) {
		as[ty][tx] = (row < M && k0 + tx < K) ? a[row * lda + k0 + tx] : 0.f;
		bs[ty][tx] = (k0 + ty < K && col < N) ? b[(k0 + ty) * ldb + col] : 0.f;
		__syncthreads();
		for (int k = 0; k < T; ++k) {
			acc += as[ty][k] * bs[k][tx];
		}
		__syncthreads();
	}
	if (row < M && col < N) {
		const float old = beta != 0.f ? beta * c[row * ldc + col] : 0.f;
		c[row * ldc + col] = alpha * acc + old;
	}
}
