#define __global__ __attribute__((global))

__global__ void everywhere(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		acc[c] += 1;
	} else {
		acc[0] -= 1;
	}
	p[0] = acc[c];
}

#ifdef __gfx90a__
__global__ void only_90a(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		acc[c] += 1;
	} else {
		acc[0] -= 1;
	}
	p[0] = acc[c];
}
#else
__global__ void only_942(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		acc[c] += 1;
	} else {
		acc[0] -= 1;
	}
	p[0] = acc[c];
}
#endif

__global__ void differs(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		acc[c] += 1;
	}
#ifdef __gfx90a__
	else if (c == 3) {
		acc[1] += 1;
	}
#endif
	else {
		acc[0] -= 1;
	}
	p[0] = acc[c];
}
