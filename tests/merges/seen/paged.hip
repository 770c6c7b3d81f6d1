// Paged attention with 32x32x8: a page that is whole, one that ends early; scores in LDS.
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

using half4 = __attribute__((ext_vector_type(4))) _Float16;
using float16v = __attribute__((ext_vector_type(16))) float;

template <int HEAD, int THREADS>
__global__ void __launch_bounds__(THREADS) paged(const half4 *__restrict__ q,
	const half4 *__restrict__ kcache, const half4 *__restrict__ vcache,
	const int *__restrict__ block_tables, const int *__restrict__ context_lens,
	float *__restrict__ out, int max_blocks, float scale)
{
	constexpr int STEPS = HEAD / 8;
	constexpr int OUT = HEAD / 32;
	__shared__ float red[THREADS];
	const int lane = threadIdx.x & 63;
	const int warp = threadIdx.x >> 6;
	const int seq = blockIdx.y;
	const int len = context_lens[seq];
	float16v o[OUT];
	for (int i = 0; i < OUT; i++) {
		for (int r = 0; r < 16; r++) {
			o[i][r] = 0.f;
		}
	}
	float m = -INFINITY, l = 0.f;
	const half4 *qp = q + ((size_t)seq * gridDim.x + blockIdx.x) * STEPS * 64;
	const int blocks = (len + 31) / 32;
	for (int b = warp; b < blocks; b += THREADS / 64) {
		const int phys = block_tables[seq * max_blocks + b];
		const half4 *kp = kcache + (size_t)phys * STEPS * 64;
		const half4 *vp = vcache + (size_t)phys * OUT * 4 * 64;
		float16v s = {0};
		for (int d = 0; d < STEPS; d++) {
			s = __builtin_amdgcn_mfma_f32_32x32x8f16(
				kp[d * 64 + lane], qp[d * 64 + lane], s, 0, 0, 0);
		}
		const int left = len - b * 32;
		if (left >= 32) {
			float mx = m;
			for (int r = 0; r < 16; r++) {
				mx = fmaxf(mx, s[r] * scale);
			}
			mx = fmaxf(mx, __shfl_xor(mx, 32));
			const float f = __expf(m - mx);
			l *= f;
			m = mx;
			half4 p[4];
			for (int r = 0; r < 16; r++) {
				const float e = __expf(s[r] * scale - mx);
				l += e;
				p[r / 4][r % 4] = (_Float16)e;
			}
			for (int i = 0; i < OUT; i++) {
				o[i] *= f;
				for (int k = 0; k < 4; k++) {
					o[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						vp[(i * 4 + k) * 64 + lane], p[k], o[i], 0, 0, 0);
				}
			}
		} else {
			float mx = m;
			for (int r = 0; r < 16; r++) {
				const int key = (r / 4) * 8 + (lane / 32) * 4 + r % 4;
				s[r] = key < left ? s[r] * scale : -INFINITY;
				mx = fmaxf(mx, s[r]);
			}
			mx = fmaxf(mx, __shfl_xor(mx, 32));
			const float f = __expf(m - mx);
			l *= f;
			m = mx;
			half4 p[4];
			for (int r = 0; r < 16; r++) {
				const float e = __expf(s[r] - mx);
				l += e;
				p[r / 4][r % 4] = (_Float16)e;
			}
			for (int i = 0; i < OUT; i++) {
				o[i] *= f;
				for (int k = 0; k * 8 < left; k++) {
					o[i] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						vp[(i * 4 + k) * 64 + lane], p[k & 3], o[i], 0, 0,
						0);
				}
			}
		}
	}
	red[threadIdx.x] = l;
	__syncthreads();
	float sum = 0.f;
	for (int w = 0; w < THREADS / 64; w++) {
		sum += red[w * 64 + lane];
	}
	for (int i = 0; i < OUT; i++) {
		for (int r = 0; r < 16; r++) {
			atomicAdd(&out[(((size_t)seq * gridDim.x + blockIdx.x) * OUT + i) * 1024 +
					  r * 64 + lane],
				o[i][r] / sum);
		}
	}
}
#define PAGED(...)                                                                                 \
	template __global__ void paged<__VA_ARGS__>(const half4 *, const half4 *, const half4 *,   \
		const int *, const int *, float *, int, float);
PAGED(32, 256)
PAGED(64, 256)
PAGED(128, 256)
PAGED(64, 512)
PAGED(128, 512)
PAGED(256, 128)
PAGED(64, 1024)
