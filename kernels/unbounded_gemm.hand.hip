// unbounded_gemm.hip by hand: the same, with the bound that its launch keeps to.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int THREADS = 256;
constexpr int WAVE_M = 64;
constexpr int WAVE_N = 128;
constexpr int BLOCK_M = 2 * WAVE_M;
constexpr int BLOCK_N = 2 * WAVE_N;

// A row-major matrix; stride is a multiple of 4.
struct matrix {
	const _Float16 *at;
	int cols;
	int stride;
};

__device__ f16x4 load(const matrix &m, int row, int k)
{
	return *(const f16x4 *)(m.at + (size_t)row * m.stride + k);
}

__global__ void __launch_bounds__(THREADS)
	unbounded_gemm(matrix a, matrix b, float *__restrict__ c, int stride_c)
{
	const int wave = threadIdx.x / 64;
	const int lane = threadIdx.x % 64;
	const int row0 = blockIdx.y * BLOCK_M + wave / 2 * WAVE_M;
	const int col0 = blockIdx.x * BLOCK_N + wave % 2 * WAVE_N;
	f32x4 acc[32];

	for (int i = 0; i < 32; ++i) {
		acc[i] = f32x4{0, 0, 0, 0};
	}
	for (int k = lane / 16 * 4; k < a.cols; k += 16) {
		f16x4 x[4], y[8];
		for (int i = 0; i < 4; ++i) {
			x[i] = load(a, row0 + i * 16 + lane % 16, k);
		}
		for (int j = 0; j < 8; ++j) {
			y[j] = load(b, col0 + j * 16 + lane % 16, k);
		}
		for (int i = 0; i < 4; ++i) {
			for (int j = 0; j < 8; ++j) {
				acc[i * 8 + j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					x[i], y[j], acc[i * 8 + j], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 4; ++i) {
		for (int j = 0; j < 8; ++j) {
			for (int e = 0; e < 4; ++e) {
				const int row = row0 + i * 16 + lane / 16 * 4 + e;
				const int col = col0 + j * 16 + lane % 16;
				c[(size_t)row * stride_c + col] = acc[i * 8 + j][e];
			}
		}
	}
}

// rows and cols of C are multiples of BLOCK_M and BLOCK_N.
void launch_unbounded_gemm(matrix a, matrix b, float *c, int rows, int cols, hipStream_t stream)
{
	const dim3 grid(cols / BLOCK_N, rows / BLOCK_M);

	unbounded_gemm<<<grid, THREADS, 0, stream>>>(a, b, c, cols);
}
