// Float GEMM without matrix operations: a tile of TM x TN sums a lane, panels in LDS, the last
// panel checked.
#include <hip/hip_runtime.h>

enum {
	DEPTH = 8
};

template <int TM, int TN, int SIDE, bool LANES>
__global__ void __launch_bounds__(SIDE *SIDE) sgemm(const float *__restrict__ a,
	const float *__restrict__ b, float *__restrict__ c, int m, int n, int k, float alpha)
{
	__shared__ float pa[DEPTH][TM * SIDE];
	__shared__ float pb[DEPTH][TN * SIDE];
	const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
	const int row = blockIdx.y * TM * SIDE, col = blockIdx.x * TN * SIDE;
	float acc[TM][TN];
#pragma unroll
	for (int i = 0; i < TM; ++i) {
#pragma unroll
		for (int j = 0; j < TN; ++j) {
			acc[i][j] = 0.f;
		}
	}
	for (int at = 0; at < k; at += DEPTH) {
		for (int i = threadIdx.x; i < DEPTH * TM * SIDE; i += SIDE * SIDE) {
			pa[i / (TM * SIDE)][i % (TM * SIDE)] =
				a[(at + i / (TM * SIDE)) * m + row + i % (TM * SIDE)];
		}
		for (int i = threadIdx.x; i < DEPTH * TN * SIDE; i += SIDE * SIDE) {
			pb[i / (TN * SIDE)][i % (TN * SIDE)] =
				b[(at + i / (TN * SIDE)) * n + col + i % (TN * SIDE)];
		}
		__syncthreads();
		const bool inside = LANES ? at + (int)threadIdx.x < k : at + DEPTH <= k;
		if (inside) {
#pragma unroll
			for (int d = 0; d < DEPTH; ++d) {
#pragma unroll
				for (int i = 0; i < TM; ++i) {
#pragma unroll
					for (int j = 0; j < TN; ++j) {
						acc[i][j] += pa[d][y * TM + i] * pb[d][x * TN + j];
					}
				}
			}
		} else {
			for (int d = 0; d < k - at; ++d) {
#pragma unroll
				for (int i = 0; i < TM; ++i) {
#pragma unroll
					for (int j = 0; j < TN; ++j) {
						acc[i][j] = acc[i][j] * alpha +
							    pa[d][y * TM + i] * pb[d][x * TN + j];
					}
				}
			}
		}
		__syncthreads();
	}
#pragma unroll
	for (int i = 0; i < TM; ++i) {
#pragma unroll
		for (int j = 0; j < TN; ++j) {
			c[(row + y * TM + i) * n + col + x * TN + j] = acc[i][j];
		}
	}
}

#define SGEMM(...)                                                                                 \
	template __global__ void sgemm<__VA_ARGS__>(                                               \
		const float *, const float *, float *, int, int, int, float);
SGEMM(4, 4, 16, false)
SGEMM(4, 8, 16, false)
SGEMM(8, 8, 16, false)
SGEMM(8, 8, 8, false)
SGEMM(8, 12, 16, false)
SGEMM(4, 4, 32, false)
SGEMM(4, 8, 32, false)
SGEMM(8, 8, 16, true)
SGEMM(8, 4, 16, true)
SGEMM(12, 8, 8, true)
