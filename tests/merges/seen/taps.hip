// Filter of a plane: an R x C patch of outputs a lane, rows in LDS; taps outside are left out.
#include <hip/hip_runtime.h>

template <int R, int C, int T>
__global__ void __launch_bounds__(T)
	taps(const float *__restrict__ image, const float *__restrict__ w, float *__restrict__ out,
		int rows, int cols, int depth, int limit)
{
	__shared__ float line[R + 2][C * T / 8 + 2];
	const int tx = threadIdx.x % (T / 8), ty = threadIdx.x / (T / 8);
	float acc[R][C];
#pragma unroll
	for (int r = 0; r < R; ++r)
#pragma unroll
		for (int c = 0; c < C; ++c) {
			acc[r][c] = 0.f;
		}
	for (int d = 0; d < depth; ++d) {
		__syncthreads();
		for (int i = threadIdx.x; i < (R + 2) * (C * T / 8 + 2); i += T) {
			line[i / (C * T / 8 + 2)][i % (C * T / 8 + 2)] =
				image[(size_t)d * rows * cols + blockIdx.x * T + i];
		}
		__syncthreads();
		if (d < limit) {
#pragma unroll
			for (int k = 0; k < 9; ++k)
#pragma unroll
				for (int r = 0; r < R; ++r)
#pragma unroll
					for (int c = 0; c < C; ++c) {
						acc[r][c] += w[(d * 8 + ty) * 9 + k] *
							     line[r + k / 3][tx * C + c + k % 3];
					}
		} else {
#pragma unroll
			for (int r = 0; r < R; ++r)
#pragma unroll
				for (int c = 0; c < C; ++c) {
					acc[r][c] +=
						w[d * 9 + ty] * line[r + 1][tx * C + c + 1] * 0.5f;
				}
		}
	}
#pragma unroll
	for (int r = 0; r < R; ++r)
#pragma unroll
		for (int c = 0; c < C; ++c) {
			out[((size_t)(blockIdx.x * 8 + ty) * R + r) * cols + tx * C + c] =
				acc[r][c];
		}
}
#define X(...)                                                                                     \
	template __global__ void taps<__VA_ARGS__>(                                                \
		const float *, const float *, float *, int, int, int, int);
X(4, 4, 256)
X(4, 8, 256)
X(8, 8, 256)
X(8, 8, 512)
X(4, 4, 1024)
X(8, 4, 128)
X(8, 12, 256)
