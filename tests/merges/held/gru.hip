// Gates of a recurrent cell from rows of weights in LDS; a step that the mask leaves out keeps
// the state.
#include <hip/hip_runtime.h>

__device__ __forceinline__ float logistic(float x)
{
	return __frcp_rn(1.f + __expf(-x));
}

template <int N, int K, int T>
__global__ __launch_bounds__(T) void gru(const float *__restrict__ x, const float *__restrict__ w,
	const unsigned char *__restrict__ mask, float *__restrict__ state, int steps)
{
	__shared__ float sw[3][N][K];
	const int id = blockIdx.x * T + threadIdx.x;
	float h[N];
	for (int i = threadIdx.x; i < 3 * N * K; i += T) {
		(&sw[0][0][0])[i] = w[i];
	}
	__syncthreads();
#pragma unroll
	for (int n = 0; n < N; ++n) {
		h[n] = state[n * gridDim.x * T + id];
	}
	for (int s = 0; s < steps; ++s) {
		if (mask[s]) {
			float in[K];
#pragma unroll
			for (int k = 0; k < K; ++k) {
				in[k] = x[((size_t)s * K + k) * gridDim.x * T + id];
			}
#pragma unroll
			for (int n = 0; n < N; ++n) {
				float z = h[n], r = -h[n], c = 0.f;
#pragma unroll
				for (int k = 0; k < K; ++k) {
					z += sw[0][n][k] * in[k];
					r += sw[1][n][k] * in[k];
					c += sw[2][n][k] * in[k];
				}
				z = logistic(z);
				h[n] = (1.f - z) * h[n] + z * tanhf(c + logistic(r) * h[n]);
			}
		}
	}
#pragma unroll
	for (int n = 0; n < N; ++n) {
		state[n * gridDim.x * T + id] = h[n];
	}
}
#define X(...)                                                                                     \
	template __global__ void gru<__VA_ARGS__>(                                                 \
		const float *, const float *, const unsigned char *, float *, int);
X(8, 8, 256)
X(16, 8, 256)
X(16, 16, 128)
