// Depthwise convolution: a strip of outputs a lane, taps of an input tile in LDS; dilated or not.
#include <hip/hip_runtime.h>

template <int W, int K, int DIL, int STRIP>
__device__ __forceinline__ void taps(
	const float (&tile)[W][64 + 16], const float *w, float (&acc)[STRIP], int x, int y)
{
#pragma unroll
	for (int ky = 0; ky < K; ++ky)
#pragma unroll
		for (int kx = 0; kx < K; ++kx) {
			const float f = w[ky * K + kx];
#pragma unroll
			for (int s = 0; s < STRIP; ++s) {
				acc[s] = fmaf(f, tile[y + s + ky * DIL][x + kx * DIL], acc[s]);
			}
		}
}

template <int STRIP, int K, int T>
__global__ __launch_bounds__(T) void dwconv(const float *__restrict__ in,
	const float *__restrict__ w, float *__restrict__ out, const int *__restrict__ dilation,
	int h, int wd, int channels)
{
	constexpr int W = T / 64 * STRIP + 2 * (K - 1);
	__shared__ float tile[W][64 + 16];
	const int x = threadIdx.x % 64, y = threadIdx.x / 64 * STRIP;
	float acc[STRIP];
#pragma unroll
	for (int s = 0; s < STRIP; ++s) {
		acc[s] = 0.f;
	}
	for (int c = blockIdx.z; c < channels; c += gridDim.z) {
		__syncthreads();
		for (int i = threadIdx.x; i < W * 80; i += T) {
			tile[i / 80][i % 80] =
				in[((size_t)c * h + blockIdx.y * (T / 64 * STRIP) + i / 80) * wd +
					blockIdx.x * 64 + i % 80];
		}
		__syncthreads();
		if (dilation[c] == 1) {
			taps<W, K, 1, STRIP>(tile, w + c * K * K, acc, x, y);
		} else {
			taps<W, K, 2, STRIP>(tile, w + c * K * K, acc, x, y);
		}
	}
#pragma unroll
	for (int s = 0; s < STRIP; ++s) {
		out[((size_t)blockIdx.z * h + blockIdx.y * (T / 64 * STRIP) + y + s) * wd +
			blockIdx.x * 64 + x] = acc[s];
	}
}
#define X(...)                                                                                     \
	template __global__ void dwconv<__VA_ARGS__>(                                              \
		const float *, const float *, float *, const int *, int, int, int);
X(8, 3, 256)
X(16, 3, 256)
X(16, 5, 128)
X(32, 3, 64)
