#define __global__ __attribute__((global))

__global__ void kernel(float *p, int n, int c)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (c > k) {
			acc[k] += p[k];
		} else {
			acc[0] -= p[k];
		}
	}
	switch (c) {
	case 0:
		acc[1] += 1;
	case 1:
		acc[2] += 1;
		break;
	default:
		acc[3] += 1;
	}
	p[0] = acc[c];
}
