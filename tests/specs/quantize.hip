#include <hip/hip_runtime.h>
#include <stdint.h>
// groups of `group` values get a scale and a zero point; a wave a group
__global__ void quantize(
	const float *x, int8_t *q, float *scale, int8_t *zero, int n, int group, bool symmetric)
{
	const int wave = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
	const int lane = threadIdx.x % 64;
	const int first = wave * group;
	if (first >= n) {
		return;
	}
	const int end = min(first + group, n);
	float lo = INFINITY, hi = -INFINITY;
	for (int i = first + lane; i < end; i += 64) {
		lo = fminf(lo, x[i]);
		hi = fmaxf(hi, x[i]);
	}
	for (int o = 32; o; o >>= 1) {
		lo = fminf(lo, __shfl_xor(lo, o));
		hi = fmaxf(hi, __shfl_xor(hi, o));
	}
	float s = symmetric ? fmaxf(fabsf(lo), fabsf(hi)) / 127.f : (hi - lo) / 255.f;
	if (s == 0.f) {
		s = 1.f;
	}
	const float z = symmetric ? 0.f : rintf(-128.f - lo / s);
	for (int i = first + lane; i < end; i += 64) {
		const float r = rintf(x[i] / s) + z;
		q[i] = (int8_t)fminf(fmaxf(r, -128.f), 127.f);
	}
	if (lane == 0) {
		scale[wave] = s;
		zero[wave] = (int8_t)z;
	}
}
__global__ void dequantize(
	const int8_t *q, const float *scale, const int8_t *zero, float *x, int n, int group)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
		const int g = i / group;
		x[i] = (float)(q[i] - zero[g]) * scale[g];
	}
}
