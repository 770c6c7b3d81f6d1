// Latent attention: a page of keys, whole or not, of fp16; the state in a struct that functions
// are given.
#include <hip/hip_runtime.h>

using h4 = _Float16 __attribute__((ext_vector_type(4)));
using f4 = float __attribute__((ext_vector_type(4)));

template <int F> struct latent {
	f4 o[F];
	float m = -1e30f, l = 0.f;
};

template <int F, bool WHOLE>
__device__ void page(latent<F> &st, const h4 *q, const h4 *kv, int keys)
{
	const int t = threadIdx.x & 63;
	f4 s = {0, 0, 0, 0};
	for (int f = 0; f < F; f++) {
		h4 k = kv[f * 64 + t];
		if (!WHOLE && (t & 15) >= keys) {
			k = h4{0, 0, 0, 0};
		}
		s = __builtin_amdgcn_mfma_f32_16x16x16f16(k, q[f * 64 + t], s, 0, 0, 0);
	}
	float m = st.m;
	for (int e = 0; e < 4; e++) {
		if (!WHOLE && (t >> 4) * 4 + e >= keys) {
			s[e] = -1e30f;
		}
		m = s[e] > m ? s[e] : m;
	}
	m = fmaxf(m, __shfl_xor(m, 16));
	m = fmaxf(m, __shfl_xor(m, 32));
	const float c = __expf(st.m - m);
	h4 p;
	float sum = 0;
	for (int e = 0; e < 4; e++) {
		float x = __expf(s[e] - m);
		sum += x;
		p[e] = (_Float16)x;
	}
	st.m = m;
	st.l = st.l * c + sum;
	for (int f = 0; f < F; f++) {
		h4 v = kv[f * 64 + (t ^ 5)];
		st.o[f] = __builtin_amdgcn_mfma_f32_16x16x16f16(v, p, st.o[f] * c, 0, 0, 0);
	}
}

template <int F, int THREADS>
__global__ __launch_bounds__(THREADS) void mla(
	const h4 *q, const h4 *kv, const int *table, const int *len, float *out, int pages)
{
	const int seq = blockIdx.x, n = len[seq];
	latent<F> st{};
	q += (size_t)(blockIdx.y * (THREADS / 64) + threadIdx.x / 64) * F * 64;
	for (int i = 0; i * 16 < n; i++) {
		const h4 *at = kv + (size_t)table[seq * pages + i] * F * 64;
		if (i * 16 + 16 <= n) {
			page<F, true>(st, q, at, 16);
		} else {
			page<F, false>(st, q, at, n - i * 16);
		}
	}
	float l = st.l + __shfl_xor(st.l, 16);
	l += __shfl_xor(l, 32);
	for (int f = 0; f < F; f++) {
		for (int e = 0; e < 4; e++) {
			out[((size_t)blockIdx.y * F + f) * THREADS * 4 + threadIdx.x * 4 + e] =
				st.o[f][e] / l;
		}
	}
}
template __global__ void mla<8, 256>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<16, 256>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<24, 256>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<32, 256>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<32, 512>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<16, 1024>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<40, 64>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
template __global__ void mla<20, 128>(
	const h4 *, const h4 *, const int *, const int *, float *, int);
