#include <hip/hip_runtime.h>

using f32x16 = __attribute__((ext_vector_type(16))) float;
using f16x4 = __attribute__((ext_vector_type(4))) _Float16;

/* GEMM through LDS with two buffers; the last wave copies, three waves compute */
__global__ void __launch_bounds__(256) u_producer(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	__shared__ _Float16 x[2][32 * 8], y[2][96 * 8];
	const int wave = threadIdx.x / 64, lane = threadIdx.x % 64, row = blockIdx.y * 32,
		  col = blockIdx.x * 96;
	const int steps = (k + 7) / 8;
	f32x16 acc = {};
	for (int s = 0; s <= steps; ++s) {
		if (wave == 3) {
			if (s < steps) {
				for (int i = lane; i < 32 * 8; i += 64) {
					const int r = row + i / 8, at = s * 8 + i % 8;
					x[s & 1][i] = r < m && at < k ? a[r * k + at] : (_Float16)0;
				}
				for (int i = lane; i < 96 * 8; i += 64) {
					const int q = col + i / 8, at = s * 8 + i % 8;
					y[s & 1][i] = q < n && at < k ? b[q * k + at] : (_Float16)0;
				}
			}
		} else if (s > 0) {
			f16x4 p, q;
			for (int e = 0; e < 4; ++e) {
				p[e] = x[(s - 1) & 1][lane % 32 * 8 + lane / 32 * 4 + e];
				q[e] = y[(s - 1) & 1]
					[(wave * 32 + lane % 32) * 8 + lane / 32 * 4 + e];
			}
			acc = __builtin_amdgcn_mfma_f32_32x32x8f16(p, q, acc, 0, 0, 0);
		}
		__syncthreads();
	}
	if (wave < 3) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + e / 4 * 8 + lane / 32 * 4 + e % 4,
				  q = col + wave * 32 + lane % 32;
			if (r < m && q < n) {
				c[r * n + q] = alpha * acc[e] + (float)mode;
			}
		}
	}
}

/* one pass, a chain of epilogues */
__global__ void __launch_bounds__(256) u_epilogue(const _Float16 *__restrict__ a,
	const _Float16 *__restrict__ b, const int *__restrict__ idx, float *__restrict__ c, int m,
	int n, int k, float alpha, int mode)
{
	__shared__ _Float16 x[32 * 16];
	const int wave = threadIdx.x / 64, lane = threadIdx.x % 64, row = blockIdx.y * 32,
		  col = blockIdx.x * 128 + wave * 32;
	f32x16 acc = {};
	for (int k0 = 0; k0 < k; k0 += 16) {
		for (int i = threadIdx.x; i < 32 * 16; i += blockDim.x) {
			const int r = row + i / 16, at = k0 + i % 16;
			x[i] = r < m && at < k ? a[r * k + at] : (_Float16)0;
		}
		__syncthreads();
		for (int h = 0; h < 16; h += 8) {
			f16x4 p, q;
			for (int e = 0; e < 4; ++e) {
				const int at = k0 + h + lane / 32 * 4 + e;
				p[e] = x[lane % 32 * 16 + h + lane / 32 * 4 + e];
				q[e] = col + lane % 32 < n && at < k ? b[(col + lane % 32) * k + at]
								     : (_Float16)0;
			}
			acc = __builtin_amdgcn_mfma_f32_32x32x8f16(p, q, acc, 0, 0, 0);
		}
		__syncthreads();
	}
	if (mode == 1) {
		for (int e = 0; e < 16; ++e) {
			acc[e] = fmaxf(acc[e], 0.f);
		}
	} else if (mode == 2) {
		for (int e = 0; e < 16; ++e) {
			acc[e] = acc[e] * alpha + (float)idx[e];
		}
	} else {
		acc *= alpha;
	}
	for (int e = 0; e < 16; ++e) {
		const int r = row + e / 4 * 8 + lane / 32 * 4 + e % 4, q = col + lane % 32;
		if (r < m && q < n) {
			c[r * n + q] = acc[e];
		}
	}
}
