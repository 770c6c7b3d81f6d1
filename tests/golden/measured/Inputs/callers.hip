#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

#ifndef WIDTH
#define WIDTH 32
#endif

__device__ inline void step(float (&t)[WIDTH], float x)
{
	for (int i = 0; i < WIDTH; i++) {
		t[i] = t[i] * x + 1;
	}
}

__global__ void kernel(float *p, int n)
{
	float held[WIDTH], sum[WIDTH] = {};
	for (int i = 0; i < WIDTH; i++) {
		held[i] = p[i];
	}
	for (int k = 0; k < n; k++) {
		step(sum, p[k]);
	}
	for (int i = 0; i < WIDTH; i++) {
		p[i] = held[i] + sum[i];
	}
}
