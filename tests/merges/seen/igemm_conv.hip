// Convolution as a GEMM of tiles in LDS (FMA): a step's filter tap lies inside the image, or it
// is skipped.
#include <hip/hip_runtime.h>

template <int BM, int BN, int BK, int TM, int TN>
__global__ __launch_bounds__(BM / TM * (BN / TN)) void conv(const float *__restrict__ in,
	const float *__restrict__ w, float *__restrict__ out, int h, int wd, int ci, int co)
{
	constexpr int T = BM / TM * (BN / TN);
	__shared__ float si[BK][BM + 4], sw[BK][BN + 4];
	const int tx = threadIdx.x % (BN / TN), ty = threadIdx.x / (BN / TN);
	const int oy = blockIdx.z, ox0 = blockIdx.x * BM;
	float acc[TM][TN];
	for (int i = 0; i < TM; i++) {
		for (int j = 0; j < TN; j++) {
			acc[i][j] = 0;
		}
	}
	for (int tap = 0; tap < 9; tap++) {
		const int y = oy + tap / 3 - 1;
		if (y >= 0 && y < h) {
			for (int c0 = 0; c0 < ci; c0 += BK) {
				for (int e = threadIdx.x; e < BK * BM; e += T) {
					const int x = ox0 + e % BM + tap % 3 - 1;
					si[e / BM][e % BM] =
						x >= 0 && x < wd
							? in[((size_t)(c0 + e / BM) * h + y) * wd +
								  x]
							: 0.f;
				}
				for (int e = threadIdx.x; e < BK * BN; e += T) {
					sw[e / BN][e % BN] =
						w[((size_t)tap * ci + c0 + e / BN) * co +
							blockIdx.y * BN + e % BN];
				}
				__syncthreads();
#pragma unroll
				for (int k = 0; k < BK; k++) {
					float a[TM], b[TN];
#pragma unroll
					for (int i = 0; i < TM; i++) {
						a[i] = si[k][ty * TM + i];
					}
#pragma unroll
					for (int j = 0; j < TN; j++) {
						b[j] = sw[k][tx * TN + j];
					}
#pragma unroll
					for (int i = 0; i < TM; i++)
#pragma unroll
						for (int j = 0; j < TN; j++) {
							acc[i][j] += a[i] * b[j];
						}
				}
				__syncthreads();
			}
		}
	}
	for (int j = 0; j < TN; j++) {
		for (int i = 0; i < TM; i++) {
			out[((size_t)(blockIdx.y * BN + tx * TN + j) * h + oy) * wd + ox0 +
				ty * TM + i] = acc[i][j];
		}
	}
}
#define X(...)                                                                                     \
	template __global__ void conv<__VA_ARGS__>(                                                \
		const float *, const float *, float *, int, int, int, int);
X(64, 64, 8, 4, 4)
X(128, 64, 8, 8, 4)
X(128, 128, 8, 8, 8)
X(64, 64, 16, 8, 8)
