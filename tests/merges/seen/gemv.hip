// Products of a few vectors with a matrix: float4 loads under way, the tail of a row by itself.
#include <hip/hip_runtime.h>

template <int LOADS, int VECS, int T, bool WAVE>
__global__ void __launch_bounds__(T) gemv(const float4 *__restrict__ m,
	const float4 *__restrict__ v, float *__restrict__ out, int n4, int rows)
{
	const int wave = threadIdx.x / 64, lane = threadIdx.x % 64;
	const int row = blockIdx.x * (T / 64) + wave;
	const int limit = WAVE ? n4 - row : n4;
	float acc[VECS][4] = {};
	for (int i = 0; i < n4; i += 64 * LOADS) {
		if (i + 64 * LOADS <= limit) {
			float4 r[LOADS];
#pragma unroll
			for (int u = 0; u < LOADS; u++) {
				r[u] = m[(size_t)row * n4 + i + u * 64 + lane];
			}
#pragma unroll
			for (int u = 0; u < LOADS; u++) {
#pragma unroll
				for (int b = 0; b < VECS; b++) {
					const float4 x = v[b * n4 + i + u * 64 + lane];
					acc[b][0] += r[u].x * x.x;
					acc[b][1] += r[u].y * x.y;
					acc[b][2] += r[u].z * x.z;
					acc[b][3] += r[u].w * x.w;
				}
			}
		} else {
			for (int u = i + lane; u < n4; u += 64) {
				const float4 r = m[(size_t)row * n4 + u];
#pragma unroll
				for (int b = 0; b < VECS; b++) {
					acc[b][0] += r.x * v[b * n4 + u].x;
					acc[b][1] += r.y * v[b * n4 + u].y;
					acc[b][2] += r.z * v[b * n4 + u].z;
					acc[b][3] += r.w * v[b * n4 + u].w;
				}
			}
		}
	}
#pragma unroll
	for (int b = 0; b < VECS; b++) {
		float s = acc[b][0] + acc[b][1] + acc[b][2] + acc[b][3];
		for (int d = 1; d < 64; d *= 2) {
			s += __shfl_xor(s, d);
		}
		if (lane == 0) {
			out[b * rows + row] = s;
		}
	}
}
#define G(...)                                                                                     \
	template __global__ void gemv<__VA_ARGS__>(                                                \
		const float4 *, const float4 *, float *, int, int);
G(4, 4, 256, false)
G(8, 4, 256, false)
G(8, 8, 256, false)
G(16, 8, 256, false)
G(16, 4, 512, false)
G(32, 4, 256, false)
G(4, 16, 256, false)
G(8, 8, 256, true)
G(16, 8, 1024, false)
