// No launch bounds; a switch over what a tile's operand is, tiles of A through LDS, of B from
// memory.
#include <hip/hip_runtime.h>

typedef _Float16 half4_t __attribute__((ext_vector_type(4)));
typedef float float4_t __attribute__((ext_vector_type(4)));

template <int M, int N> struct Tile {
	float4_t v[M][N];
	__device__ void clear()
	{
#pragma unroll
		for (int m = 0; m < M; ++m)
#pragma unroll
			for (int n = 0; n < N; ++n) {
				v[m][n] = float4_t{0.f, 0.f, 0.f, 0.f};
			}
	}
	__device__ void mul(const half4_t (&a)[M], const half4_t (&b)[N])
	{
#pragma unroll
		for (int m = 0; m < M; ++m)
#pragma unroll
			for (int n = 0; n < N; ++n) {
				v[m][n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					a[m], b[n], v[m][n], 0, 0, 0);
			}
	}
};

template <int M, int N, int WAVES, bool BOUND>
__device__ void formats(
	const half4_t *a, const void *b, float4_t *c, const int *kind, int steps, half4_t *sa)
{
	const int lane = threadIdx.x % 64, wave = threadIdx.x / 64;
	Tile<M, N> acc;
	acc.clear();
	for (int s = 0; s < steps; ++s) {
		half4_t fa[M], fb[N];
		for (int i = threadIdx.x; i < M * 64; i += WAVES * 64) {
			sa[i] = a[(size_t)s * M * 64 + i];
		}
		__syncthreads();
#pragma unroll
		for (int m = 0; m < M; ++m) {
			fa[m] = sa[m * 64 + lane];
		}
		switch (kind[s]) {
		case 0:
#pragma unroll
			for (int n = 0; n < N; ++n) {
				fb[n] = ((const half4_t *)b)[((size_t)s * WAVES + wave) * N * 64 +
							     n * 64 + lane];
			}
			acc.mul(fa, fb);
			break;
		case 1:
#pragma unroll
			for (int n = 0; n < N; ++n) {
				const float4 f =
					((const float4 *)b)[((size_t)s * WAVES + wave) * N * 64 +
							    n * 64 + lane];
				fb[n] = half4_t{
					(_Float16)f.x, (_Float16)f.y, (_Float16)f.z, (_Float16)f.w};
			}
			acc.mul(fa, fb);
			break;
		default:
#pragma unroll
			for (int n = 0; n < N; ++n) {
				const int f = ((const int *)b)[((size_t)s * WAVES + wave) * N * 64 +
							       n * 64 + lane];
				fb[n] = half4_t{(_Float16)(f << 24 >> 24),
					(_Float16)(f << 16 >> 24), (_Float16)(f << 8 >> 24),
					(_Float16)(f >> 24)};
			}
			acc.mul(fa, fb);
		}
		__syncthreads();
	}
#pragma unroll
	for (int m = 0; m < M; ++m)
#pragma unroll
		for (int n = 0; n < N; ++n) {
			c[((size_t)blockIdx.x * WAVES + wave) * M * N * 64 + (m * N + n) * 64 +
				lane] = acc.v[m][n];
		}
}
#define F(M, N, W)                                                                                 \
	__global__ void free_##M##_##N##_##W(                                                      \
		const half4_t *a, const void *b, float4_t *c, const int *kind, int steps)          \
	{                                                                                          \
		__shared__ half4_t sa[M * 64];                                                     \
		formats<M, N, W, false>(a, b, c, kind, steps, sa);                                 \
	}                                                                                          \
	__global__ void __launch_bounds__(W * 64) bound_##M##_##N##_##W(                           \
		const half4_t *a, const void *b, float4_t *c, const int *kind, int steps)          \
	{                                                                                          \
		__shared__ half4_t sa[M * 64];                                                     \
		formats<M, N, W, true>(a, b, c, kind, steps, sa);                                  \
	}
F(2, 2, 4)
F(2, 4, 4)
F(4, 4, 4)
F(4, 4, 8)
F(4, 6, 2)
