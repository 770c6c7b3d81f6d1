#include <hip/hip_runtime.h>
// largest in windows with padding and strides; a plane a z
__global__ void maxpool(
	const float *x, float *y, int h, int w, int oh, int ow, int kernel, int stride, int pad)
{
	const int ox = blockIdx.x * blockDim.x + threadIdx.x,
		  oy = blockIdx.y * blockDim.y + threadIdx.y, plane = blockIdx.z;
	if (ox >= ow || oy >= oh) {
		return;
	}
	float m = -INFINITY;
	for (int ky = 0; ky < kernel; ++ky) {
		const int iy = oy * stride + ky - pad;
		if (iy < 0 || iy >= h) {
			continue;
		}
		for (int kx = 0; kx < kernel; ++kx) {
			const int ix = ox * stride + kx - pad;
			if (ix >= 0 && ix < w) {
				m = fmaxf(m, x[((size_t)plane * h + iy) * w + ix]);
			}
		}
	}
	y[((size_t)plane * oh + oy) * ow + ox] = m;
}
