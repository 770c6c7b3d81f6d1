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

__global__ void __launch_bounds__(64) u_gemm(ARGS(_Float16))
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 32, col = blockIdx.x * 128;
	f32x16 acc[4] = {};

	for (int k0 = 0; k0 < k; k0 += 8) {
		if (row + 32 <= m && col + 128 <= n && k0 + 8 <= k) {
			f16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = true ? (_Float16)a[r_ * k + k_] : (_Float16)0;
			}
			for (int j = 0; j < 4; ++j) {
				f16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = true ? (_Float16)b[r_ * k + k_] : (_Float16)0;
				}

				acc[j] =
					__builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
			}
		} else {
			f16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = (r_ < m && k_ < k) ? (_Float16)a[r_ * k + k_] : (_Float16)0;
			}
			for (int j = 0; j < 4; ++j) {
				f16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = (r_ < n && k_ < k) ? (_Float16)b[r_ * k + k_]
								  : (_Float16)0;
				}

				acc[j] =
					__builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
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

__global__ void __launch_bounds__(64) u_gemm_bias(ARGS(_Float16))
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 32, col = blockIdx.x * 128;
	f32x16 acc[4] = {};

	for (int k0 = 0; k0 < k; k0 += 8) {
		if (row + 32 <= m && col + 128 <= n && k0 + 8 <= k) {
			f16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = true ? (_Float16)a[r_ * k + k_] : (_Float16)0;
			}
			for (int j = 0; j < 4; ++j) {
				f16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = true ? (_Float16)b[r_ * k + k_] : (_Float16)0;
				}

				acc[j] =
					__builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
			}
		} else {
			f16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = (r_ < m && k_ < k) ? (_Float16)a[r_ * k + k_] : (_Float16)0;
			}
			for (int j = 0; j < 4; ++j) {
				f16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = (r_ < n && k_ < k) ? (_Float16)b[r_ * k + k_]
								  : (_Float16)0;
				}

				acc[j] =
					__builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 4; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + lane / 32 * 4 + e / 4 * 8 + e % 4,
				  q = col + j * 32 + lane % 32;
			float v = acc[j][e] * alpha;
			v += c[q % n];
			if (r < m && q < n) {
				c[r * n + q] = v;
			}
		}
	}
}

__global__ void __launch_bounds__(64) u_gemm_silu(ARGS(_Float16))
{
	const int lane = threadIdx.x % 64, row = blockIdx.y * 32, col = blockIdx.x * 96;
	f32x16 acc[3] = {};

	for (int k0 = 0; k0 < k; k0 += 8) {
		if (row + 32 <= m && col + 96 <= n && k0 + 8 <= k) {
			f16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = true ? (_Float16)a[r_ * k + k_] : (_Float16)0;
			}
			for (int j = 0; j < 3; ++j) {
				f16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = true ? (_Float16)b[r_ * k + k_] : (_Float16)0;
				}

				acc[j] =
					__builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
			}
		} else {
			f16x4 x;
			for (int e = 0; e < 4; ++e) {
				const int r_ = row + lane % 32, k_ = k0 + lane / 32 * 4 + e;
				x[e] = (r_ < m && k_ < k) ? (_Float16)a[r_ * k + k_] : (_Float16)0;
			}
			for (int j = 0; j < 3; ++j) {
				f16x4 y;
				for (int e = 0; e < 4; ++e) {
					const int r_ = col + j * 32 + lane % 32,
						  k_ = k0 + lane / 32 * 4 + e;
					y[e] = (r_ < n && k_ < k) ? (_Float16)b[r_ * k + k_]
								  : (_Float16)0;
				}

				acc[j] =
					__builtin_amdgcn_mfma_f32_32x32x8f16(x, y, acc[j], 0, 0, 0);
			}
		}
	}
	for (int j = 0; j < 3; ++j) {
		for (int e = 0; e < 16; ++e) {
			const int r = row + lane / 32 * 4 + e / 4 * 8 + e % 4,
				  q = col + j * 32 + lane % 32;
			float v = acc[j][e] * alpha;
			v = v / (1.f + __expf(-v));
			if (r < m && q < n) {
				c[r * n + q] = v;
			}
		}
	}
}
