// Block-scaled GEMM: each 128 columns of K the partial sums are scaled into the result (a one-
// armed if).
#include <hip/hip_runtime.h>

typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ __forceinline__ s16x4 widen(unsigned w)
{
	s16x4 r;
#pragma unroll
	for (int i = 0; i < 4; ++i) {
		const float f = (float)(int)(signed char)(w >> (i * 8));
		r[i] = (short)(__float_as_uint(f) >> 16);
	}
	return r;
}

template <int M, int N, int T>
__global__ void __launch_bounds__(T) scaled(const unsigned *__restrict__ a,
	const unsigned *__restrict__ b, const float *__restrict__ as, const float *__restrict__ bs,
	float *__restrict__ c, int k)
{
	const int lane = threadIdx.x % 64;
	const size_t wave = blockIdx.x * (T / 64) + threadIdx.x / 64;
	f32x4 sum[M][N] = {}, part[M][N] = {};
	const unsigned *pa = a + wave * M * 16 * (k / 4),
		       *pb = b + (size_t)blockIdx.y * N * 16 * (k / 4);
	for (int k0 = 0; k0 < k; k0 += 16) {
		s16x4 fa[M], fb[N];
#pragma unroll
		for (int i = 0; i < M; ++i) {
			fa[i] = widen(pa[(i * 16 + lane % 16) * (k / 4) + k0 / 4 + lane / 16]);
		}
#pragma unroll
		for (int j = 0; j < N; ++j) {
			fb[j] = widen(pb[(j * 16 + lane % 16) * (k / 4) + k0 / 4 + lane / 16]);
		}
#pragma unroll
		for (int i = 0; i < M; ++i)
#pragma unroll
			for (int j = 0; j < N; ++j) {
				part[i][j] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(
					fa[i], fb[j], part[i][j], 0, 0, 0);
			}
		if ((k0 & 127) == 112) {
			const float s = bs[blockIdx.y * (k / 128) + k0 / 128];
#pragma unroll
			for (int i = 0; i < M; ++i) {
				const f32x4 r = *(const f32x4
						*)&as[((k0 / 128) * M + i) * 16 + lane / 16 * 4];
#pragma unroll
				for (int j = 0; j < N; ++j) {
					sum[i][j] += part[i][j] * (r * s);
					part[i][j] = f32x4{};
				}
			}
		}
	}
#pragma unroll
	for (int i = 0; i < M; ++i)
#pragma unroll
		for (int j = 0; j < N; ++j)
#pragma unroll
			for (int e = 0; e < 4; ++e) {
				c[((wave * M + i) * 16 + lane / 16 * 4 + e) * gridDim.y * N * 16 +
					j * 16 + lane % 16] = sum[i][j][e];
			}
}
#define X(...)                                                                                     \
	template __global__ void scaled<__VA_ARGS__>(                                              \
		const unsigned *, const unsigned *, const float *, const float *, float *, int);
X(2, 2, 256)
X(2, 4, 256)
X(4, 4, 256)
X(4, 4, 512)
