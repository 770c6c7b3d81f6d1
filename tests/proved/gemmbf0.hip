#include <hip/hip_runtime.h>
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x8 __attribute__((ext_vector_type(8)));
typedef short s16x4 __attribute__((ext_vector_type(4)));
typedef float f32x8 __attribute__((ext_vector_type(8)));
#define ARGS(T)                                                                                    \
	const T *__restrict__ a, const T *__restrict__ b, const int *__restrict__ idx,             \
		float *__restrict__ c, int m, int n, int k, float alpha, int mode

__global__ void __launch_bounds__(64) u_gemm_bf(ARGS(short))
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 32, col = blockIdx.x * 128;
	f32x16 acc[4] = {};

	for (int k0 = 0; k0 < k; k0 += 8) {
		if (row + 32 <= m && col + 128 <= n && k0 + 8 <= k) {
			s16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = true ? (short)a[r_ * k + k_] : (short)0;
			}
			for (int j = 0; j < 4; ++j) {
				s16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = true ? (short)b[r_ * k + k_] : (short)0;
				}

				acc[j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
					x, y, acc[j], 0, 0, 0);
			}
		} else {
			s16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = (r_ < m && k_ < k) ? (short)a[r_ * k + k_] : (short)0;
			}
			for (int j = 0; j < 4; ++j) {
				s16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = (r_ < n && k_ < k) ? (short)b[r_ * k + k_]
								  : (short)0;
				}

				acc[j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
					x, y, acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 4; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + lane / 32 * 4 + e / 4 * 8 + e % 4,
				  q = col + j * 32 + lane % 32;
			float v = acc[j][e] * alpha;

			if (r < m && q < n) {
				c[r * n + q] = v;
			}
		}
	}
}

__global__ void __launch_bounds__(64) u_gemm_bf_relu(ARGS(short))
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 32, col = blockIdx.x * 192;
	f32x16 acc[6] = {};

	for (int k0 = 0; k0 < k; k0 += 8) {
		if (row + 32 <= m && col + 192 <= n && k0 + 8 <= k) {
			s16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = true ? (short)a[r_ * k + k_] : (short)0;
			}
			for (int j = 0; j < 6; ++j) {
				s16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = true ? (short)b[r_ * k + k_] : (short)0;
				}

				acc[j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
					x, y, acc[j], 0, 0, 0);
			}
		} else {
			s16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = (r_ < m && k_ < k) ? (short)a[r_ * k + k_] : (short)0;
			}
			for (int j = 0; j < 6; ++j) {
				s16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = (r_ < n && k_ < k) ? (short)b[r_ * k + k_]
								  : (short)0;
				}

				acc[j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
					x, y, acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 6; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + lane / 32 * 4 + e / 4 * 8 + e % 4,
				  q = col + j * 32 + lane % 32;
			float v = acc[j][e] * alpha;
			v = v > 0 ? v : v * 0.1f;
			if (r < m && q < n) {
				c[r * n + q] = v;
			}
		}
	}
}

__global__ void __launch_bounds__(64) u_moe_bf(ARGS(short))
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 32, col = blockIdx.x * 128;
	f32x16 acc[4] = {};

	for (int k0 = 0; k0 < k; k0 += 8) {
		if (idx[blockIdx.y] > 3 && row + 32 <= m && col + 128 <= n && k0 + 8 <= k) {
			s16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = true ? (short)a[r_ * k + k_] : (short)0;
			}
			for (int j = 0; j < 4; ++j) {
				s16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = true ? (short)b[r_ * k + k_] : (short)0;
				}

				acc[j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
					x, y, acc[j], 0, 0, 0);
			}
		} else {
			s16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = (r_ < m && k_ < k) ? (short)a[r_ * k + k_] : (short)0;
			}
			for (int j = 0; j < 4; ++j) {
				s16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = (r_ < n && k_ < k) ? (short)b[r_ * k + k_]
								  : (short)0;
				}

				acc[j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
					x, y, acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 4; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + lane / 32 * 4 + e / 4 * 8 + e % 4,
				  q = col + j * 32 + lane % 32;
			float v = acc[j][e] * alpha;

			if (r < m && q < n) {
				c[r * n + q] = v;
			}
		}
	}
}
