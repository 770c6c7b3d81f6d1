#include <hip/hip_runtime.h>
// one block a row; x and y have their own strides
__global__ void softmax(const float *x, float *y, int cols, int ldx, int ldy, float scale)
{
	__shared__ float red[16];
	const float *in = x + (size_t)blockIdx.x * ldx;
	float *out = y + (size_t)blockIdx.x * ldy;
	const int lane = threadIdx.x % 64, wave = threadIdx.x / 64, waves = blockDim.x / 64;
	float m = -INFINITY;
	for (int i = threadIdx.x; i < cols; i += blockDim.x) {
		m = fmaxf(m, in[i] * scale);
	}
	for (int o = 32; o > 0; o >>= 1) {
		m = fmaxf(m, __shfl_xor(m, o));
	}
	if (lane == 0) {
		red[wave] = m;
	}
	__syncthreads();
	m = red[0];
	for (int w = 1; w < waves; ++w) {
		m = fmaxf(m, red[w]);
	}
	__syncthreads();
	float sum = 0.f;
	for (int i = threadIdx.x; i < cols; i += blockDim.x) {
		sum += expf(in[i] * scale - m);
	}
	for (int o = 32; o > 0; o >>= 1) {
		sum += __shfl_xor(sum, o);
	}
	if (lane == 0) {
		red[wave] = sum;
	}
	__syncthreads();
	sum = 0.f;
	for (int w = 0; w < waves; ++w) {
		sum += red[w];
	}
	const float inv = 1.f / sum;
	for (int i = threadIdx.x; i < cols; i += blockDim.x) {
		out[i] = expf(in[i] * scale - m) * inv;
	}
}
