// One expert's up projection and its activation: an accumulator a gate and one a value, nested
// arms by kind.
#include <hip/hip_runtime.h>

using h4 = _Float16 __attribute__((ext_vector_type(4)));
using f4 = float __attribute__((ext_vector_type(4)));
enum Kind {
	SILU,
	GELU,
	RELU
};

__device__ inline float silu(float x)
{
	return x / (1.f + __expf(-x));
}
__device__ inline float gelu(float x)
{
	return 0.5f * x * (1.f + tanhf(0.79788456f * (x + 0.044715f * x * x * x)));
}

template <int NT, int T, int PER>
__global__ void __launch_bounds__(T, PER)
	moe(const _Float16 *__restrict__ x, const _Float16 *__restrict__ w,
		const int *__restrict__ token, const float *__restrict__ bias,
		_Float16 *__restrict__ y, int hidden, int width, int kind, int tokens, bool gated)
{
	const int lane = threadIdx.x & 63, wave = threadIdx.x >> 6;
	const int expert = blockIdx.y, t0 = blockIdx.x * 16;
	const int src = t0 + (lane & 15) < tokens ? token[expert * tokens + t0 + (lane & 15)] : 0;
	f4 gate[NT], val[NT];
#pragma unroll
	for (int n = 0; n < NT; ++n) {
		gate[n] = val[n] = f4{0.f, 0.f, 0.f, 0.f};
	}
	const _Float16 *wg = w + ((size_t)expert * 2 * width + wave * NT * 16) * hidden;
	const _Float16 *wv = wg + (size_t)width * hidden;
	for (int k = 0; k < hidden; k += 16) {
		const h4 a = *(const h4 *)&x[(size_t)src * hidden + k + lane / 16 * 4];
		if (gated) {
#pragma unroll
			for (int n = 0; n < NT; ++n) {
				const h4 g =
					*(const h4 *)&wg[(size_t)(n * 16 + (lane & 15)) * hidden +
							 k + lane / 16 * 4];
				const h4 v =
					*(const h4 *)&wv[(size_t)(n * 16 + (lane & 15)) * hidden +
							 k + lane / 16 * 4];
				gate[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					a, g, gate[n], 0, 0, 0);
				val[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					a, v, val[n], 0, 0, 0);
			}
		} else {
#pragma unroll
			for (int n = 0; n < NT; ++n) {
				const h4 v =
					*(const h4 *)&wv[(size_t)(n * 16 + (lane & 15)) * hidden +
							 k + lane / 16 * 4];
				val[n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					a, v, val[n], 0, 0, 0);
			}
		}
	}
#pragma unroll
	for (int n = 0; n < NT; ++n)
#pragma unroll
		for (int i = 0; i < 4; ++i) {
			float r = val[n][i] +
				  bias[expert * width + wave * NT * 16 + n * 16 + (lane & 15)];
			if (gated) {
				r *= kind == SILU   ? silu(gate[n][i])
				     : kind == GELU ? gelu(gate[n][i])
						    : fmaxf(gate[n][i], 0.f);
			}
			y[(size_t)(t0 + lane / 16 * 4 + i) * width + wave * NT * 16 + n * 16 +
				(lane & 15)] = (_Float16)r;
		}
}
#define X(...)                                                                                     \
	template __global__ void moe<__VA_ARGS__>(const _Float16 *, const _Float16 *, const int *, \
		const float *, _Float16 *, int, int, int, int, bool);
X(2, 256, 4)
X(4, 256, 2)
X(8, 256, 2)
X(8, 512, 1)
