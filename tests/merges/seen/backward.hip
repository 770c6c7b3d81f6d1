// Attention backward: two accumulators, dK and dV; a block of queries is whole or masked.
#include <hip/hip_runtime.h>

typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float float4_ __attribute__((ext_vector_type(4)));
#define MMA __builtin_amdgcn_mfma_f32_16x16x16f16

template <int D, int T, bool CAUSAL_LOADED>
__launch_bounds__(T) __global__ void backward(const half4 *__restrict__ q,
	const half4 *__restrict__ k, const half4 *__restrict__ go, const float *__restrict__ lse,
	float4_ *__restrict__ dk, float4_ *__restrict__ dv, const int *__restrict__ kinds,
	int blocks, float scale)
{
	constexpr int F = D / 16;
	__shared__ half4 sq[F][64], sg[F][64];
	const int lane = threadIdx.x & 63;
	float4_ accK[F], accV[F];
	half4 fk[F];
#pragma unroll
	for (int f = 0; f < F; ++f) {
		accK[f] = accV[f] = float4_{0, 0, 0, 0};
		fk[f] = k[(blockIdx.x * F + f) * 64 + lane];
	}
	for (int b = 0; b < blocks; ++b) {
		__syncthreads();
		for (int i = threadIdx.x; i < F * 64; i += T) {
			sq[i / 64][i % 64] = q[b * F * 64 + i];
			sg[i / 64][i % 64] = go[b * F * 64 + i];
		}
		__syncthreads();
		float4_ s = {0, 0, 0, 0}, g = {0, 0, 0, 0};
#pragma unroll
		for (int f = 0; f < F; ++f) {
			s = MMA(sq[f][lane], fk[f], s, 0, 0, 0);
			g = MMA(sg[f][lane], fk[f], g, 0, 0, 0);
		}
		if (CAUSAL_LOADED ? kinds[b] == 0 : b > (int)blockIdx.x) {
			half4 p, d;
#pragma unroll
			for (int e = 0; e < 4; ++e) {
				const float x = __expf(s[e] * scale - lse[b * 16 + e]);
				p[e] = (_Float16)x;
				d[e] = (_Float16)(x * g[e]);
			}
#pragma unroll
			for (int f = 0; f < F; ++f) {
				accV[f] = MMA(p, sg[f][lane], accV[f], 0, 0, 0);
				accK[f] = MMA(d, sq[f][lane], accK[f], 0, 0, 0);
			}
		} else {
			half4 p, d;
#pragma unroll
			for (int e = 0; e < 4; ++e) {
				const bool seen = (lane & 15) <= (lane >> 4) * 4 + e;
				const float x = seen ? __expf(s[e] * scale - lse[b * 16 + e]) : 0.f;
				p[e] = (_Float16)x;
				d[e] = (_Float16)(x * (g[e] - lse[b * 16 + 8 + e]));
			}
#pragma unroll
			for (int f = 0; f < F; ++f) {
				accV[f] = MMA(p, sg[f][lane], accV[f], 0, 0, 0);
				accK[f] = MMA(d, sq[f][lane], accK[f], 0, 0, 0);
			}
		}
	}
#pragma unroll
	for (int f = 0; f < F; ++f) {
		dk[(blockIdx.x * F + f) * T + threadIdx.x] = accK[f] * scale;
		dv[(blockIdx.x * F + f) * T + threadIdx.x] = accV[f];
	}
}
#define INST(D, T, L)                                                                              \
	template __global__ void backward<D, T, L>(const half4 *, const half4 *, const half4 *,    \
		const float *, float4_ *, float4_ *, const int *, int, float);
INST(32, 256, false)
INST(64, 256, false)
INST(64, 256, true)
INST(128, 256, false)
INST(128, 256, true)
INST(128, 512, false)
INST(192, 256, false)
INST(96, 64, false)
INST(64, 1024, true)
