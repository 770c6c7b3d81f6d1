#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

__device__ inline void step(float (&acc)[64], const float *p, int c)
{
	if (c > 2) {
		acc[1] += p[c];
	} else {
		acc[0] -= p[c];
	}
}

__global__ void both(float *p, int n, int c)
{
	float narrow[64] = {};
	float wide[96] = {};
	for (int k = 0; k < n; k++) {
		if (c > k) {
			narrow[k] += p[k];
		} else {
			narrow[0] -= p[k];
		}
		if (n > c) {
			p[k] = 1;
			if (k > 3) {
				wide[k] += 1;
			} else {
				wide[1] += p[k];
			}
		} else {
			wide[2] -= p[k];
		}
	}
	p[0] = narrow[c] - wide[c];
}

__global__ void first(float *p, int n, int c)
{
	float acc[64] = {};
	step(acc, p, c);
	p[0] = acc[n];
}

__global__ void second(float *p, int n, int c)
{
	float acc[64] = {};
	step(acc, p, c - 1);
	p[1] = acc[n];
}
