// Flash attention forward, K and V tiles through LDS; a tile on the diagonal is masked, one
// below it is not.
#include <hip/hip_runtime.h>

using half4 = _Float16 __attribute__((ext_vector_type(4)));
using f32x4 = float __attribute__((ext_vector_type(4)));

struct Params {
	const _Float16 *q, *k, *v;
	_Float16 *o;
	int len, stride;
	float scale;
};

template <int N> __device__ __forceinline__ float row_max(const f32x4 (&s)[N], int i)
{
	float m = s[0][i];
#pragma unroll
	for (int n = 1; n < N; ++n) {
		m = fmaxf(m, s[n][i]);
	}
#pragma unroll
	for (int d = 8; d > 0; d /= 2) {
		m = fmaxf(m, __shfl_xor(m, d));
	}
	return m;
}

template <int D, int KEYS, bool MASKED> struct Step {
	static __device__ __forceinline__ void run(const half4 (&q)[D / 16], const _Float16 *sk,
		const _Float16 *sv, f32x4 (&o)[D / 16], float (&m)[4], float (&l)[4], float scale,
		int row, int key)
	{
		const int lane = threadIdx.x & 63, col = lane & 15, quad = lane >> 4;
		f32x4 s[KEYS / 16];
#pragma unroll
		for (int n = 0; n < KEYS / 16; ++n) {
			s[n] = f32x4{};
#pragma unroll
			for (int d = 0; d < D / 16; ++d) {
				const half4 kf = *(const half4
						*)&sk[(n * 16 + col) * (D + 8) + d * 16 + quad * 4];
				s[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					q[d], kf, s[n], 0, 0, 0);
			}
			if constexpr (MASKED) {
#pragma unroll
				for (int i = 0; i < 4; ++i) {
					s[n][i] = key + n * 16 + col <= row + quad * 4 + i ? s[n][i]
											   : -1e30f;
				}
			}
		}
		half4 p[KEYS / 16];
#pragma unroll
		for (int i = 0; i < 4; ++i) {
			const float top = fmaxf(m[i], row_max(s, i) * scale);
			const float back = __expf(m[i] - top);
			m[i] = top;
			l[i] *= back;
#pragma unroll
			for (int d = 0; d < D / 16; ++d) {
				o[d][i] *= back;
			}
#pragma unroll
			for (int n = 0; n < KEYS / 16; ++n) {
				const float e = __expf(s[n][i] * scale - top);
				l[i] += e;
				p[n][i] = (_Float16)e;
			}
		}
#pragma unroll
		for (int d = 0; d < D / 16; ++d)
#pragma unroll
			for (int n = 0; n < KEYS / 16; ++n) {
				half4 vf;
#pragma unroll
				for (int i = 0; i < 4; ++i) {
					vf[i] = sv[(n * 16 + quad * 4 + i) * (D + 8) + d * 16 +
						   col];
				}
				o[d] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					p[n], vf, o[d], 0, 0, 0);
			}
	}
};

template <int D, int KEYS, int T, int PER> __global__ __launch_bounds__(T, PER) void flash(Params p)
{
	__shared__ _Float16 sk[KEYS * (D + 8)], sv[KEYS * (D + 8)];
	const int wave = threadIdx.x / 64, lane = threadIdx.x & 63;
	const int row = (blockIdx.x * (T / 64) + wave) * 16;
	half4 q[D / 16];
#pragma unroll
	for (int d = 0; d < D / 16; ++d) {
		q[d] = *(const half4 *)&p
				.q[(size_t)(row + (lane & 15)) * p.stride + d * 16 + lane / 16 * 4];
	}
	f32x4 o[D / 16] = {};
	float m[4] = {-1e30f, -1e30f, -1e30f, -1e30f}, l[4] = {};
	const int last = (int)(blockIdx.x + 1) * (T / 64) * 16;
	for (int key = 0; key < last; key += KEYS) {
		__syncthreads();
		for (int i = threadIdx.x; i < KEYS * D / 8; i += T) {
			const int r = i / (D / 8), c = i % (D / 8) * 8;
			*(uint4 *)&sk[r * (D + 8) + c] =
				*(const uint4 *)&p.k[(size_t)(key + r) * p.stride + c];
			*(uint4 *)&sv[r * (D + 8) + c] =
				*(const uint4 *)&p.v[(size_t)(key + r) * p.stride + c];
		}
		__syncthreads();
		if (key + KEYS > (int)blockIdx.x * (T / 64) * 16) {
			Step<D, KEYS, true>::run(q, sk, sv, o, m, l, p.scale, row, key);
		} else {
			Step<D, KEYS, false>::run(q, sk, sv, o, m, l, p.scale, row, key);
		}
	}
#pragma unroll
	for (int d = 0; d < D / 16; ++d)
#pragma unroll
		for (int i = 0; i < 4; ++i) {
			p.o[(size_t)(row + lane / 16 * 4 + i) * p.stride + d * 16 + (lane & 15)] =
				(_Float16)(o[d][i] / l[i]);
		}
}
template __global__ void flash<64, 32, 256, 2>(Params);
template __global__ void flash<128, 32, 256, 2>(Params);
template __global__ void flash<128, 64, 256, 1>(Params);
template __global__ void flash<256, 32, 512, 1>(Params);
