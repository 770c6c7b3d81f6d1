#include <hip/hip_runtime.h>
// out = in^T by tiles of 32x32 in LDS, 8 rows at a time
__global__ void transpose(const float *in, float *out, int rows, int cols, int ldi, int ldo)
{
	__shared__ float tile[32][33];
	const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) {
		if (x < cols && y + i < rows) {
			tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(y + i) * ldi + x];
		}
	}
	__syncthreads();
	const int u = blockIdx.y * 32 + threadIdx.x, v = blockIdx.x * 32 + threadIdx.y;
	for (int i = 0; i < 32; i += 8) {
		if (u < rows && v + i < cols) {
			out[(size_t)(v + i) * ldo + u] = tile[threadIdx.x][threadIdx.y + i];
		}
	}
}
