#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

__device__ inline void add(float (&acc)[64], float x)
{
	for (int i = 0; i < 64; i++) {
		acc[i] = x - acc[i];
	}
}

__global__ void kernel(float *p, int c, int n)
{
	float acc[64] = {};
	if (n > 2) {
		p[5] = p[c++];
		add(acc, 1);
	} else {
		p[5] = p[c + 2];
		add(acc, 1);
	}
	p[0] = acc[c];
}
