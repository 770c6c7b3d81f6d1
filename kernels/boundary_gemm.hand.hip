// boundary_gemm.hip by hand: one body, in which each operand is loaded as it is or masked.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int THREADS = 512;
constexpr int WAVE_M = 64;
constexpr int WAVE_N = 128;
constexpr int BLOCK_M = 4 * WAVE_M;
constexpr int BLOCK_N = 2 * WAVE_N;

// A row-major matrix; stride is a multiple of 4 and at least cols.
struct matrix {
	const _Float16 *at;
	int rows;
	int cols;
	int stride;
};

// Elements k..k+3 of a row; the row and the first of them must lie inside.
__device__ f16x4 load_inside(const matrix &m, int row, int k)
{
	return *(const f16x4 *)(m.at + (size_t)row * m.stride + k);
}

// The same with zeros for what lies outside.
__device__ f16x4 load_masked(const matrix &m, int row, int k)
{
	f16x4 x = {0, 0, 0, 0};

	if (row < m.rows && k < m.cols) {
		x = load_inside(m, row, k);
		for (int e = 1; e < 4; ++e) {
			if (k + e >= m.cols) {
				x[e] = 0;
			}
		}
	}
	return x;
}

__global__ void __launch_bounds__(THREADS)
	boundary_gemm_16(matrix a, matrix b, float *__restrict__ c, int stride_c)
{
	const int wave = threadIdx.x / 64;
	const int lane = threadIdx.x % 64;
	const int row0 = blockIdx.y * BLOCK_M + wave / 2 * WAVE_M;
	const int col0 = blockIdx.x * BLOCK_N + wave % 2 * WAVE_N;
	const bool inside = (int)(blockIdx.y + 1) * BLOCK_M <= a.rows &&
			    (int)(blockIdx.x + 1) * BLOCK_N <= b.rows;
	f32x4 acc[32];

	for (int i = 0; i < 32; ++i) {
		acc[i] = f32x4{0, 0, 0, 0};
	}
	for (int k0 = 0; k0 < a.cols; k0 += 16) {
		const int k = k0 + lane / 16 * 4;
		const bool whole = inside && k0 + 16 <= a.cols;
		f16x4 x[4];
		for (int i = 0; i < 4; ++i) {
			x[i] = whole ? load_inside(a, row0 + i * 16 + lane % 16, k)
				     : load_masked(a, row0 + i * 16 + lane % 16, k);
		}
		for (int j = 0; j < 8; ++j) {
			const f16x4 y = whole ? load_inside(b, col0 + j * 16 + lane % 16, k)
					      : load_masked(b, col0 + j * 16 + lane % 16, k);
			for (int i = 0; i < 4; ++i) {
				acc[i * 8 + j] = __builtin_amdgcn_mfma_f32_16x16x16f16(
					x[i], y, acc[i * 8 + j], 0, 0, 0);
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

__global__ void __launch_bounds__(THREADS)
	boundary_gemm_32(matrix a, matrix b, float *__restrict__ c, int stride_c)
{
	const int wave = threadIdx.x / 64;
	const int lane = threadIdx.x % 64;
	const int row0 = blockIdx.y * BLOCK_M + wave / 2 * WAVE_M;
	const int col0 = blockIdx.x * BLOCK_N + wave % 2 * WAVE_N;
	const bool inside = (int)(blockIdx.y + 1) * BLOCK_M <= a.rows &&
			    (int)(blockIdx.x + 1) * BLOCK_N <= b.rows;
	f32x16 acc[8];

	for (int i = 0; i < 8; ++i) {
		for (int e = 0; e < 16; ++e) {
			acc[i][e] = 0;
		}
	}
	for (int k0 = 0; k0 < a.cols; k0 += 8) {
		const int k = k0 + lane / 32 * 4;
		const bool whole = inside && k0 + 8 <= a.cols;
		f16x4 x[2];
		for (int i = 0; i < 2; ++i) {
			x[i] = whole ? load_inside(a, row0 + i * 32 + lane % 32, k)
				     : load_masked(a, row0 + i * 32 + lane % 32, k);
		}
		for (int j = 0; j < 4; ++j) {
			const f16x4 y = whole ? load_inside(b, col0 + j * 32 + lane % 32, k)
					      : load_masked(b, col0 + j * 32 + lane % 32, k);
			for (int i = 0; i < 2; ++i) {
				acc[i * 4 + j] = __builtin_amdgcn_mfma_f32_32x32x8f16(
					x[i], y, acc[i * 4 + j], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 2; ++i) {
		for (int j = 0; j < 4; ++j) {
			for (int e = 0; e < 16; ++e) {
				const int row = row0 + i * 32 + e / 4 * 8 + lane / 32 * 4 + e % 4;
				const int col = col0 + j * 32 + lane % 32;
				c[(size_t)row * stride_c + col] = acc[i * 4 + j][e];
			}
		}
	}
}
