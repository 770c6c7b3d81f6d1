// fma_tile.hip by hand: one body, in which the operands are loaded as they are or masked.

#include <hip/hip_runtime.h>

constexpr int THREADS = 512;
constexpr int TILE = 8; // of a thread, in rows and in columns
constexpr int STEP = 4; // of the k loop
constexpr int BLOCK_M = 16 * TILE;
constexpr int BLOCK_N = 32 * TILE;

// A row-major matrix with k as its row; stride is a multiple of TILE and at least cols.
struct matrix {
	const float *at;
	int rows;
	int cols;
	int stride;
};

__device__ void load_inside(float (&x)[TILE], const matrix &m, int k, int col)
{
	const float4 *from = (const float4 *)(m.at + (size_t)k * m.stride + col);
	const float4 lo = from[0];
	const float4 hi = from[1];

	x[0] = lo.x;
	x[1] = lo.y;
	x[2] = lo.z;
	x[3] = lo.w;
	x[4] = hi.x;
	x[5] = hi.y;
	x[6] = hi.z;
	x[7] = hi.w;
}

__device__ void load_masked(float (&x)[TILE], const matrix &m, int k, int col)
{
	for (int i = 0; i < TILE; ++i) {
		x[i] = 0;
		if (k < m.rows && col + i < m.cols) {
			x[i] = m.at[(size_t)k * m.stride + col + i];
		}
	}
}

__global__ void __launch_bounds__(THREADS)
	fma_tile_flat(matrix a, matrix b, float *__restrict__ c, int stride_c)
{
	const int row0 = blockIdx.y * BLOCK_M + threadIdx.x / 32 * TILE;
	const int col0 = blockIdx.x * BLOCK_N + threadIdx.x % 32 * TILE;
	const bool inside = (int)(blockIdx.y + 1) * BLOCK_M <= a.cols &&
			    (int)(blockIdx.x + 1) * BLOCK_N <= b.cols;
	float acc[TILE * TILE];

	for (int i = 0; i < TILE * TILE; ++i) {
		acc[i] = 0;
	}
	for (int k0 = 0; k0 < a.rows; k0 += STEP) {
		const bool whole = inside && k0 + STEP <= a.rows;
		for (int k = k0; k < k0 + STEP; ++k) {
			float x[TILE];
			float y[TILE];
			if (whole) {
				load_inside(x, a, k, row0);
				load_inside(y, b, k, col0);
			} else {
				load_masked(x, a, k, row0);
				load_masked(y, b, k, col0);
			}
			for (int i = 0; i < TILE; ++i) {
				for (int j = 0; j < TILE; ++j) {
					acc[i * TILE + j] += x[i] * y[j];
				}
			}
		}
	}
	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			if (row0 + i < a.cols && col0 + j < b.cols) {
				c[(size_t)(row0 + i) * stride_c + col0 + j] = acc[i * TILE + j];
			}
		}
	}
}

__global__ void __launch_bounds__(THREADS)
	fma_tile_square(matrix a, matrix b, float *__restrict__ c, int stride_c)
{
	const int row0 = blockIdx.y * BLOCK_M + threadIdx.x / 32 * TILE;
	const int col0 = blockIdx.x * BLOCK_N + threadIdx.x % 32 * TILE;
	const bool inside = (int)(blockIdx.y + 1) * BLOCK_M <= a.cols &&
			    (int)(blockIdx.x + 1) * BLOCK_N <= b.cols;
	float acc[TILE][TILE];

	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			acc[i][j] = 0;
		}
	}
	for (int k0 = 0; k0 < a.rows; k0 += STEP) {
		const bool whole = inside && k0 + STEP <= a.rows;
		for (int k = k0; k < k0 + STEP; ++k) {
			float x[TILE];
			float y[TILE];
			if (whole) {
				load_inside(x, a, k, row0);
				load_inside(y, b, k, col0);
			} else {
				load_masked(x, a, k, row0);
				load_masked(y, b, k, col0);
			}
			for (int i = 0; i < TILE; ++i) {
				for (int j = 0; j < TILE; ++j) {
					acc[i][j] += x[i] * y[j];
				}
			}
		}
	}
	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			if (row0 + i < a.cols && col0 + j < b.cols) {
				c[(size_t)(row0 + i) * stride_c + col0 + j] = acc[i][j];
			}
		}
	}
}
