// A row of values in registers, read once; residual or not; normalised and written.
#include <hip/hip_runtime.h>

template <int N, int BOUND, bool LANES>
__global__ void __launch_bounds__(BOUND) rows(const float4 *__restrict__ x,
	const float4 *__restrict__ residual, const float4 *__restrict__ gain,
	float4 *__restrict__ y, int steps, int fused, float eps)
{
	const size_t base = (size_t)blockIdx.x * N * BOUND + threadIdx.x;
	float4 v[N];
#pragma unroll
	for (int i = 0; i < N; ++i) {
		v[i] = x[base + i * BOUND];
	}
	for (int s = 0; s < steps; ++s) {
		if (LANES ? (int)threadIdx.x + s < fused : s < fused) {
#pragma unroll
			for (int i = 0; i < N; ++i) {
				const float4 r =
					residual[(size_t)s * N * BOUND + i * BOUND + threadIdx.x];
				v[i].x += r.x;
				v[i].y += r.y;
				v[i].z += r.z;
				v[i].w += r.w;
			}
		} else {
			const float4 g = gain[s];
#pragma unroll
			for (int i = 0; i < N; ++i) {
				v[i].x = v[i].x * g.x + eps;
				v[i].y = v[i].y * g.y + eps;
				v[i].z = v[i].z * g.z + eps;
				v[i].w = v[i].w * g.w + eps;
			}
		}
	}
	float sum = 0.f;
#pragma unroll
	for (int i = 0; i < N; ++i) {
		sum += v[i].x * v[i].x + v[i].y * v[i].y + v[i].z * v[i].z + v[i].w * v[i].w;
	}
	for (int d = 32; d > 0; d /= 2) {
		sum += __shfl_xor(sum, d);
	}
	const float inv = rsqrtf(sum / (N * 4) + eps);
#pragma unroll
	for (int i = 0; i < N; ++i) {
		y[base + i * BOUND] =
			make_float4(v[i].x * inv, v[i].y * inv, v[i].z * inv, v[i].w * inv);
	}
}

#define ROWS(...)                                                                                  \
	template __global__ void rows<__VA_ARGS__>(                                                \
		const float4 *, const float4 *, const float4 *, float4 *, int, int, float);
ROWS(4, 256, false)
ROWS(8, 256, false)
ROWS(16, 256, false)
ROWS(16, 512, false)
ROWS(24, 256, false)
ROWS(8, 1024, false)
ROWS(16, 1024, false)
ROWS(8, 256, true)
ROWS(16, 256, true)
ROWS(24, 512, true)
