// Wave equation of eighth order, a queue of planes in registers; points in the absorbing layer
// have another update.
#include <hip/hip_runtime.h>

template <int R, int X, int Y, int P>
__global__ __launch_bounds__(X *Y) void wave3d(const float *__restrict__ u,
	const float *__restrict__ prev, const float *__restrict__ vel,
	const float *__restrict__ eta, float *__restrict__ next, float3 inv, int nx, int ny, int nz,
	int layer)
{
	__shared__ float s[Y + 2 * R][X * P + 2 * R];
	const float c[5] = {-2.847222f, 1.6f, -0.2f, 0.02539683f, -0.001785714f};
	const int x0 = blockIdx.x * X * P, y0 = blockIdx.y * Y;
	const size_t plane = (size_t)nx * ny;
	float q[P][2 * R + 1];
	const size_t at = (size_t)(y0 + threadIdx.y + R) * nx + x0 + threadIdx.x * P + R;
#pragma unroll
	for (int p = 0; p < P; ++p)
#pragma unroll
		for (int i = 0; i < 2 * R; ++i) {
			q[p][i + 1] = u[at + p + i * plane];
		}
	for (int z = R; z < nz - R; ++z) {
#pragma unroll
		for (int p = 0; p < P; ++p) {
#pragma unroll
			for (int i = 0; i < 2 * R; ++i) {
				q[p][i] = q[p][i + 1];
			}
			q[p][2 * R] = u[at + p + (z + R) * plane];
		}
		__syncthreads();
		for (int i = threadIdx.y * X + threadIdx.x; i < (Y + 2 * R) * (X * P + 2 * R);
			i += X * Y) {
			const int r = i / (X * P + 2 * R), col = i % (X * P + 2 * R);
			s[r][col] = u[z * plane + (size_t)(y0 + r) * nx + x0 + col];
		}
		__syncthreads();
		float lap[P];
#pragma unroll
		for (int p = 0; p < P; ++p) {
			const int lx = threadIdx.x * P + p + R, ly = threadIdx.y + R;
			lap[p] = c[0] * q[p][R] * (inv.x + inv.y + inv.z);
#pragma unroll
			for (int i = 1; i <= R; ++i) {
				lap[p] += c[i] * ((s[ly][lx - i] + s[ly][lx + i]) * inv.x +
							 (s[ly - i][lx] + s[ly + i][lx]) * inv.y +
							 (q[p][R - i] + q[p][R + i]) * inv.z);
			}
		}
		if (z < layer || z >= nz - layer) {
#pragma unroll
			for (int p = 0; p < P; ++p) {
				const float e = eta[z * plane + at + p];
				next[z * plane + at + p] =
					((2.f - e * e + 2.f * e) * q[p][R] -
						prev[z * plane + at + p] +
						vel[z * plane + at + p] * lap[p]) /
					(1.f + 2.f * e);
			}
		} else {
#pragma unroll
			for (int p = 0; p < P; ++p) {
				next[z * plane + at + p] = 2.f * q[p][R] -
							   prev[z * plane + at + p] +
							   vel[z * plane + at + p] * lap[p];
			}
		}
	}
}
#define X(...)                                                                                     \
	template __global__ void wave3d<__VA_ARGS__>(const float *, const float *, const float *,  \
		const float *, float *, float3, int, int, int, int);
X(4, 32, 8, 1)
X(4, 32, 8, 4)
X(2, 64, 4, 4)
