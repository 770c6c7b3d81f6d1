// Cost volume of two images in LDS: a lane holds all shifts of its pixel; planes at the border
// are weighed.
#include <hip/hip_runtime.h>

template <int S, int T>
__global__ __launch_bounds__(T) void correlate(const float *__restrict__ left,
	const float *__restrict__ right, float *__restrict__ cost, int width, int channels,
	int border)
{
	__shared__ float l[T], r[T + S];
	float c[S] = {};
	const int x = blockIdx.x * T + threadIdx.x;
	for (int ch = 0; ch < channels; ++ch) {
		__syncthreads();
		l[threadIdx.x] = left[ch * width + x];
		r[threadIdx.x] = right[ch * width + x];
		if (threadIdx.x < S) {
			r[T + threadIdx.x] = right[ch * width + x + T];
		}
		__syncthreads();
		const float v = l[threadIdx.x];
		if (ch < border) {
#pragma unroll
			for (int s = 0; s < S; ++s) {
				c[s] += 0.5f * fabsf(v - r[threadIdx.x + s]);
			}
		} else {
#pragma unroll
			for (int s = 0; s < S; ++s) {
				const float d = v - r[threadIdx.x + s];
				c[s] += d * d;
			}
		}
	}
#pragma unroll
	for (int s = 0; s < S; ++s) {
		cost[(size_t)s * width + x] = c[s];
	}
}
#define X(...)                                                                                     \
	template __global__ void correlate<__VA_ARGS__>(                                           \
		const float *, const float *, float *, int, int, int);
X(16, 256)
X(32, 256)
X(48, 128)
