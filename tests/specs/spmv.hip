#include <hip/hip_runtime.h>
// y = alpha A x + beta y, A in CSR; a wave a row, rows with nothing in them are there
__global__ void spmv(const int *row_ptr, const int *col, const float *val, const float *x, float *y,
	int rows, float alpha, float beta)
{
	const int lane = threadIdx.x % 64, row = (blockIdx.x * blockDim.x + threadIdx.x) / 64;
	if (row >= rows) {
		return;
	}
	const int begin = row_ptr[row], end = row_ptr[row + 1];
	float sum = 0.f;
	for (int j = begin + lane; j < end; j += 64) {
		sum += val[j] * x[col[j]];
	}
	for (int o = 32; o > 0; o >>= 1) {
		sum += __shfl_down(sum, o);
	}
	if (lane == 0) {
		y[row] = alpha * sum + beta * y[row];
	}
}
