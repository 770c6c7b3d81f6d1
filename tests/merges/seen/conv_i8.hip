// Convolution on bytes by matrix operations: a tap inside the image, or one that the padding
// reaches into.
#include <hip/hip_runtime.h>

typedef int i4 __attribute__((ext_vector_type(4)));

__device__ __forceinline__ i4 mma(int a, int b, i4 c)
{
#if defined(__gfx90a__)
	return __builtin_amdgcn_mfma_i32_16x16x16i8(a, b, c, 0, 0, 0);
#else
	return __builtin_amdgcn_mfma_i32_16x16x32_i8((long)a, (long)b, c, 0, 0, 0);
#endif
}

template <int M, int N, int T, int BY>
__global__ __launch_bounds__(T) void conv(const int *__restrict__ image,
	const int *__restrict__ weights, int *__restrict__ out, int taps, int width, int zero)
{
	const int lane = threadIdx.x & 63;
	i4 acc[M][N] = {};
	const int first = (blockIdx.x * (T / 64) + (threadIdx.x >> 6)) * M * 16;
	for (int t = 0; t < taps; ++t) {
		const int off = t - taps / 2;
		const bool in = BY == 0	  ? (int)blockIdx.x * T + off >= 0
				: BY == 1 ? first + off >= 0 && first + off + M * 16 <= width
					  : t < zero;
		if (in) {
			for (int i = 0; i < M; ++i) {
				const int x = image[(first + off + i * 16 + (lane & 15)) * 4 +
						    (lane >> 4)];
				for (int j = 0; j < N; ++j) {
					acc[i][j] =
						mma(x, weights[(t * N + j) * 64 + lane], acc[i][j]);
				}
			}
		} else {
			for (int i = 0; i < M; ++i) {
				int at = first + off + i * 16 + (lane & 15);
				at = at < 0 ? 0 : at >= width ? width - 1 : at;
				const int x = at == first + off + i * 16 + (lane & 15)
						      ? image[at * 4 + (lane >> 4)]
						      : zero;
				for (int j = 0; j < N; ++j) {
					acc[i][j] =
						mma(x, weights[(t * N + j) * 64 + lane], acc[i][j]);
				}
			}
		}
	}
	for (int i = 0; i < M; ++i) {
		for (int j = 0; j < N; ++j) {
			*(i4 *)(out + (((size_t)first + i * 16) * N + j * 16) * 16 + lane * 4) =
				acc[i][j];
		}
	}
}
#define C(...)                                                                                     \
	template __global__ void conv<__VA_ARGS__>(const int *, const int *, int *, int, int, int);
C(2, 2, 256, 0)
C(2, 4, 256, 1)
C(4, 4, 256, 0)
C(4, 4, 256, 1)
C(4, 4, 512, 2)
C(4, 8, 256, 2)
C(8, 4, 128, 0)
C(4, 2, 1024, 2)
