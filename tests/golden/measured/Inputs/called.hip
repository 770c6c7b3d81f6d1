// A kernel for blocks of 1024 threads, and a function that takes more registers than these leave.
#include <hip/hip_runtime.h>

__device__ __attribute__((noinline)) float wide(const float *__restrict__ p, int n)
{
	float v[160], sum = 0;
#pragma unroll
	for (int i = 0; i < 160; i++) v[i] = p[i * 64 + n];
	for (int k = 0; k < n; k++) {
#pragma unroll
		for (int i = 0; i < 160; i++) v[i] = v[i] * v[(i * 7 + 3) % 160] + 1.f;
	}
#pragma unroll
	for (int i = 0; i < 160; i++) sum += v[i];
	return sum;
}
__device__ __attribute__((noinline)) float narrow(const float *__restrict__ p, int n) { return p[n] * p[2 * n]; }
__global__ __launch_bounds__(1024) void calls(const float *__restrict__ p, float *o, int n)
{
	o[threadIdx.x] = wide(p + threadIdx.x, n);
}
__global__ __launch_bounds__(1024) void fits(const float *__restrict__ p, float *o, int n)
{
	o[threadIdx.x] = narrow(p + threadIdx.x, n);
}
