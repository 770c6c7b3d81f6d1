// Weighted pooling of embedding rows, eight halves a load; rows that are padding are skipped,
// or clipped.
#include <hip/hip_runtime.h>

struct alignas(16) Half8 {
	_Float16 h[8];
};

template <int V, int T>
__global__ void __launch_bounds__(T) pool(const Half8 *__restrict__ table,
	const int *__restrict__ index, const float *__restrict__ weight, Half8 *__restrict__ out,
	int bag, int width8, float clip)
{
	float sum[V][8];
	for (auto &row : sum) {
		for (float &x : row) {
			x = 0.f;
		}
	}
	const int first = blockIdx.x * bag, col = threadIdx.x;
	for (int b = 0; b < bag; ++b) {
		const int at = index[first + b];
		if (at < 0) {
			continue;
		}
		const Half8 *row = table + (size_t)at * width8 + col;
		const float w = weight[first + b];
		if (w > clip) {
#pragma unroll
			for (int i = 0; i < V; ++i) {
				const Half8 x = row[i * T];
#pragma unroll
				for (int j = 0; j < 8; ++j) {
					sum[i][j] += clip * fminf(fmaxf((float)x.h[j], -1.f), 1.f);
				}
			}
		} else {
#pragma unroll
			for (int i = 0; i < V; ++i) {
				const Half8 x = row[i * T];
#pragma unroll
				for (int j = 0; j < 8; ++j) {
					sum[i][j] = fmaf(w, (float)x.h[j], sum[i][j]);
				}
			}
		}
	}
#pragma unroll
	for (int i = 0; i < V; ++i) {
		Half8 y;
#pragma unroll
		for (int j = 0; j < 8; ++j) {
			y.h[j] = (_Float16)sum[i][j];
		}
		out[(size_t)blockIdx.x * width8 + col + i * T] = y;
	}
}
#define X(...)                                                                                     \
	template __global__ void pool<__VA_ARGS__>(                                                \
		const Half8 *, const int *, const float *, Half8 *, int, int, float);
X(2, 128)
X(4, 256)
X(8, 64)
