// Sliding window of a column in registers: points at the border take other weights.
#include <hip/hip_runtime.h>

template <int P, int Q, int T, int WHAT>
__global__ __launch_bounds__(T) void stencil(const float *__restrict__ in,
	const float *__restrict__ w, float *__restrict__ out, int nx, int ny, int nz)
{
	const int x = blockIdx.x * T + threadIdx.x;
	const int y0 = blockIdx.y * P;
	float sum[P];
	for (int i = 0; i < P; i++) {
		sum[i] = 0.f;
	}
	for (int z = 0; z < nz; z++) {
		const float *plane = in + (size_t)z * nx * ny;
		const bool border = WHAT == 0	? z < Q
				    : WHAT == 1 ? x < Q || x >= nx - Q
						: blockIdx.y == 0;
		if (border) {
			for (int i = 0; i < P; i++) {
				sum[i] += 0.5f * plane[(y0 + i) * nx + x];
			}
		} else {
			float c[P + Q];
			for (int i = 0; i < P + Q; i++) {
				c[i] = plane[(y0 + i) * nx + x];
			}
			for (int i = 0; i < P; i++) {
				for (int q = 0; q < Q; q++) {
					sum[i] += w[q] * c[i + q];
				}
			}
		}
	}
	for (int i = 0; i < P; i++) {
		out[(size_t)(y0 + i) * nx + x] = sum[i];
	}
}
template __global__ void stencil<16, 4, 256, 0>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<32, 4, 256, 0>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<48, 4, 256, 0>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<64, 3, 512, 0>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<32, 4, 256, 1>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<64, 4, 256, 1>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<32, 8, 1024, 2>(
	const float *, const float *, float *, int, int, int);
template __global__ void stencil<24, 2, 128, 2>(
	const float *, const float *, float *, int, int, int);
