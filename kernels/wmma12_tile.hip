// C = A * B^T in half precision on gfx12 and gfx1250 (waves of 32 lanes). WMMA takes 16 or 32 of k
// there and spreads them over the halves of a wave: lanes 16 to 31 hold the second eight of each
// sixteen. Each of 8 waves keeps 64 x 64 of C as f32x8 acc[16], 128 VGPRs. The k loop has one arm
// for steps inside the matrices and one for steps at an edge, which masks its operands. The buffer
// of C is padded to whole blocks.

#include <hip/hip_runtime.h>

typedef float f32x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x8 __attribute__((ext_vector_type(8)));
typedef _Float16 f16x16 __attribute__((ext_vector_type(16)));

#ifdef __gfx1250__
constexpr int STEP = 32;
typedef f16x16 operand;
#else
constexpr int STEP = 16;
typedef f16x8 operand;
#endif

constexpr int THREADS = 256;
constexpr int WAVE_TILE = 64;
constexpr int BLOCK_M = 4 * WAVE_TILE;
constexpr int BLOCK_N = 2 * WAVE_TILE;

// A row-major matrix; stride is at least cols.
struct matrix {
	const _Float16 *at;
	int rows;
	int cols;
	int stride;
};

// The column of k that element e of an operand holds, from the lane's half of the wave.
__device__ int column_of(int e, int half)
{
	return e / 8 * 16 + half * 8 + e % 8;
}

__device__ operand load_inside(const matrix &m, int row, int k, int half)
{
	operand x;

	for (int e = 0; e < STEP / 2; ++e) {
		x[e] = m.at[(size_t)row * m.stride + k + column_of(e, half)];
	}
	return x;
}

__device__ operand load_masked(const matrix &m, int row, int k, int half)
{
	operand x = {};

	if (row < m.rows) {
		for (int e = 0; e < STEP / 2; ++e) {
			const int at = k + column_of(e, half);
			x[e] = at < m.cols ? m.at[(size_t)row * m.stride + at] : (_Float16)0;
		}
	}
	return x;
}

__device__ f32x8 multiply(operand x, operand y, f32x8 acc)
{
#ifdef __gfx1250__
	return __builtin_amdgcn_wmma_f32_16x16x32_f16(0, x, 0, y, (short)0, acc, false, false);
#else
	return __builtin_amdgcn_wmma_f32_16x16x16_f16_w32_gfx12(x, y, acc);
#endif
}

__global__ void __launch_bounds__(THREADS)
	wmma12_tile(matrix a, matrix b, float *__restrict__ c, int stride_c)
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
	for (int k = 0; k < a.cols; k += STEP) {
		if (inside && k + STEP <= a.cols) {
			operand x[4];
			for (int i = 0; i < 4; ++i) {
				x[i] = load_inside(a, row0 + i * 16 + lane % 16, k, lane / 16);
			}
			for (int j = 0; j < 4; ++j) {
				const int col = col0 + j * 16 + lane % 16;
				const operand y = load_inside(b, col, k, lane / 16);
				for (int i = 0; i < 4; ++i) {
					acc[i * 4 + j] = multiply(x[i], y, acc[i * 4 + j]);
				}
			}
		} else {
			operand x[4];
			for (int i = 0; i < 4; ++i) {
				x[i] = load_masked(a, row0 + i * 16 + lane % 16, k, lane / 16);
			}
			for (int j = 0; j < 4; ++j) {
				const int col = col0 + j * 16 + lane % 16;
				const operand y = load_masked(b, col, k, lane / 16);
				for (int i = 0; i < 4; ++i) {
					acc[i * 4 + j] = multiply(x[i], y, acc[i * 4 + j]);
				}
			}
		}
	}
	for (int i = 0; i < 4; ++i) {
		for (int j = 0; j < 4; ++j) {
			for (int e = 0; e < 8; ++e) {
				const int row = row0 + i * 16 + lane / 16 * 8 + e;
				const int col = col0 + j * 16 + lane % 16;
				c[(size_t)row * stride_c + col] = acc[i * 4 + j][e];
			}
		}
	}
}
