// Winograd F(2x2, 3x3): 16 products a lane over the channels; a tile at the edge tests each
// element.
#include <hip/hip_runtime.h>

template <int K, int T>
__global__ __launch_bounds__(T) void winograd(const float *__restrict__ image,
	const float *__restrict__ filter, float *__restrict__ out, int rows, int cols, int channels)
{
	const int tile = blockIdx.x * T + threadIdx.x;
	const int y = tile / (cols / 2) * 2 - 1, x = tile % (cols / 2) * 2 - 1;
	float acc[K][16] = {};
	for (int c = 0; c < channels; ++c) {
		float d[4][4];
		const float *p = image + (size_t)c * rows * cols;
		if (y >= 0 && x >= 0 && y + 4 <= rows && x + 4 <= cols) {
#pragma unroll
			for (int i = 0; i < 4; ++i)
#pragma unroll
				for (int j = 0; j < 4; ++j) {
					d[i][j] = p[(y + i) * cols + x + j];
				}
		} else {
#pragma unroll
			for (int i = 0; i < 4; ++i)
#pragma unroll
				for (int j = 0; j < 4; ++j) {
					const bool in = y + i >= 0 && y + i < rows && x + j >= 0 &&
							x + j < cols;
					d[i][j] = in ? p[(y + i) * cols + x + j] : 0.f;
				}
		}
		float t[4][4];
#pragma unroll
		for (int j = 0; j < 4; ++j) {
			t[0][j] = d[0][j] - d[2][j];
			t[1][j] = d[1][j] + d[2][j];
			t[2][j] = d[2][j] - d[1][j];
			t[3][j] = d[1][j] - d[3][j];
		}
#pragma unroll
		for (int i = 0; i < 4; ++i) {
			d[i][0] = t[i][0] - t[i][2];
			d[i][1] = t[i][1] + t[i][2];
			d[i][2] = t[i][2] - t[i][1];
			d[i][3] = t[i][1] - t[i][3];
		}
#pragma unroll
		for (int k = 0; k < K; ++k)
#pragma unroll
			for (int i = 0; i < 16; ++i) {
				acc[k][i] +=
					filter[((size_t)(blockIdx.y * K + k) * channels + c) * 16 +
						i] *
					d[i / 4][i % 4];
			}
	}
#pragma unroll
	for (int k = 0; k < K; ++k) {
		float *o = out + (size_t)(blockIdx.y * K + k) * rows * cols;
		const float *m = acc[k];
#pragma unroll
		for (int i = 0; i < 2; ++i) {
			const float *r0 = m + i * 4, *r1 = m + i * 4 + 4, *r2 = m + i * 4 + 8;
			const float s = i ? -1.f : 1.f;
			const float a0 = r0[0] + s * r1[0] + r2[0], a1 = r0[1] + s * r1[1] + r2[1];
			const float a2 = r0[2] + s * r1[2] + r2[2], a3 = r0[3] + s * r1[3] + r2[3];
			o[(y + 1 + i) * cols + x + 1] = a0 + a1 + a2;
			o[(y + 1 + i) * cols + x + 2] = a1 - a2 - a3;
		}
	}
}
#define X(...)                                                                                     \
	template __global__ void winograd<__VA_ARGS__>(                                            \
		const float *, const float *, float *, int, int, int);
X(2, 256)
X(4, 256)
X(8, 128)
