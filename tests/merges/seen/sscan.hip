// Selective scan (state space): a lane holds a channel's states; a step is an update or a reset
// by position.
#include <hip/hip_runtime.h>

template <int N, int U, int T>
__global__ __launch_bounds__(T) void selective_scan(const float *__restrict__ u,
	const float *__restrict__ delta, const float *__restrict__ a, const float *__restrict__ b,
	const float *__restrict__ c, const int *__restrict__ begin, float *__restrict__ out,
	int len, int dim)
{
	const int ch = blockIdx.x * T + threadIdx.x;
	float h[N], A[N];
#pragma unroll
	for (int n = 0; n < N; ++n) {
		h[n] = 0.f;
		A[n] = a[ch * N + n];
	}
	for (int t = 0; t < len; t += U) {
		float x[U], d[U];
#pragma unroll
		for (int i = 0; i < U; ++i) {
			x[i] = u[(size_t)(t + i) * dim + ch];
			d[i] = delta[(size_t)(t + i) * dim + ch];
		}
		if (begin[t / U] == 0) {
#pragma unroll
			for (int i = 0; i < U; ++i) {
				float y = 0.f;
#pragma unroll
				for (int n = 0; n < N; ++n) {
					h[n] = h[n] * __expf(d[i] * A[n]) +
					       d[i] * x[i] * b[(t + i) * N + n];
					y += h[n] * c[(t + i) * N + n];
				}
				out[(size_t)(t + i) * dim + ch] = y;
			}
		} else {
#pragma unroll
			for (int i = 0; i < U; ++i) {
				float y = 0.f;
#pragma unroll
				for (int n = 0; n < N; ++n) {
					h[n] = (i ? h[n] * __expf(d[i] * A[n]) : 0.f) +
					       d[i] * x[i] * b[(t + i) * N + n];
					y += h[n] * c[(t + i) * N + n];
				}
				out[(size_t)(t + i) * dim + ch] = y * 0.5f;
			}
		}
	}
}
#define X(...)                                                                                     \
	template __global__ void selective_scan<__VA_ARGS__>(const float *, const float *,         \
		const float *, const float *, const float *, const int *, float *, int, int);
X(16, 4, 128)
X(32, 4, 128)
X(64, 2, 64)
X(16, 8, 1024)
