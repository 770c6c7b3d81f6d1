#define __global__ __attribute__((global))

__global__ void kernel(float *p, int n, int c)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (c > k) {
			acc[k] += p[k] * p[k + 1];
		} else {
			acc[0] -= p[k] * p[k + 2];
		}
	}
	p[0] = acc[c];
}
