// Filters of tiles in LDS: an arm for square taps, one for a cross; weights by argument or from
// memory.
#include <hip/hip_runtime.h>

template <int S, int K, int W>
__device__ inline float tap(const float (*t)[W], const float *w, int y, int x)
{
	float r = 0.f;
#pragma unroll
	for (int i = 0; i < K; ++i)
#pragma unroll
		for (int j = 0; j < K; ++j) {
			r += w[i * K + j] * t[y + i * S][x + j * S];
		}
	return r;
}

template <int R, int C, int K, int TX, int TY>
__global__ __launch_bounds__(TX *TY) void halo(const float *__restrict__ in,
	const float *__restrict__ w, float *__restrict__ out, int rows, int cols, int planes,
	int square)
{
	constexpr int H = TY * R + K - 1, W = TX * C + K;
	__shared__ float t[H][W];
	const int x = threadIdx.x % TX * C, y = threadIdx.x / TX * R;
	float acc[R][C] = {};
	for (int p = 0; p < planes; ++p) {
		const float *from = in + (size_t)p * rows * cols;
		__syncthreads();
		for (int i = threadIdx.x; i < H * W; i += TX * TY) {
			t[i / W][i % W] = from[(blockIdx.y * TY * R + i / W) * cols +
					       blockIdx.x * TX * C + i % W];
		}
		__syncthreads();
		if (p < square) {
#pragma unroll
			for (int r = 0; r < R; ++r)
#pragma unroll
				for (int c = 0; c < C; ++c) {
					acc[r][c] += tap<1, K, W>(t, w + p * K * K, y + r, x + c);
				}
		} else {
#pragma unroll
			for (int r = 0; r < R; ++r)
#pragma unroll
				for (int c = 0; c < C; ++c) {
#pragma unroll
					for (int i = 0; i < K; ++i) {
						acc[r][c] += w[p * 2 * K + i] *
							     t[y + r + i][x + c + K / 2];
						acc[r][c] += w[p * 2 * K + K + i] *
							     t[y + r + K / 2][x + c + i];
					}
				}
		}
	}
#pragma unroll
	for (int r = 0; r < R; ++r)
#pragma unroll
		for (int c = 0; c < C; ++c) {
			out[((size_t)blockIdx.y * TY * R + y + r) * cols + blockIdx.x * TX * C + x +
				c] = acc[r][c];
		}
}
#define X(...)                                                                                     \
	template __global__ void halo<__VA_ARGS__>(                                                \
		const float *, const float *, float *, int, int, int, int);
X(1, 4, 3, 64, 4)
X(2, 4, 3, 32, 8)
X(4, 4, 5, 16, 16)
X(8, 1, 3, 64, 4)
X(4, 8, 3, 16, 8)
