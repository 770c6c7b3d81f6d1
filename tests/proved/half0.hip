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

__global__ void u_hfma(ARGS(_Float16))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}
	_Float16 z[64] = {};
	for (int t = 0; t < k; ++t) {
		if (t + 2 < k) {
			for (int e = 0; e < 64; ++e) {
				z[e] = z[e] * a[t] + b[(t + e) % n];
			}
		} else {
			for (int e = 0; e < 64; ++e) {
				z[e] += a[(t + e) % n];
			}
		}
	}

	if (i * 32 < m * n) {
		for (int e = 0; e < 32; ++e) {
			if (i * 32 + e < m * n) {
				c[i * 32 + e] = (float)z[e] + (float)z[e + 32];
			}
		}
	}
}

__global__ void u_hmix(ARGS(_Float16))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (t + 2 < k) {
			for (int e = 0; e < 32; ++e) {
				acc[e] += (float)a[(t + e) % n] * (float)b[t % n];
			}
		} else {
			for (int e = 0; e < 32; ++e) {
				acc[e] += (float)a[(t + e) % n];
			}
		}
	}

	if (i * 32 < m * n) {
		for (int e = 0; e < 32; ++e) {
			if (i * 32 + e < m * n) {
				c[i * 32 + e] = acc[e];
			}
		}
	}
}

__global__ void u_dequant(ARGS(_Float16))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (mode == 0) {
			for (int e = 0; e < 32; ++e) {
				const int q = idx[(t + e / 4) % 64] >> (e % 4 * 8) & 255;
				acc[e] += (float)(q - 8) * (float)a[t];
			}
		} else {
			for (int e = 0; e < 32; ++e) {
				const int q = idx[(t + e / 8) % 64] >> (e % 8 * 4) & 15;
				acc[e] += (float)(q - 8) * (float)b[t];
			}
		}
	}

	if (i * 32 < m * n) {
		for (int e = 0; e < 32; ++e) {
			if (i * 32 + e < m * n) {
				c[i * 32 + e] = acc[e];
			}
		}
	}
}
