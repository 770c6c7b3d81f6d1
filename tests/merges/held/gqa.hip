// Grouped queries on one cached head: scores by matrix operations, values by another; a sliding
// window has its own arm.
#include <hip/hip_runtime.h>

using b4 = short __attribute__((ext_vector_type(4)));
using v4 = float __attribute__((ext_vector_type(4)));

template <int D, int T>
__device__ __forceinline__ void block(const b4 (&q)[D / 16], const b4 *__restrict__ k,
	const b4 *__restrict__ v, v4 (&o)[D / 16], float &l, int lane, float bias)
{
	v4 s = {bias, bias, bias, bias};
#pragma unroll
	for (int d = 0; d < D / 16; ++d) {
		s = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(q[d], k[d * 64 + lane], s, 0, 0, 0);
	}
	b4 p;
#pragma unroll
	for (int i = 0; i < 4; ++i) {
		const float e = __expf(s[i]);
		l += e;
		p[i] = (short)(__float_as_uint(e) >> 16);
	}
#pragma unroll
	for (int d = 0; d < D / 16; ++d) {
		o[d] = __builtin_amdgcn_mfma_f32_16x16x16bf16_1k(
			p, v[d * 64 + lane], o[d], 0, 0, 0);
	}
}

template <int D, int T, int PER>
__global__ __launch_bounds__(T, PER) void gqa(const b4 *__restrict__ q, const b4 *__restrict__ k,
	const b4 *__restrict__ v, const float *__restrict__ slope, v4 *__restrict__ out, int blocks,
	int window)
{
	const int lane = threadIdx.x & 63, wave = threadIdx.x >> 6;
	b4 fq[D / 16];
	v4 o[D / 16] = {};
	float l = 0.f;
#pragma unroll
	for (int d = 0; d < D / 16; ++d) {
		fq[d] = q[((blockIdx.x * (T / 64) + wave) * (D / 16) + d) * 64 + lane];
	}
	for (int b = 0; b < blocks; ++b) {
		const b4 *kb = k + (size_t)b * D * 4, *vb = v + (size_t)b * D * 4;
		if (b < blocks - window) {
			block<D, T>(fq, kb, vb, o, l, lane, slope[b]);
		} else {
			block<D, T>(fq, kb, vb, o, l, lane, 0.f);
			l *= 1.0001f;
		}
	}
#pragma unroll
	for (int d = 0; d < D / 16; ++d) {
		out[((blockIdx.x * (T / 64) + wave) * (D / 16) + d) * 64 + lane] = o[d] / l;
	}
}
#define X(...)                                                                                     \
	template __global__ void gqa<__VA_ARGS__>(                                                 \
		const b4 *, const b4 *, const b4 *, const float *, v4 *, int, int);
X(64, 256, 2)
X(128, 256, 1)
X(128, 512, 2)
X(256, 256, 2)
