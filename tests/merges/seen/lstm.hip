// A step of a recurrent cell: four gates of N units a lane, sequences that are over keep their
// state.
#include <hip/hip_runtime.h>

__device__ inline float sigmoid(float x)
{
	return 1.f / (1.f + __expf(-x));
}

template <int N, int T, int HOW>
__global__ void __launch_bounds__(T) lstm(const float *__restrict__ in, const float *__restrict__ u,
	float *__restrict__ out, const int *__restrict__ lens, int steps, float decay)
{
	const int t = threadIdx.x;
	float c[N], h[N];
	for (int i = 0; i < N; ++i) {
		c[i] = 0.f;
		h[i] = out[(blockIdx.x * N + i) * T + t];
	}
	const int len = lens[blockIdx.x];
	for (int s = 0; s < steps; ++s) {
		const bool on = HOW == 0 ? s < len : HOW == 1 ? s + t < len : (s & 7) != 0;
		if (on) {
			for (int i = 0; i < N; ++i) {
				const float *p = in + ((size_t)s * N + i) * T * 4 + t;
				const float f = sigmoid(p[0] + u[i] * h[i]);
				const float g = p[T] + u[N + i] * h[i];
				const float o = sigmoid(p[2 * T] + u[2 * N + i] * h[i]);
				c[i] = f * c[i] + g;
				h[i] = o * c[i];
			}
		} else {
			for (int i = 0; i < N; ++i) {
				c[i] *= decay;
				h[i] = h[i] * decay + c[i];
			}
		}
	}
	for (int i = 0; i < N; ++i) {
		out[(blockIdx.x * N + i) * T + t] = h[i] + c[i];
	}
}
#define L(...)                                                                                     \
	template __global__ void lstm<__VA_ARGS__>(                                                \
		const float *, const float *, float *, const int *, int, float);
L(8, 256, 0)
L(16, 256, 0)
L(32, 256, 0)
L(32, 512, 2)
L(48, 256, 2)
L(16, 256, 1)
L(32, 256, 1)
L(16, 1024, 0)
