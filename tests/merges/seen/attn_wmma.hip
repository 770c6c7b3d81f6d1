// Attention scores and values by WMMA, a block of keys through LDS; blocks whose mask is all
// zero are skipped.
#include <hip/hip_runtime.h>

typedef _Float16 h16 __attribute__((ext_vector_type(16)));
typedef float f8 __attribute__((ext_vector_type(8)));

template <int D, int T>
__global__ __launch_bounds__(T) void attend(const _Float16 *__restrict__ q,
	const _Float16 *__restrict__ k, const _Float16 *__restrict__ v,
	const unsigned char *__restrict__ mask, float *__restrict__ out, int len, float scale)
{
	__shared__ _Float16 sk[16][D + 8], sv[16][D + 8], sp[T / 32][16][16];
	const int lane = threadIdx.x % 16, half = threadIdx.x / 16 % 2, wave = threadIdx.x / 32;
	const size_t row = (blockIdx.x * (T / 32) + wave) * 16;
	h16 fq[D / 16];
#pragma unroll
	for (int d = 0; d < D / 16; ++d)
#pragma unroll
		for (int e = 0; e < 16; ++e) {
			fq[d][e] = q[(row + lane) * D + d * 16 + e];
		}
	f8 o[D / 16] = {}, l = {};
	for (int t = 0; t < len; t += 16) {
		if (mask[blockIdx.x * (len / 16) + t / 16]) {
			__syncthreads();
			for (int i = threadIdx.x; i < 16 * D / 8; i += T) {
				*(uint4 *)&sk[i / (D / 8)][i % (D / 8) * 8] =
					*(const uint4 *)&k[(size_t)t * D + i * 8];
				*(uint4 *)&sv[i / (D / 8)][i % (D / 8) * 8] =
					*(const uint4 *)&v[(size_t)t * D + i * 8];
			}
			__syncthreads();
			f8 s = {};
#pragma unroll
			for (int d = 0; d < D / 16; ++d) {
				h16 fk;
#pragma unroll
				for (int e = 0; e < 16; ++e) {
					fk[e] = sk[lane][d * 16 + e];
				}
				s = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(fq[d], fk, s);
			}
#pragma unroll
			for (int e = 0; e < 8; ++e) {
				const float p = __expf(s[e] * scale);
				l[e] += p;
				sp[wave][e * 2 + half][lane] = (_Float16)p;
			}
			__builtin_amdgcn_wave_barrier();
			h16 fp;
#pragma unroll
			for (int e = 0; e < 16; ++e) {
				fp[e] = sp[wave][lane][e];
			}
#pragma unroll
			for (int d = 0; d < D / 16; ++d) {
				h16 fv;
#pragma unroll
				for (int e = 0; e < 16; ++e) {
					fv[e] = sv[e][d * 16 + lane];
				}
				o[d] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(fp, fv, o[d]);
			}
		}
	}
#pragma unroll
	for (int d = 0; d < D / 16; ++d)
#pragma unroll
		for (int e = 0; e < 8; ++e) {
			out[(row + e * 2 + half) * D + d * 16 + lane] = o[d][e] / l[e];
		}
}
#define X(...)                                                                                     \
	template __global__ void attend<__VA_ARGS__>(const _Float16 *, const _Float16 *,           \
		const _Float16 *, const unsigned char *, float *, int, float);
X(64, 128)
X(128, 128)
X(128, 256)
