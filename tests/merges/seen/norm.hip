// RMS norm of a row in registers, residual added where there is one (a one-armed if), 16-byte
// loads.
#include <hip/hip_runtime.h>

template <int T> __device__ float block_sum(float v)
{
	__shared__ float part[T / 32];
#pragma unroll
	for (int d = warpSize / 2; d > 0; d /= 2) {
		v += __shfl_xor(v, d);
	}
	if (threadIdx.x % warpSize == 0) {
		part[threadIdx.x / warpSize] = v;
	}
	__syncthreads();
	float s = 0.f;
	for (int i = 0; i < T / warpSize; ++i) {
		s += part[i];
	}
	return s;
}

union Pack {
	uint4 u;
	_Float16 h[8];
};

template <int V, int T>
__global__ __launch_bounds__(T) void rmsnorm(const uint4 *__restrict__ x,
	uint4 *__restrict__ residual, const uint4 *__restrict__ w, uint4 *__restrict__ y, int cols,
	float eps, bool add)
{
	float v[V * 8];
	const size_t row = (size_t)blockIdx.x * (cols / 8);
	float sum = 0.f;
#pragma unroll
	for (int i = 0; i < V; ++i) {
		Pack p;
		p.u = x[row + i * T + threadIdx.x];
#pragma unroll
		for (int j = 0; j < 8; ++j) {
			v[i * 8 + j] = (float)p.h[j];
		}
	}
	if (add) {
#pragma unroll
		for (int i = 0; i < V; ++i) {
			Pack p;
			p.u = residual[row + i * T + threadIdx.x];
#pragma unroll
			for (int j = 0; j < 8; ++j) {
				v[i * 8 + j] += (float)p.h[j];
				p.h[j] = (_Float16)v[i * 8 + j];
			}
			residual[row + i * T + threadIdx.x] = p.u;
		}
	}
#pragma unroll
	for (int i = 0; i < V * 8; ++i) {
		sum += v[i] * v[i];
	}
	const float scale = rsqrtf(block_sum<T>(sum) / cols + eps);
#pragma unroll
	for (int i = 0; i < V; ++i) {
		Pack g, p;
		g.u = w[i * T + threadIdx.x];
#pragma unroll
		for (int j = 0; j < 8; ++j) {
			p.h[j] = (_Float16)(v[i * 8 + j] * scale * (float)g.h[j]);
		}
		y[row + i * T + threadIdx.x] = p.u;
	}
}
#define X(...)                                                                                     \
	template __global__ void rmsnorm<__VA_ARGS__>(                                             \
		const uint4 *, uint4 *, const uint4 *, uint4 *, int, float, bool);
X(2, 256)
X(4, 256)
X(8, 256)
X(16, 128)
