// wmma_tile.hip by hand: one body, in which each operand is loaded as it is or masked.

#include <hip/hip_runtime.h>

typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x16 __attribute__((ext_vector_type(16)));

constexpr int THREADS = 256;
constexpr int WAVE_TILE = 64;
constexpr int BLOCK_M = 4 * WAVE_TILE;
constexpr int BLOCK_N = 2 * WAVE_TILE;

// A row-major matrix; stride is a multiple of 16 and at least cols.
struct matrix {
	const _Float16 *at;
	int rows;
	int cols;
	int stride;
};

__device__ f16x16 load_inside(const matrix &m, int row, int k)
{
	return *(const f16x16 *)(m.at + (size_t)row * m.stride + k);
}

__device__ f16x16 load_masked(const matrix &m, int row, int k)
{
	f16x16 x = {};

	if (row < m.rows) {
		x = load_inside(m, row, k);
		for (int e = 0; e < 16; ++e) {
			if (k + e >= m.cols) {
				x[e] = 0;
			}
		}
	}
	return x;
}

__global__ void __launch_bounds__(THREADS)
	wmma_tile(matrix a, matrix b, float *__restrict__ c, int stride_c)
{
	const int wave = threadIdx.x / 32;
	const int lane = threadIdx.x % 32;
	const int row0 = blockIdx.y * BLOCK_M + wave / 2 * WAVE_TILE;
	const int col0 = blockIdx.x * BLOCK_N + wave % 2 * WAVE_TILE;
	const bool inside = (int)(blockIdx.y + 1) * BLOCK_M <= a.rows &&
			    (int)(blockIdx.x + 1) * BLOCK_N <= b.rows;
	f32x8 acc[16];

	for (int i = 0; i < 16; ++i) {
		acc[i] = f32x8{};
	}
	for (int k = 0; k < a.cols; k += 16) {
		const bool whole = inside && k + 16 <= a.cols;
		f16x16 x[4];
		for (int i = 0; i < 4; ++i) {
			x[i] = whole ? load_inside(a, row0 + i * 16 + lane % 16, k)
				     : load_masked(a, row0 + i * 16 + lane % 16, k);
		}
		for (int j = 0; j < 4; ++j) {
			const f16x16 y = whole ? load_inside(b, col0 + j * 16 + lane % 16, k)
					       : load_masked(b, col0 + j * 16 + lane % 16, k);
			for (int i = 0; i < 4; ++i) {
				acc[i * 4 + j] = __builtin_amdgcn_wmma_f32_16x16x16_f16_w32(
					x[i], y, acc[i * 4 + j]);
			}
		}
	}
	for (int i = 0; i < 4; ++i) {
		for (int j = 0; j < 4; ++j) {
			for (int e = 0; e < 8; ++e) {
				const int row = row0 + i * 16 + e * 2 + lane / 16;
				const int col = col0 + j * 16 + lane % 16;
				c[(size_t)row * stride_c + col] = acc[i * 4 + j][e];
			}
		}
	}
}
