#include <hip/hip_runtime.h>
// normalizes groups of channels, scales each channel; one block a group of a sample, channels last
__global__ void groupnorm(const _Float16 *x, const float *gamma, const float *beta, _Float16 *y,
	int channels, int per_group, int pixels, float eps, int relu)
{
	__shared__ float sums[2][4];
	const int groups = channels / per_group, sample = blockIdx.x / groups,
		  group = blockIdx.x % groups;
	const size_t base = (size_t)sample * pixels * channels + group * per_group;
	const int count = pixels * per_group;
	float s = 0.f, q = 0.f;
	for (int i = threadIdx.x; i < count; i += blockDim.x) {
		const float v = (float)x[base + (size_t)(i / per_group) * channels + i % per_group];
		s += v;
		q += v * v;
	}
	for (int o = 32; o > 0; o >>= 1) {
		s += __shfl_xor(s, o);
		q += __shfl_xor(q, o);
	}
	if (threadIdx.x % 64 == 0) {
		sums[0][threadIdx.x / 64] = s;
		sums[1][threadIdx.x / 64] = q;
	}
	__syncthreads();
	s = q = 0.f;
	for (unsigned w = 0; w < blockDim.x / 64; ++w) {
		s += sums[0][w];
		q += sums[1][w];
	}
	const float mean = s / count, inv = rsqrtf(q / count - mean * mean + eps);
	for (int i = threadIdx.x; i < count; i += blockDim.x) {
		const int c = group * per_group + i % per_group;
		const size_t at = base + (size_t)(i / per_group) * channels + i % per_group;
		float v = ((float)x[at] - mean) * inv * gamma[c] + beta[c];
		y[at] = (_Float16)(relu && v < 0.f ? 0.f : v);
	}
}
