// Sparse rows times a dense matrix, columns in float4; a block of four neighbours is loaded at
// once, a rest singly.
#include <hip/hip_runtime.h>

__device__ __forceinline__ void axpy(float4 &r, float a, const float4 &x)
{
	r.x += a * x.x;
	r.y += a * x.y;
	r.z += a * x.z;
	r.w += a * x.w;
}

template <int V, int T>
__global__ void __launch_bounds__(T) spmm(const int *__restrict__ ptr, const int *__restrict__ col,
	const float *__restrict__ val, const float4 *__restrict__ x, float4 *__restrict__ y,
	int rows)
{
	const int row = blockIdx.x * (T / 32) + threadIdx.x / 32, lane = threadIdx.x % 32;
	if (row >= rows) {
		return;
	}
	float4 acc[V];
#pragma unroll
	for (int i = 0; i < V; ++i) {
		acc[i] = make_float4(0.f, 0.f, 0.f, 0.f);
	}
	const int end = ptr[row + 1];
	for (int e = ptr[row]; e < end;) {
		if (e + 4 <= end) {
			float4 b[4][V];
#pragma unroll
			for (int k = 0; k < 4; ++k)
#pragma unroll
				for (int i = 0; i < V; ++i) {
					b[k][i] = x[((size_t)col[e + k] * V + i) * 32 + lane];
				}
#pragma unroll
			for (int k = 0; k < 4; ++k)
#pragma unroll
				for (int i = 0; i < V; ++i) {
					axpy(acc[i], val[e + k], b[k][i]);
				}
			e += 4;
		} else {
#pragma unroll
			for (int i = 0; i < V; ++i) {
				axpy(acc[i], val[e], x[((size_t)col[e] * V + i) * 32 + lane]);
			}
			++e;
		}
	}
#pragma unroll
	for (int i = 0; i < V; ++i) {
		y[((size_t)row * V + i) * 32 + lane] = acc[i];
	}
}
#define X(...)                                                                                     \
	template __global__ void spmm<__VA_ARGS__>(                                                \
		const int *, const int *, const float *, const float4 *, float4 *, int);
X(1, 256)
X(2, 256)
X(4, 256)
X(8, 128)
