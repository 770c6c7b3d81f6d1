// Experts: a wave's tile belongs to the shared expert or to a routed one, whose rows are looked
// up.
#include <hip/hip_runtime.h>

typedef short s4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef float f4 __attribute__((ext_vector_type(4)));

__device__ inline f16 dot(s4 a, s4 b, f16 c)
{
	return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
}
__device__ inline f4 dot(s4 a, s4 b, f4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(a, b, c, 0, 0, 0);
}

template <class V, int M, int N, int T>
__global__ __launch_bounds__(T) void experts(const s4 *__restrict__ tokens,
	const s4 *__restrict__ weights, const int *__restrict__ rows,
	const int *__restrict__ expert, V *__restrict__ out, int steps)
{
	const int lane = threadIdx.x & 63;
	const int tile = blockIdx.x * (T / 64) + __builtin_amdgcn_readfirstlane(threadIdx.x >> 6);
	const int e = expert[tile];
	V acc[M][N] = {};
	for (int k = 0; k < steps; ++k) {
		if (e < 0) {
			const s4 *w = weights + (size_t)k * N * 64 + lane;
			for (int m = 0; m < M; ++m) {
				const s4 a =
					tokens[((size_t)tile * M + m) * steps * 64 + k * 64 + lane];
				for (int n = 0; n < N; ++n) {
					acc[m][n] = dot(a, w[n * 64], acc[m][n]);
				}
			}
		} else {
			const s4 *w = weights + ((size_t)(e + 1) * steps + k) * N * 64 + lane;
			for (int m = 0; m < M; ++m) {
				const int row = rows[(tile * M + m) * 64 + lane];
				const s4 a = tokens[(size_t)row * steps + k];
				for (int n = 0; n < N; ++n) {
					acc[m][n] = dot(a, w[n * 64], acc[m][n]);
				}
			}
		}
	}
	for (int m = 0; m < M; ++m) {
		for (int n = 0; n < N; ++n) {
			out[((size_t)tile * M + m) * N * 64 + n * 64 + lane] = acc[m][n];
		}
	}
}
#define E(...)                                                                                     \
	template __global__ void experts<__VA_ARGS__>(                                             \
		const s4 *, const s4 *, const int *, const int *,
E(f4, 2, 4, 256) f4 *, int);
E(f4, 4, 4, 256) f4 *, int);
E(f4, 4, 4, 512) f4 *, int);
E(f4, 4, 8, 256) f4 *, int);
E(f16, 1, 2, 256) f16 *, int);
E(f16, 2, 2, 256) f16 *, int);
E(f16, 2, 2, 512) f16 *, int);
E(f16, 2, 3, 64) f16 *, int);
E(f4, 2, 4, 1024) f4 *, int);
