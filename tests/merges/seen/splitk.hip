// Split-K GEMM in bf16: operands prefetched into registers, the first step starts anew or goes on
// from C.
#include <hip/hip_runtime.h>

using bf4 = short __attribute__((ext_vector_type(4)));
using acc16 = float __attribute__((ext_vector_type(16)));

template <int M, int N, int T, int MIN = 1>
__global__ __launch_bounds__(T, MIN) void splitk(const bf4 *__restrict__ A,
	const bf4 *__restrict__ B, float *__restrict__ C, int k0, int k1, int transposed, int ld)
{
	const int lane = threadIdx.x % 64;
	const int wave = __builtin_amdgcn_readfirstlane(threadIdx.x / 64);
	const int row = (blockIdx.x * (T / 64) + wave) * M * 32, col = blockIdx.y * N * 32;
	acc16 acc[M * N];
	for (auto &v : acc) {
		for (int e = 0; e < 16; e++) {
			v[e] = 0;
		}
	}
	bf4 a[M], b[N];
	for (int i = 0; i < M; i++) {
		a[i] = A[(size_t)(row / 32 + i) * ld + k0 * 64 + lane];
	}
	for (int j = 0; j < N; j++) {
		b[j] = B[(size_t)(col / 32 + j) * ld + k0 * 64 + lane];
	}
	for (int k = k0; k < k1; k++) {
		bf4 na[M], nb[N];
		for (int i = 0; i < M; i++) {
			na[i] = A[(size_t)(row / 32 + i) * ld + (k + 1) * 64 + lane];
		}
		for (int j = 0; j < N; j++) {
			nb[j] = B[(size_t)(col / 32 + j) * ld + (k + 1) * 64 + lane];
		}
		if (transposed) {
			for (int i = 0; i < M; i++) {
				for (int j = 0; j < N; j++) {
					acc[i * N + j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
						b[j], a[i], acc[i * N + j], 0, 0, 0);
				}
			}
		} else {
			for (int i = 0; i < M; i++) {
				for (int j = 0; j < N; j++) {
					acc[i * N + j] = __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(
						a[i], b[j], acc[i * N + j], 0, 0, 0);
				}
			}
		}
		for (int i = 0; i < M; i++) {
			a[i] = na[i];
		}
		for (int j = 0; j < N; j++) {
			b[j] = nb[j];
		}
	}
	for (int i = 0; i < M; i++) {
		for (int j = 0; j < N; j++) {
			for (int e = 0; e < 16; e++) {
				atomicAdd(&C[(size_t)(row + i * 32 + e + lane / 32 * 16) * ld +
						  col + j * 32 + lane % 32],
					acc[i * N + j][e]);
			}
		}
	}
}
template __global__ void splitk<1, 2, 256>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<2, 2, 256>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<2, 2, 512>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<2, 3, 256>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<2, 4, 256>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<3, 3, 64>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<2, 2, 256, 2>(
	const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<1, 1, 1024>(const bf4 *, const bf4 *, float *, int, int, int, int);
template __global__ void splitk<1, 4, 128>(const bf4 *, const bf4 *, float *, int, int, int, int);
