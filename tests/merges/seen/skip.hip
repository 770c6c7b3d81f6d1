// A block-sparse product: a block that is all zero is skipped (an if of one arm), its operands
// loaded in it or before.
#include <hip/hip_runtime.h>

typedef _Float16 half4_t __attribute__((ext_vector_type(4)));
typedef float float4_t __attribute__((ext_vector_type(4)));

template <int M, int N, int T, bool EARLY>
__device__ inline void skip_body(const half4_t *__restrict__ a, const half4_t *__restrict__ b,
	const int *__restrict__ full, float4_t *__restrict__ c, int steps)
{
	const int lane = threadIdx.x % 64;
	const size_t wave = blockIdx.x * (T / 64) + threadIdx.x / 64;
	float4_t acc[M][N] = {};
	for (int s = 0; s < steps; ++s) {
		half4_t fa[M], fb[N];
		if (EARLY) {
#pragma unroll
			for (int m = 0; m < M; ++m) {
				fa[m] = a[((wave * steps + s) * M + m) * 64 + lane];
			}
#pragma unroll
			for (int n = 0; n < N; ++n) {
				fb[n] = b[((size_t)s * N + n) * 64 + lane];
			}
		}
		if (full[blockIdx.x * steps + s]) {
			if (!EARLY) {
#pragma unroll
				for (int m = 0; m < M; ++m) {
					fa[m] = a[((wave * steps + s) * M + m) * 64 + lane];
				}
#pragma unroll
				for (int n = 0; n < N; ++n) {
					fb[n] = b[((size_t)s * N + n) * 64 + lane];
				}
			}
#pragma unroll
			for (int m = 0; m < M; ++m)
#pragma unroll
				for (int n = 0; n < N; ++n) {
					acc[m][n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
						fa[m], fb[n], acc[m][n], 0, 0, 0);
				}
		}
	}
#pragma unroll
	for (int m = 0; m < M; ++m)
#pragma unroll
		for (int n = 0; n < N; ++n) {
			c[((wave * M + m) * N + n) * 64 + lane] = acc[m][n];
		}
}
#define ARGS const half4_t *a, const half4_t *b, const int *full, float4_t *c, int steps
template <int M, int N, int T, bool EARLY> __global__ void __launch_bounds__(T) skip(ARGS)
{
	skip_body<M, N, T, EARLY>(a, b, full, c, steps);
}
template <int M, int N, int T, int W> __global__ void __launch_bounds__(T, W) skip_waves(ARGS)
{
	skip_body<M, N, T, false>(a, b, full, c, steps);
}
#define X(...) template __global__ void skip<__VA_ARGS__>(ARGS);
#define Y(...) template __global__ void skip_waves<__VA_ARGS__>(ARGS);
X(2, 2, 256, false)
X(2, 4, 256, true)
X(4, 4, 256, false)
X(4, 8, 256, false)
X(4, 4, 512, false)
X(4, 6, 512, true)
Y(4, 4, 256, 2)
Y(4, 8, 256, 2)
Y(4, 4, 256, 4)
