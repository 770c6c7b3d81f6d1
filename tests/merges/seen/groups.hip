// Weights with a scale for each group of steps: at a group's end the partial sums are scaled and
// added.
#include <hip/hip_runtime.h>

typedef _Float16 h4 __attribute__((ext_vector_type(4)));
typedef float f4 __attribute__((ext_vector_type(4)));

template <int MT, int NT, int BLOCK>
__launch_bounds__(BLOCK) __global__
	void groups(const h4 *__restrict__ x, const unsigned *__restrict__ w,
		const float *__restrict__ scales, f4 *__restrict__ y, int steps, int group)
{
	__shared__ h4 xs[MT][64];
	const int lane = threadIdx.x % 64;
	const int wave = threadIdx.x / 64 + blockIdx.x * (BLOCK / 64);
	f4 acc[MT][NT];
	for (int m = 0; m < MT; m++) {
		for (int n = 0; n < NT; n++) {
			acc[m][n] = f4{0, 0, 0, 0};
		}
	}
	for (int k = 0; k < steps; k++) {
		for (int i = threadIdx.x; i < MT * 64; i += BLOCK) {
			xs[i / 64][i % 64] = x[k * MT * 64 + i];
		}
		__syncthreads();
		h4 b[NT];
		for (int n = 0; n < NT; n++) {
			const unsigned q = w[((size_t)wave * steps + k) * NT * 64 + n * 64 + lane];
			b[n] = h4{(_Float16)(int)(q & 255), (_Float16)(int)(q >> 8 & 255),
				(_Float16)(int)(q >> 16 & 255), (_Float16)(int)(q >> 24)};
		}
		if (k % group == 0) {
			const float s = scales[k / group];
			for (int m = 0; m < MT; m++) {
				const h4 a = xs[m][lane];
				for (int n = 0; n < NT; n++) {
					acc[m][n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
						a, b[n], acc[m][n] * s, 0, 0, 0);
				}
			}
		} else {
			for (int m = 0; m < MT; m++) {
				const h4 a = xs[m][lane];
				for (int n = 0; n < NT; n++) {
					acc[m][n] = __builtin_amdgcn_mfma_f32_16x16x16f16(
						a, b[n], acc[m][n], 0, 0, 0);
				}
			}
		}
		__syncthreads();
	}
	for (int m = 0; m < MT; m++) {
		for (int n = 0; n < NT; n++) {
			y[(((size_t)wave * MT) + m) * NT * 64 + n * 64 + lane] = acc[m][n];
		}
	}
}
#define G(M, N, B)                                                                                 \
	template __global__ void groups<M, N, B>(                                                  \
		const h4 *, const unsigned *, const float *, f4 *, int, int);
G(1, 4, 256)
G(2, 4, 256)
G(4, 4, 256)
G(4, 4, 512)
G(8, 4, 256)
G(8, 4, 512)
G(4, 2, 1024)
G(4, 6, 64)
