#include <hip/hip_runtime.h>
// q[tokens][heads][dim] in place; the first rot dimensions turn, in pairs (i, i + rot / 2) or
// (2i, 2i + 1)
__global__ void rope(float *q, const int *position, const float *cos_table, const float *sin_table,
	int tokens, int heads, int dim, int rot, int max_position, bool interleaved)
{
	const int token = blockIdx.x;
	const int head = blockIdx.y * blockDim.y + threadIdx.y;
	if (head >= heads) {
		return;
	}
	int pos = position[token];
	if (pos >= max_position) {
		pos = max_position - 1;
	}
	const int half = rot / 2;
	float *row = q + ((size_t)token * heads + head) * dim;
	for (int i = threadIdx.x; i < half; i += blockDim.x) {
		const int lo = interleaved ? 2 * i : i;
		const int hi = interleaved ? 2 * i + 1 : i + half;
		const float c = cos_table[pos * half + i];
		const float s = sin_table[pos * half + i];
		const float x = row[lo], y = row[hi];
		row[lo] = x * c - y * s;
		row[hi] = x * s + y * c;
	}
}
