#include <hip/hip_runtime.h>
struct shape {
	int channels, height, width; // of the input
	int filters, kh, kw;
	int out_height, out_width;
	int pad, stride, dilation;
};
// NCHW, one thread an output pixel, blockIdx.z: image * filters + filter
__global__ void conv(
	const float *in, const float *weight, const float *bias, float *out, shape s, bool relu)
{
	const int ox = blockIdx.x * blockDim.x + threadIdx.x;
	const int oy = blockIdx.y * blockDim.y + threadIdx.y;
	const int f = blockIdx.z % s.filters;
	const int image = blockIdx.z / s.filters;
	if (ox >= s.out_width || oy >= s.out_height) {
		return;
	}
	float acc = bias ? bias[f] : 0.f;
	for (int c = 0; c < s.channels; ++c) {
		for (int y = 0; y < s.kh; ++y) {
			const int iy = oy * s.stride - s.pad + y * s.dilation;
			if (iy < 0 || iy >= s.height) {
				continue;
			}
			for (int x = 0; x < s.kw; ++x) {
				const int ix = ox * s.stride - s.pad + x * s.dilation;
				if (ix < 0 || ix >= s.width) {
					continue;
				}
				acc += in[((image * s.channels + c) * s.height + iy) * s.width +
					       ix] *
				       weight[((f * s.channels + c) * s.kh + y) * s.kw + x];
			}
		}
	}
	if (relu && acc < 0.f) {
		acc = 0.f;
	}
	out[((image * s.filters + f) * s.out_height + oy) * s.out_width + ox] = acc;
}
