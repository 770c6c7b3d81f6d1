#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

__global__ void first(float *p, int n, int c)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		const float x = p[k];
		if (c > k) {
#pragma unroll
			for (int i = 0; i < 64; i++) {
				acc[i] = acc[i] * x + 1;
			}
		} else {
			acc[3] -= x;
		}
	}
	for (int i = 0; i < 64; i++) {
		p[i] = acc[i];
	}
}

__global__ void second(float *p)
{
	__builtin_amdgcn_s_barrier();
	p[0] = 1;
}
