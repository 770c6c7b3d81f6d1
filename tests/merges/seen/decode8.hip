// Decoding: one query a group of lanes, keys and values as bytes with a scale, or as half.
#include <hip/hip_runtime.h>

template <int D, int G, int T, int PER>
__global__ __launch_bounds__(T, PER) void decode(const float *__restrict__ q,
	const void *__restrict__ k, const void *__restrict__ v, const float *__restrict__ ks,
	const float *__restrict__ vs, float *__restrict__ out, int len, bool bytes)
{
	constexpr int E = D / G;
	const int part = threadIdx.x % G, first = threadIdx.x / G;
	float qr[E], o[E] = {};
#pragma unroll
	for (int i = 0; i < E; ++i) {
		qr[i] = q[blockIdx.x * D + part * E + i];
	}
	float m = -1e30f, l = 0.f;
	for (int t = first; t < len; t += T / G) {
		float kr[E], vr[E];
		const size_t at = (size_t)t * D + part * E;
		if (bytes) {
			const float a = ks[t], b = vs[t];
#pragma unroll
			for (int i = 0; i < E / 4; ++i) {
				const char4 kc = ((const char4 *)((const char *)k + at))[i];
				const char4 vc = ((const char4 *)((const char *)v + at))[i];
				kr[i * 4] = a * kc.x, kr[i * 4 + 1] = a * kc.y,
				       kr[i * 4 + 2] = a * kc.z, kr[i * 4 + 3] = a * kc.w;
				vr[i * 4] = b * vc.x, vr[i * 4 + 1] = b * vc.y,
				       vr[i * 4 + 2] = b * vc.z, vr[i * 4 + 3] = b * vc.w;
			}
		} else {
#pragma unroll
			for (int i = 0; i < E; ++i) {
				kr[i] = (float)((const _Float16 *)k)[at + i];
				vr[i] = (float)((const _Float16 *)v)[at + i];
			}
		}
		float s = 0.f;
#pragma unroll
		for (int i = 0; i < E; ++i) {
			s += qr[i] * kr[i];
		}
#pragma unroll
		for (int d = G / 2; d > 0; d /= 2) {
			s += __shfl_xor(s, d);
		}
		const float top = fmaxf(m, s), back = __expf(m - top), p = __expf(s - top);
		m = top;
		l = l * back + p;
#pragma unroll
		for (int i = 0; i < E; ++i) {
			o[i] = o[i] * back + p * vr[i];
		}
	}
#pragma unroll
	for (int i = 0; i < E; ++i) {
		out[((size_t)blockIdx.x * (T / G) + first) * D + part * E + i] = o[i] / l;
	}
}
#define X(...)                                                                                     \
	template __global__ void decode<__VA_ARGS__>(const float *, const void *, const void *,    \
		const float *, const float *, float *, int, bool);
X(128, 8, 256, 2)
X(128, 4, 256, 1)
X(256, 4, 128, 1)
X(64, 1, 64, 1)
