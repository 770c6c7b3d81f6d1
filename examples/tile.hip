// C = A^T * B, an 8 x 8 tile of C a thread. The last step of the k loop masks what it loads, and
// both arms go on with the same accumulator.
#include <hip/hip_runtime.h>

constexpr int TILE = 8;
constexpr int STEP = 4;

__device__ void multiply(
	float (&acc)[TILE][TILE], const float (&x)[STEP][TILE], const float (&y)[STEP][TILE])
{
	for (int k = 0; k < STEP; ++k) {
		for (int i = 0; i < TILE; ++i) {
			for (int j = 0; j < TILE; ++j) {
				acc[i][j] += x[k][i] * y[k][j];
			}
		}
	}
}

__global__ void __launch_bounds__(256)
	tile(const float *a, const float *b, float *c, int n, int depth)
{
	const int row = (blockIdx.y * 16 + threadIdx.x / 16) * TILE;
	const int col = (blockIdx.x * 16 + threadIdx.x % 16) * TILE;
	float acc[TILE][TILE] = {};

	for (int k0 = 0; k0 < depth; k0 += STEP) {
		float x[STEP][TILE];
		float y[STEP][TILE];
		if (k0 + STEP <= depth) {
			for (int k = 0; k < STEP; ++k) {
				for (int i = 0; i < TILE; ++i) {
					x[k][i] = a[(k0 + k) * n + row + i];
					y[k][i] = b[(k0 + k) * n + col + i];
				}
			}
			multiply(acc, x, y);
		} else {
			for (int k = 0; k < STEP; ++k) {
				for (int i = 0; i < TILE; ++i) {
					x[k][i] = k0 + k < depth ? a[(k0 + k) * n + row + i] : 0;
					y[k][i] = k0 + k < depth ? b[(k0 + k) * n + col + i] : 0;
				}
			}
			multiply(acc, x, y);
		}
	}
	for (int i = 0; i < TILE; ++i) {
		for (int j = 0; j < TILE; ++j) {
			c[(row + i) * n + col + j] = acc[i][j];
		}
	}
}
