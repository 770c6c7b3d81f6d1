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

__global__ void __launch_bounds__(64) u_flash(ARGS(_Float16))
{
	const int lane = threadIdx.x % 64, row = blockIdx.x * 32;
	f32x16 acc[2] = {};
	float top = -1e30f, sum = 0;
	for (int t0 = 0; t0 < row + 32 && t0 < m; t0 += 32) {
		f32x16 s = {};
		for (int k0 = 0; k0 < 32; k0 += 8) {
			f16x4 x, y;
			for (int e = 0; e < 4; ++e) {
				x[e] = a[((t0 + lane % 32) * 32 + k0 + lane / 32 * 4 + e) %
					 (m * k)];
				y[e] = b[((row + lane % 32) * 32 + k0 + lane / 32 * 4 + e) %
					 (n * k)];
			}
			s = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, s, 0, 0, 0);
		}
		if (t0 + 32 <= row && t0 + 32 <= m) {
			float p = top;
			for (int e = 0; e < 16; ++e) {
				s[e] *= alpha;
				p = fmaxf(p, s[e]);
			}
			p = fmaxf(p, __shfl_xor(p, 32));
			const float r = __expf(top - p);
			top = p;
			sum *= r;
			for (int e = 0; e < 16; ++e) {
				s[e] = __expf(s[e] - p);
				sum += s[e];
			}
			for (int d = 0; d < 2; ++d) {
				acc[d] *= r;
				for (int j = 0; j < 4; ++j) {
					f16x4 q, v;
					for (int e = 0; e < 4; ++e) {
						q[e] = (_Float16)s[j * 4 + e];
						v[e] = a[((t0 + j * 8 + e) * 32 + d + lane) %
							 (m * k)];
					}
					acc[d] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						v, q, acc[d], 0, 0, 0);
				}
			}
		} else {
			float p = top;
			for (int e = 0; e < 16; ++e) {
				const int at = t0 + lane / 32 * 4 + e / 4 * 8 + e % 4;
				s[e] = at <= row + lane % 32 && at < m ? s[e] * alpha : -1e30f;
				p = fmaxf(p, s[e]);
			}
			p = fmaxf(p, __shfl_xor(p, 32));
			const float r = __expf(top - p);
			top = p;
			sum *= r;
			for (int e = 0; e < 16; ++e) {
				s[e] = __expf(s[e] - p);
				sum += s[e];
			}
			for (int d = 0; d < 2; ++d) {
				acc[d] *= r;
				for (int j = 0; j < 4; ++j) {
					f16x4 q, v;
					for (int e = 0; e < 4; ++e) {
						q[e] = (_Float16)s[j * 4 + e];
						v[e] = t0 + j * 8 + e < m
							       ? a[((t0 + j * 8 + e) * 32 + d +
									   lane) %
									 (m * k)]
							       : (_Float16)0;
					}
					acc[d] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						v, q, acc[d], 0, 0, 0);
				}
			}
		}
	}
	const float f = 1 / (sum + __shfl_xor(sum, 32));
	for (int d = 0; d < 2; ++d) {
		for (int e = 0; e < 16; ++e) {
			const int at = ((row + lane % 32) * 2 + d) * 32 + lane / 32 * 4 +
				       e / 4 * 8 + e % 4;
			if (at < m * n) {
				c[at] = acc[d][e] * f;
			}
		}
	}
}

__global__ void __launch_bounds__(64) u_flash_wide(ARGS(_Float16))
{
	const int lane = threadIdx.x % 64, row = blockIdx.x * 32;
	f32x16 acc[4] = {};
	float top = -1e30f, sum = 0;
	for (int t0 = 0; t0 < row + 32 && t0 < m; t0 += 32) {
		f32x16 s = {};
		for (int k0 = 0; k0 < 32; k0 += 8) {
			f16x4 x, y;
			for (int e = 0; e < 4; ++e) {
				x[e] = a[((t0 + lane % 32) * 32 + k0 + lane / 32 * 4 + e) %
					 (m * k)];
				y[e] = b[((row + lane % 32) * 32 + k0 + lane / 32 * 4 + e) %
					 (n * k)];
			}
			s = __builtin_amdgcn_mfma_f32_32x32x8f16(x, y, s, 0, 0, 0);
		}
		if (t0 + 32 <= row) {
			float p = top;
			for (int e = 0; e < 16; ++e) {
				s[e] *= alpha;
				p = fmaxf(p, s[e]);
			}
			p = fmaxf(p, __shfl_xor(p, 32));
			const float r = __expf(top - p);
			top = p;
			sum *= r;
			for (int e = 0; e < 16; ++e) {
				s[e] = __expf(s[e] - p);
				sum += s[e];
			}
			for (int d = 0; d < 4; ++d) {
				acc[d] *= r;
				for (int j = 0; j < 4; ++j) {
					f16x4 q, v;
					for (int e = 0; e < 4; ++e) {
						q[e] = (_Float16)s[j * 4 + e];
						v[e] = a[((t0 + j * 8 + e) * 32 + d + lane) %
							 (m * k)];
					}
					acc[d] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						v, q, acc[d], 0, 0, 0);
				}
			}
		} else {
			float p = top;
			for (int e = 0; e < 16; ++e) {
				const int at = t0 + lane / 32 * 4 + e / 4 * 8 + e % 4;
				s[e] = at <= row + lane % 32 && at < m ? s[e] * alpha : -1e30f;
				p = fmaxf(p, s[e]);
			}
			p = fmaxf(p, __shfl_xor(p, 32));
			const float r = __expf(top - p);
			top = p;
			sum *= r;
			for (int e = 0; e < 16; ++e) {
				s[e] = __expf(s[e] - p);
				sum += s[e];
			}
			for (int d = 0; d < 4; ++d) {
				acc[d] *= r;
				for (int j = 0; j < 4; ++j) {
					f16x4 q, v;
					for (int e = 0; e < 4; ++e) {
						q[e] = (_Float16)s[j * 4 + e];
						v[e] = t0 + j * 8 + e < m
							       ? a[((t0 + j * 8 + e) * 32 + d +
									   lane) %
									 (m * k)]
							       : (_Float16)0;
					}
					acc[d] = __builtin_amdgcn_mfma_f32_32x32x8f16(
						v, q, acc[d], 0, 0, 0);
				}
			}
		}
	}
	const float f = 1 / (sum + __shfl_xor(sum, 32));
	for (int d = 0; d < 4; ++d) {
		for (int e = 0; e < 16; ++e) {
			const int at = ((row + lane % 32) * 4 + d) * 32 + lane / 32 * 4 +
				       e / 4 * 8 + e % 4;
			if (at < m * n) {
				c[at] = acc[d][e] * f;
			}
		}
	}
}
