// Products of 4-bit weights with a few columns: groups with a zero point of their own, or a
// fixed one.
#include <hip/hip_runtime.h>

__device__ __forceinline__ void unpack8(unsigned q, float (&f)[8])
{
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		f[i] = (float)((q >> (4 * i)) & 15u);
	}
}

template <int COLS, int ROWS, int T, int PER>
__global__ __launch_bounds__(T, PER) void w4(const uint4 *__restrict__ w,
	const float *__restrict__ scale, const unsigned char *__restrict__ zero,
	const float4 *__restrict__ x, float *__restrict__ y, int k, int rows)
{
	float acc[ROWS][COLS] = {};
	const int row0 = blockIdx.x * ROWS;
	for (int g = threadIdx.x; g < k / 32; g += T) {
		uint4 q[ROWS];
#pragma unroll
		for (int r = 0; r < ROWS; ++r) {
			q[r] = w[(size_t)(row0 + r) * (k / 32) + g];
		}
		if (zero) {
#pragma unroll
			for (int r = 0; r < ROWS; ++r) {
				const float s = scale[(row0 + r) * (k / 32) + g];
				const float z = zero[(row0 + r) * (k / 32) + g];
				const unsigned part[4] = {q[r].x, q[r].y, q[r].z, q[r].w};
#pragma unroll
				for (int p = 0; p < 4; ++p) {
					float f[8];
					unpack8(part[p], f);
#pragma unroll
					for (int c = 0; c < COLS; ++c) {
						const float4
							lo = x[c * (k / 4) + g * 8 + p * 2],
							hi = x[c * (k / 4) + g * 8 + p * 2 + 1];
						acc[r][c] +=
							s * ((f[0] - z) * lo.x + (f[1] - z) * lo.y +
								    (f[2] - z) * lo.z +
								    (f[3] - z) * lo.w +
								    (f[4] - z) * hi.x +
								    (f[5] - z) * hi.y +
								    (f[6] - z) * hi.z +
								    (f[7] - z) * hi.w);
					}
				}
			}
		} else {
#pragma unroll
			for (int r = 0; r < ROWS; ++r) {
				const float s = scale[row0 + r];
				const unsigned part[4] = {q[r].x, q[r].y, q[r].z, q[r].w};
#pragma unroll
				for (int p = 0; p < 4; ++p) {
					float f[8];
					unpack8(part[p], f);
#pragma unroll
					for (int c = 0; c < COLS; ++c) {
						const float4
							lo = x[c * (k / 4) + g * 8 + p * 2],
							hi = x[c * (k / 4) + g * 8 + p * 2 + 1];
						acc[r][c] += s * (f[0] * lo.x + f[1] * lo.y +
									 f[2] * lo.z + f[3] * lo.w +
									 f[4] * hi.x + f[5] * hi.y +
									 f[6] * hi.z + f[7] * hi.w -
									 8.f * (lo.x + hi.w));
					}
				}
			}
		}
	}
#pragma unroll
	for (int r = 0; r < ROWS; ++r)
#pragma unroll
		for (int c = 0; c < COLS; ++c) {
			atomicAdd(&y[c * rows + row0 + r], acc[r][c]);
		}
}
#define X(...)                                                                                     \
	template __global__ void w4<__VA_ARGS__>(const uint4 *, const float *,                     \
		const unsigned char *, const float4 *, float *, int, int);
X(4, 2, 256, 2)
X(8, 4, 256, 1)
X(8, 8, 128, 1)
