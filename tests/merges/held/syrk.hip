// A symmetric product of 16x16x16 operations from tiles in LDS: blocks on the diagonal load one
// tile, others two.
#include <hip/hip_runtime.h>

typedef _Float16 hx4 __attribute__((ext_vector_type(4)));
typedef float fx4 __attribute__((ext_vector_type(4)));

template <int M, int T, int PER>
__global__ __launch_bounds__(T, PER) void syrk(
	const uint2 *__restrict__ a, fx4 *__restrict__ c, int steps)
{
	__shared__ uint2 rows[M * 64], cols[M * 64];
	const int lane = threadIdx.x % 64;
	fx4 acc[M][M] = {};
	const bool diagonal = blockIdx.x == blockIdx.y;
	for (int s = 0; s < steps; ++s) {
		__syncthreads();
		for (int i = threadIdx.x; i < M * 64; i += T) {
			rows[i] = a[((size_t)blockIdx.x * steps + s) * M * 64 + i];
			if (!diagonal) {
				cols[i] = a[((size_t)blockIdx.y * steps + s) * M * 64 + i];
			}
		}
		__syncthreads();
		if (diagonal) {
#pragma unroll
			for (int i = 0; i < M; ++i) {
				const hx4 x = *(const hx4 *)&rows[i * 64 + lane];
#pragma unroll
				for (int j = 0; j <= i; ++j) {
					acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(x,
						*(const hx4 *)&rows[j * 64 + lane], acc[i][j], 0, 0,
						0);
				}
			}
		} else {
#pragma unroll
			for (int i = 0; i < M; ++i) {
				const hx4 x = *(const hx4 *)&rows[i * 64 + lane];
#pragma unroll
				for (int j = 0; j < M; ++j) {
					acc[i][j] = __builtin_amdgcn_mfma_f32_16x16x16f16(x,
						*(const hx4 *)&cols[j * 64 + lane], acc[i][j], 0, 0,
						0);
				}
			}
		}
	}
#pragma unroll
	for (int i = 0; i < M; ++i)
#pragma unroll
		for (int j = 0; j < M; ++j) {
			c[((size_t)(blockIdx.x * gridDim.y + blockIdx.y) * M * M + i * M + j) * T +
				threadIdx.x] = acc[i][j];
		}
}
#define X(...) template __global__ void syrk<__VA_ARGS__>(const uint2 *, fx4 *, int);
X(2, 256, 1)
X(4, 256, 2)
X(4, 512, 1)
