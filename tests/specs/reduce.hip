#include <hip/hip_runtime.h>
// sum of x * y and largest |x|, one result a block; grid stride
__global__ void reduce(const float *x, const float *y, float *dot, float *top, int *where, int n)
{
	__shared__ float s_dot[16], s_top[16];
	__shared__ int s_at[16];
	float d = 0.f, best = -1.f;
	int at = -1;
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
		d += x[i] * y[i];
		const float v = fabsf(x[i]);
		if (v > best) {
			best = v;
			at = i;
		}
	}
	for (int o = 32; o > 0; o /= 2) {
		d += __shfl_down(d, o);
		const float b2 = __shfl_xor(best, o);
		const int a2 = __shfl_xor(at, o);
		if (b2 > best || (b2 == best && a2 < at)) {
			best = b2;
			at = a2;
		}
	}
	const int lane = threadIdx.x & 63, wave = threadIdx.x >> 6;
	if (lane == 0) {
		s_dot[wave] = d;
		s_top[wave] = best;
		s_at[wave] = at;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		const int waves = (blockDim.x + 63) / 64;
		for (int w = 1; w < waves; ++w) {
			d += s_dot[w];
			if (s_top[w] > best) {
				best = s_top[w];
				at = s_at[w];
			}
		}
		dot[blockIdx.x] = d;
		top[blockIdx.x] = best;
		where[blockIdx.x] = at;
	}
}
