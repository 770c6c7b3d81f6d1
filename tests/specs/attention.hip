#include <hip/hip_runtime.h>
#define D 32
#define BK 32
// sliding-window attention: query i sees keys j with i - window < j <= i and, if there is a mask,
// mask[j] != 0; a block has 64 queries of one head; keys go through LDS in tiles of BK
__global__ __launch_bounds__(64) void attention(const float *q, const float *k, const float *v,
	const unsigned char *mask, float *out, int seq, int kv_heads, int window, float scale)
{
	__shared__ float ks[BK][D];
	__shared__ float vs[BK][D];
	const int i = blockIdx.x * 64 + threadIdx.x;
	const int head = blockIdx.y;
	const int heads = gridDim.y;
	const int kv = head / (heads / kv_heads);
	float qr[D], acc[D];
	float m = -INFINITY, l = 0.f;
	for (int d = 0; d < D; ++d) {
		qr[d] = i < seq ? q[((size_t)i * heads + head) * D + d] * scale : 0.f;
		acc[d] = 0.f;
	}
	for (int j0 = 0; j0 < seq; j0 += BK) {
		for (int e = threadIdx.x; e < BK * D; e += 64) {
			const int j = j0 + e / D;
			ks[e / D][e % D] =
				j < seq ? k[((size_t)j * kv_heads + kv) * D + e % D] : 0.f;
			vs[e / D][e % D] =
				j < seq ? v[((size_t)j * kv_heads + kv) * D + e % D] : 0.f;
		}
		__syncthreads();
		for (int t = 0; t < BK; ++t) {
			const int j = j0 + t;
			const bool visible =
				j <= i && j > i - window && j < seq && (!mask || mask[j]);
			if (!visible) {
				continue;
			}
			float s = 0.f;
			for (int d = 0; d < D; ++d) {
				s += qr[d] * ks[t][d];
			}
			const float mn = fmaxf(m, s);
			const float r = expf(m - mn), p = expf(s - mn);
			l = l * r + p;
			for (int d = 0; d < D; ++d) {
				acc[d] = acc[d] * r + p * vs[t][d];
			}
			m = mn;
		}
		__syncthreads();
	}
	if (i >= seq) {
		return;
	}
	const float inv = l > 0.f ? 1.f / l : 0.f;
	for (int d = 0; d < D; ++d) {
		out[((size_t)i * heads + head) * D + d] = acc[d] * inv;
	}
}
