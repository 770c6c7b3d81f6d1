#include <hip/hip_runtime.h>
// sorts keys of a block with their values, ascending; beyond n the keys are the largest
__global__ void bitonic(const int *keys, const float *values, int *sorted, float *with, int n)
{
	__shared__ int k[256];
	__shared__ float v[256];
	const int t = threadIdx.x, at = blockIdx.x * 256 + t;
	k[t] = at < n ? keys[at] : 0x7fffffff;
	v[t] = at < n ? values[at] : 0.f;
	__syncthreads();
	for (int size = 2; size <= 256; size *= 2) {
		for (int step = size / 2; step > 0; step /= 2) {
			const int other = t ^ step;
			if (other > t) {
				const bool up = (t & size) == 0;
				if ((k[t] > k[other]) == up) {
					const int a = k[t];
					const float b = v[t];
					k[t] = k[other];
					v[t] = v[other];
					k[other] = a;
					v[other] = b;
				}
			}
			__syncthreads();
		}
	}
	if (at < n) {
		sorted[at] = k[t];
		with[at] = v[t];
	}
}
