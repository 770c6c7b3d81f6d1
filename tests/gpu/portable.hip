// Kernels in plain HIP: no matrix operation, no builtin of AMD's, no operation across lanes, so
// they run on GPUs with waves of 64 and of 32 lanes alike. Each keeps 64 sums in a thread, and its
// loop has arms that the strategies rewrite.

#include <hip/hip_runtime.h>

constexpr int THREADS = 256;
constexpr int TILE = 8;		 // of a thread, in rows and in columns
constexpr int BLOCK = 16 * TILE; // of a block: 16 x 16 threads

__device__ void accumulate(float (&acc)[TILE][TILE], const float (&x)[TILE], const float *y)
{
	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			acc[i][j] += x[i] * y[j];
		}
	}
}

__device__ void clear(float (&acc)[TILE][TILE])
{
	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			acc[i][j] = 0;
		}
	}
}

// c is of BLOCK * gridDim.x columns.
__device__ void store(float *c, const float (&acc)[TILE][TILE])
{
	const int row = blockIdx.y * BLOCK + threadIdx.x / 16 * TILE;
	const int col = blockIdx.x * BLOCK + threadIdx.x % 16 * TILE;
	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			c[(size_t)(row + i) * (gridDim.x * BLOCK) + col + j] = acc[i][j];
		}
	}
}

// Both arms multiply in the same way what they loaded each in its own: hoist with equal tails.
// a and b are of `steps` rows, one column for each row or column of c; rows from `split` on are
// read backwards, those of a halved.
__global__ void __launch_bounds__(THREADS)
	same_tail(const float *a, const float *b, float *c, int split, int steps)
{
	const int row = blockIdx.y * BLOCK + threadIdx.x / 16 * TILE;
	const int col = blockIdx.x * BLOCK + threadIdx.x % 16 * TILE;
	const size_t m = gridDim.y * BLOCK;
	const size_t n = gridDim.x * BLOCK;
	float acc[TILE][TILE];

	clear(acc);
	for (int k = 0; k < steps; ++k) {
		float x[TILE];
		float y[TILE];
		if (k < split) {
			for (int i = 0; i < TILE; ++i) {
				x[i] = a[k * m + row + i];
				y[i] = b[k * n + col + i];
			}
			accumulate(acc, x, y);
		} else {
			for (int i = 0; i < TILE; ++i) {
				x[i] = a[(k + 1) * m - 1 - row - i] * 0.5f;
				y[i] = b[(k + 1) * n - 1 - col - i];
			}
			accumulate(acc, x, y);
		}
	}
	store(c, acc);
}

// The arms differ in one operand: hoist with a hole.
__global__ void __launch_bounds__(THREADS) other_panel(
	const float *a, const float *left, const float *right, float *c, int split, int steps)
{
	const int row = blockIdx.y * BLOCK + threadIdx.x / 16 * TILE;
	const int col = blockIdx.x * BLOCK + threadIdx.x % 16 * TILE;
	const size_t m = gridDim.y * BLOCK;
	const size_t n = gridDim.x * BLOCK;
	float acc[TILE][TILE];

	clear(acc);
	for (int k = 0; k < steps; ++k) {
		float x[TILE];
		for (int i = 0; i < TILE; ++i) {
			x[i] = a[k * m + row + i];
		}
		if (k < split) {
			accumulate(acc, x, left + k * n + col);
		} else {
			accumulate(acc, x, right + k * n + col);
		}
	}
	store(c, acc);
}

// Three arms with a body of their own, chosen by a per-thread value.
__global__ void __launch_bounds__(THREADS)
	chain(const float *a, const float *b, const int *kind, float *c, int steps)
{
	const int row = blockIdx.y * BLOCK + threadIdx.x / 16 * TILE;
	const int col = blockIdx.x * BLOCK + threadIdx.x % 16 * TILE;
	const size_t m = gridDim.y * BLOCK;
	const size_t n = gridDim.x * BLOCK;
	float acc[TILE][TILE];

	clear(acc);
	for (int k = 0; k < steps; ++k) {
		const float *x = a + k * m + row;
		const float *y = b + k * n + col;
		const int what = kind[(k + threadIdx.x / 64) % 4];
		if (what == 0) {
			for (int i = 0; i < TILE; ++i) {
				for (int j = 0; j < TILE; ++j) {
					acc[i][j] += x[i] * y[j];
				}
			}
		} else if (what == 1) {
			for (int i = 0; i < TILE; ++i) {
				for (int j = 0; j < TILE; ++j) {
					acc[i][j] -= x[j] * y[i];
				}
			}
		} else {
			for (int i = 0; i < TILE; ++i) {
				for (int j = 0; j < TILE; ++j) {
					acc[i][j] = acc[i][j] * 0.5f + y[j];
				}
			}
		}
	}
	store(c, acc);
}

// Panels go through LDS; a tile at the edge of k is filled up with zeros.
constexpr int DEPTH = 8; // rows of a panel in LDS

__global__ void __launch_bounds__(THREADS)
	staged(const float *a, const float *b, float *c, int steps)
{
	__shared__ float left[DEPTH][BLOCK];
	__shared__ float right[DEPTH][BLOCK];
	const int tid = threadIdx.x;
	const size_t m = gridDim.y * BLOCK;
	const size_t n = gridDim.x * BLOCK;
	const float *from_a = a + blockIdx.y * BLOCK;
	const float *from_b = b + blockIdx.x * BLOCK;
	float acc[TILE][TILE];

	clear(acc);
	for (int k0 = 0; k0 < steps; k0 += DEPTH) {
		if (k0 + DEPTH <= steps) {
			for (int i = tid; i < DEPTH * BLOCK; i += THREADS) {
				left[i / BLOCK][i % BLOCK] =
					from_a[(k0 + i / BLOCK) * m + i % BLOCK];
				right[i / BLOCK][i % BLOCK] =
					from_b[(k0 + i / BLOCK) * n + i % BLOCK];
			}
			__syncthreads();
			for (int k = 0; k < DEPTH; ++k) {
				float x[TILE];
				for (int i = 0; i < TILE; ++i) {
					x[i] = left[k][tid / 16 * TILE + i];
				}
				accumulate(acc, x, &right[k][tid % 16 * TILE]);
			}
			__syncthreads();
		} else {
			for (int i = tid; i < DEPTH * BLOCK; i += THREADS) {
				const bool there = k0 + i / BLOCK < steps;
				left[i / BLOCK][i % BLOCK] =
					there ? from_a[(k0 + i / BLOCK) * m + i % BLOCK] : 0;
				right[i / BLOCK][i % BLOCK] =
					there ? from_b[(k0 + i / BLOCK) * n + i % BLOCK] : 0;
			}
			__syncthreads();
			for (int k = 0; k < DEPTH; ++k) {
				float x[TILE];
				for (int i = 0; i < TILE; ++i) {
					x[i] = left[k][tid / 16 * TILE + i];
				}
				accumulate(acc, x, &right[k][tid % 16 * TILE]);
			}
			__syncthreads();
		}
	}
	store(c, acc);
}
