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

__global__ void u_axpy(ARGS(float))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (t + 4 < k) {
			for (int e = 0; e < 32; ++e) {
				acc[e] = acc[e] * a[t] + b[(i + e) % n];
			}
		} else {
			for (int e = 0; e < 32; ++e) {
				acc[e] = acc[e] + b[(i + e) % n] * alpha;
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

__global__ void u_online(ARGS(float))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}
	float top = -1e30f, sum = 0;
	for (int t = 0; t < k; ++t) {
		if (mode == 0) {
			const float s = a[(i + t) % k], p = fmaxf(top, s), r = __expf(top - p),
				    w = __expf(s - p);
			sum = sum * r + w;
			top = p;
			for (int e = 0; e < 32; ++e) {
				acc[e] = acc[e] * r + w * b[(t * 32 + e) % n];
			}
		} else {
			const float s = t <= i ? a[(i + t) % k] * alpha : -1e30f, p = fmaxf(top, s),
				    r = __expf(top - p), w = __expf(s - p);
			sum = sum * r + w;
			top = p;
			for (int e = 0; e < 32; ++e) {
				acc[e] = acc[e] * r + w * b[(t * 32 + e) % n];
			}
		}
	}

	if (i * 32 < m * n) {
		for (int e = 0; e < 32; ++e) {
			if (i * 32 + e < m * n) {
				c[i * 32 + e] = acc[e] / sum;
			}
		}
	}
}

__global__ void u_rope(ARGS(float))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (mode == 0) {
			const float co = a[t % n], si = b[t % n];
			for (int e = 0; e < 32; e += 2) {
				const float x = acc[e] + a[(i + e) % n],
					    y = acc[e + 1] + a[(i + e + 1) % n];
				acc[e] = x * co - y * si;
				acc[e + 1] = x * si + y * co;
			}
		} else {
			const float co = a[t % n], si = b[t % n];
			for (int e = 0; e < 16; ++e) {
				const float x = acc[e] + a[(i + e) % n],
					    y = acc[e + 16] + a[(i + e + 16) % n];
				acc[e] = x * co - y * si;
				acc[e + 16] = x * si + y * co;
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

__global__ void u_rms(ARGS(float))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (i * 32 + 32 + t <= n) {
			for (int e = 0; e < 32; ++e) {
				acc[e] += a[(i * 32 + e + t) % n] * alpha;
			}
		} else {
			for (int e = 0; e < 32; ++e) {
				acc[e] += (i * 32 + e + t < n ? a[i * 32 + e + t] : 0.f) * alpha;
			}
		}
	}
	float q = 0;
	for (int e = 0; e < 32; ++e) {
		q += acc[e] * acc[e];
	}
	q = rsqrtf(q / 32 + 1e-5f);
	if (i * 32 < m * n) {
		for (int e = 0; e < 32; ++e) {
			if (i * 32 + e < m * n) {
				c[i * 32 + e] = acc[e] * q;
			}
		}
	}
}

__global__ void u_layer(ARGS(float))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[48];
	for (int e = 0; e < 48; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (idx[t % 64] & 1) {
			for (int e = 0; e < 48; ++e) {
				acc[e] += a[(t * 48 + e) % n];
			}
		} else {
			for (int e = 0; e < 48; ++e) {
				acc[e] -= b[(t * 48 + e) % n];
			}
		}
	}
	float s = 0, q = 0;
	for (int e = 0; e < 48; ++e) {
		s += acc[e];
		q += acc[e] * acc[e];
	}
	s /= 48;
	q = rsqrtf(q / 48 - s * s + 1.f);
	if (i * 48 < m * n) {
		for (int e = 0; e < 48; ++e) {
			if (i * 48 + e < m * n) {
				c[i * 48 + e] = (acc[e] - s) * q;
			}
		}
	}
}

__global__ void u_softmax(ARGS(float))
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;
	float acc[32];
	for (int e = 0; e < 32; ++e) {
		acc[e] = 0;
	}

	for (int t = 0; t < k; ++t) {
		if (t < n / 4) {
			for (int e = 0; e < 32; ++e) {
				acc[e] = fmaxf(acc[e], a[(t * 32 + e) % n]);
			}
		} else {
			for (int e = 0; e < 32; ++e) {
				acc[e] = fminf(acc[e], b[(t * 32 + e) % n]);
			}
		}
	}
	float s = 0;
	for (int e = 0; e < 32; ++e) {
		acc[e] = __expf(acc[e]);
		s += acc[e];
	}
	if (i * 32 < m * n) {
		for (int e = 0; e < 32; ++e) {
			if (i * 32 + e < m * n) {
				c[i * 32 + e] = acc[e] / s;
			}
		}
	}
}
