// Weights of 4 bits or 8 bits by uint4: many loads under way, then a switch over the format.
#include <hip/hip_runtime.h>

typedef float floatx4 __attribute__((ext_vector_type(4)));
typedef _Float16 half4 __attribute__((ext_vector_type(4)));

__device__ __forceinline__ half4 low4(unsigned w)
{
	return half4{(_Float16)(float)(w & 15), (_Float16)(float)(w >> 4 & 15),
		(_Float16)(float)(w >> 8 & 15), (_Float16)(float)(w >> 12 & 15)};
}
__device__ __forceinline__ half4 bytes4(unsigned w)
{
	return half4{(_Float16)(float)(w & 255), (_Float16)(float)(w >> 8 & 255),
		(_Float16)(float)(w >> 16 & 255), (_Float16)(float)(w >> 24)};
}

template <int LOADS, int ROWS, int BOUND>
__global__ void __launch_bounds__(BOUND) dequant(const uint4 *__restrict__ w,
	const half4 *__restrict__ x, floatx4 *__restrict__ o, int steps, int format, float zero)
{
	const int lane = threadIdx.x & 63;
	const int wave = blockIdx.x * (BOUND / 64) + (threadIdx.x >> 6);
	floatx4 acc[ROWS] = {};
	for (int s = 0; s < steps; ++s) {
		uint4 raw[LOADS];
#pragma unroll
		for (int i = 0; i < LOADS; ++i) {
			raw[i] = w[((size_t)wave * steps + s) * LOADS * 64 + i * 64 + lane];
		}
		if (format == 4) {
#pragma unroll
			for (int i = 0; i < LOADS; ++i) {
				const half4 v = low4(raw[i].x);
				const half4 u = low4(raw[i].x >> 16);
				acc[i % ROWS] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					v, x[s * 128 + i * 64 + lane], acc[i % ROWS], 0, 0, 0);
				acc[(i + 1) % ROWS] =
					__builtin_amdgcn_mfma_f32_16x16x16f16(u + low4(raw[i].y),
						x[s * 128 + lane], acc[(i + 1) % ROWS], 0, 0, 0);
			}
		} else {
#pragma unroll
			for (int i = 0; i < LOADS; ++i) {
				const half4 v = bytes4(raw[i].x) - (_Float16)zero;
				acc[i % ROWS] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					v + bytes4(raw[i].z) * bytes4(raw[i].w), x[s * 64 + lane],
					acc[i % ROWS], 0, 0, 0);
			}
		}
	}
#pragma unroll
	for (int i = 0; i < ROWS; ++i) {
		o[((size_t)wave * ROWS + i) * 64 + lane] = acc[i];
	}
}

#define DEQUANT(...)                                                                               \
	template __global__ void dequant<__VA_ARGS__>(                                             \
		const uint4 *, const half4 *, floatx4 *, int, int, float);
DEQUANT(4, 4, 256)
DEQUANT(8, 4, 256)
DEQUANT(8, 8, 256)
DEQUANT(16, 8, 256)
DEQUANT(32, 4, 256)
DEQUANT(32, 8, 512)
DEQUANT(16, 16, 64)
DEQUANT(32, 16, 256)
DEQUANT(8, 16, 1024)
DEQUANT(16, 4, 512)
