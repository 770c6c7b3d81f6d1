// Tiles of 32x32x8 with waves asked for by the launch bounds; interior and edge have an arm
// each, one step may be nested.
#include <hip/hip_runtime.h>

typedef _Float16 half4_t __attribute__((ext_vector_type(4)));
typedef float float16_t __attribute__((ext_vector_type(16)));

template <int M, int N, int T, int W>
__global__ __launch_bounds__(T, W) void waves(const half4_t *__restrict__ a,
	const half4_t *__restrict__ b, float16_t *__restrict__ c, const float *__restrict__ scale,
	int steps, int inner, int kind)
{
	const int lane = threadIdx.x % 64;
	const size_t wave = blockIdx.x * (T / 64) + threadIdx.x / 64;
	float16_t acc[M][N];
#pragma unroll
	for (int m = 0; m < M; ++m)
#pragma unroll
		for (int n = 0; n < N; ++n) {
			acc[m][n] = c[((wave * M + m) * N + n) * 64 + lane];
		}
	for (int s = 0; s < steps; ++s) {
		half4_t fa[M], fb[N];
#pragma unroll
		for (int m = 0; m < M; ++m) {
			fa[m] = a[((wave * steps + s) * M + m) * 64 + lane];
		}
#pragma unroll
		for (int n = 0; n < N; ++n) {
			fb[n] = b[((size_t)s * N + n) * 64 + lane];
		}
		if (s < inner) {
#pragma unroll
			for (int m = 0; m < M; ++m)
#pragma unroll
				for (int n = 0; n < N; ++n) {
					acc[m][n] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						fa[m], fb[n], acc[m][n], 0, 0, 0);
				}
		} else {
			if (kind) {
				const _Float16 f = (_Float16)scale[s];
#pragma unroll
				for (int m = 0; m < M; ++m) {
					fa[m] *= f;
				}
			} else {
#pragma unroll
				for (int n = 0; n < N; ++n) {
					fb[n] = fb[n] * fb[n];
				}
			}
#pragma unroll
			for (int n = 0; n < N; ++n)
#pragma unroll
				for (int m = 0; m < M; ++m) {
					acc[m][n] = __builtin_amdgcn_mfma_f32_32x32x8f16(
							    fa[m], fb[n], acc[m][n], 0, 0, 0) *
						    scale[s];
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
#define X(...)                                                                                     \
	template __global__ void waves<__VA_ARGS__>(                                               \
		const half4_t *, const half4_t *, float16_t *, const float *, int, int, int);
X(1, 2, 256, 2)
X(2, 2, 256, 2)
X(2, 2, 256, 1)
X(2, 4, 256, 2)
X(1, 2, 256, 4)
X(2, 2, 128, 3)
