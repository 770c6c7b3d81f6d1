#include <hip/hip_runtime.h>
#define BX 32
#define BY 8
// 5-point stencil with halo in LDS; the border keeps its values
__global__ void stencil(
	const float *in, float *out, int nx, int ny, int pitch, float cc, float cx, float cy)
{
	__shared__ float s[BY + 2][BX + 2];
	const int x = blockIdx.x * BX + threadIdx.x;
	const int y = blockIdx.y * BY + threadIdx.y;
	const int lx = threadIdx.x + 1, ly = threadIdx.y + 1;
	const bool inside = x < nx && y < ny;
	if (inside) {
		s[ly][lx] = in[y * pitch + x];
		if (threadIdx.x == 0 && x > 0) {
			s[ly][0] = in[y * pitch + x - 1];
		}
		if (threadIdx.x == BX - 1 && x + 1 < nx) {
			s[ly][BX + 1] = in[y * pitch + x + 1];
		}
		if (threadIdx.y == 0 && y > 0) {
			s[0][lx] = in[(y - 1) * pitch + x];
		}
		if (threadIdx.y == BY - 1 && y + 1 < ny) {
			s[BY + 1][lx] = in[(y + 1) * pitch + x];
		}
	}
	__syncthreads();
	if (!inside) {
		return;
	}
	if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1) {
		out[y * pitch + x] = s[ly][lx];
	} else {
		out[y * pitch + x] = cc * s[ly][lx] + cx * (s[ly][lx - 1] + s[ly][lx + 1]) +
				     cy * (s[ly - 1][lx] + s[ly + 1][lx]);
	}
}
