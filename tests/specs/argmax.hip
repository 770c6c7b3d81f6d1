#include <hip/hip_runtime.h>
// the place of the largest of each row, the first of equal ones; one block a row
__global__ void argmax(const float *x, int *place, float *top, int cols, int ld)
{
	__shared__ float best[256];
	__shared__ int where[256];
	const float *in = x + (size_t)blockIdx.x * ld;
	float m = -INFINITY;
	int at = -1;
	for (int i = threadIdx.x; i < cols; i += blockDim.x) {
		if (in[i] > m) {
			m = in[i];
			at = i;
		}
	}
	best[threadIdx.x] = m;
	where[threadIdx.x] = at;
	__syncthreads();
	for (int s = blockDim.x / 2; s > 0; s >>= 1) {
		if ((int)threadIdx.x < s) {
			const float o = best[threadIdx.x + s];
			const int w = where[threadIdx.x + s];
			if (o > best[threadIdx.x] ||
				(o == best[threadIdx.x] && w >= 0 && w < where[threadIdx.x])) {
				best[threadIdx.x] = o;
				where[threadIdx.x] = w;
			}
		}
		__syncthreads();
	}
	if (threadIdx.x == 0) {
		place[blockIdx.x] = where[0];
		top[blockIdx.x] = best[0];
	}
}
