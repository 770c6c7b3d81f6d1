#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>
// y = (x + residual - mean) / sqrt(var + eps) * gamma + beta, a wave a row; residual and beta may
// be null
__global__ void layernorm(const __half *x, const __half *residual, const float *gamma,
	const float *beta, __half *y, float *mean_out, int rows, int cols, float eps)
{
	const int lane = threadIdx.x;
	const int row = blockIdx.x * blockDim.y + threadIdx.y;
	if (row >= rows) {
		return;
	}
	float sum = 0.f, sq = 0.f;
	for (int c = lane; c < cols; c += 64) {
		float v = __half2float(x[row * cols + c]);
		if (residual != nullptr) {
			v += __half2float(residual[row * cols + c]);
		}
		sum += v;
		sq += v * v;
	}
	for (int o = 1; o < 64; o *= 2) {
		sum += __shfl_xor(sum, o);
		sq += __shfl_xor(sq, o);
	}
	const float mean = sum / cols;
	const float var = fmaxf(sq / cols - mean * mean, 0.f);
	const float rstd = rsqrtf(var + eps);
	for (int c = lane; c < cols; c += 64) {
		float v = __half2float(x[row * cols + c]);
		if (residual != nullptr) {
			v += __half2float(residual[row * cols + c]);
		}
		float n = (v - mean) * rstd * gamma[c];
		if (beta != nullptr) {
			n += beta[c];
		}
		y[row * cols + c] = __float2half(n);
	}
	if (lane == 0 && mean_out) {
		mean_out[row] = mean;
	}
}
