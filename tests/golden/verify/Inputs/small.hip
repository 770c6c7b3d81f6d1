#include <hip/hip_runtime.h>

__global__ void scale(float *x, const float *y, float by, int n)
{
	const int i = blockIdx.x * 64 + threadIdx.x;
	if (i < n) {
		x[i] = y[i] * by;
	}
}
