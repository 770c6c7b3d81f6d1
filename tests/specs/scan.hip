#include <hip/hip_runtime.h>
// prefix sums of each row, a block a row, in chunks of the block with a carry
__global__ void scan(const int *in, int *out, int *total, int n, int ld, bool exclusive)
{
	__shared__ int buf[2][256];
	int carry = 0;
	const int t = threadIdx.x;
	for (int base = 0; base < n; base += 256) {
		const int i = base + t;
		const int v = i < n ? in[blockIdx.x * ld + i] : 0;
		int p = 0;
		buf[p][t] = v;
		__syncthreads();
		for (int o = 1; o < 256; o <<= 1) {
			buf[1 - p][t] = t >= o ? buf[p][t] + buf[p][t - o] : buf[p][t];
			p = 1 - p;
			__syncthreads();
		}
		if (i < n) {
			out[blockIdx.x * ld + i] = carry + (exclusive ? buf[p][t] - v : buf[p][t]);
		}
		carry += buf[p][255];
		__syncthreads();
	}
	if (t == 0) {
		total[blockIdx.x] = carry;
	}
}
