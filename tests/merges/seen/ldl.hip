// A small symmetric system a lane, factored in registers, with a pivot shift where it is not
// positive (lanes part).
#include <hip/hip_runtime.h>

template <int N, int T>
__global__ void __launch_bounds__(T) ldl(const float *__restrict__ a, float *__restrict__ x,
	float *__restrict__ d, int count, float shift)
{
	const int id = blockIdx.x * T + threadIdx.x;
	if (id >= count) {
		return;
	}
	float m[N][N];
#pragma unroll
	for (int i = 0; i < N; ++i)
#pragma unroll
		for (int j = 0; j <= i; ++j) {
			m[i][j] = a[(size_t)(i * N + j) * count + id];
		}
#pragma unroll
	for (int k = 0; k < N; ++k) {
		if (m[k][k] <= shift) {
#pragma unroll
			for (int i = k; i < N; ++i) {
				m[i][i] += shift - 2.f * m[k][k];
			}
		}
		const float inv = 1.f / m[k][k];
#pragma unroll
		for (int i = k + 1; i < N; ++i) {
			const float f = m[i][k] * inv;
#pragma unroll
			for (int j = k + 1; j <= i; ++j) {
				m[i][j] -= f * m[j][k];
			}
			m[i][k] = f;
		}
	}
#pragma unroll
	for (int i = 0; i < N; ++i) {
		d[(size_t)i * count + id] = m[i][i];
#pragma unroll
		for (int j = 0; j < i; ++j) {
			x[(size_t)(i * N + j) * count + id] = m[i][j];
		}
	}
}
#define X(...)                                                                                     \
	template __global__ void ldl<__VA_ARGS__>(const float *, float *, float *, int, float);
X(6, 256)
X(8, 256)
X(12, 128)
