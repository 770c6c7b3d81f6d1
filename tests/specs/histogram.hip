#include <hip/hip_runtime.h>
#define BINS 64
// counts of (x - low) / width, outside of the range in the first and the last bin; weights may be
// null
__global__ void histogram(
	const float *x, const int *weight, int *count, int n, float low, float width)
{
	__shared__ int local[BINS];
	for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
		local[b] = 0;
	}
	__syncthreads();
	const int stride = gridDim.x * blockDim.x;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
		int b = (int)floorf((x[i] - low) / width);
		if (b < 0) {
			b = 0;
		}
		if (b >= BINS) {
			b = BINS - 1;
		}
		atomicAdd(&local[b], weight ? weight[i] : 1);
	}
	__syncthreads();
	for (int b = threadIdx.x; b < BINS; b += blockDim.x) {
		if (local[b] != 0) {
			atomicAdd(&count[b], local[b]);
		}
	}
}
