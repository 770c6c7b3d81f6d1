#include <hip/hip_runtime.h>
// bags of rows of a table, their mean; rows of the index `padding` count for nothing
__global__ void embedding_bag(const _Float16 *table, const int *index, const int *offset,
	float *out, int bags, int dim, int padding)
{
	const int bag = blockIdx.x;
	const int begin = offset[bag], end = offset[bag + 1];
	for (int d = threadIdx.x; d < dim; d += blockDim.x) {
		float sum = 0.f;
		int n = 0;
		for (int j = begin; j < end; ++j) {
			const int row = index[j];
			if (row == padding) {
				continue;
			}
			sum += (float)table[(size_t)row * dim + d];
			n++;
		}
		out[bag * dim + d] = n > 0 ? sum / n : 0.f;
	}
}
