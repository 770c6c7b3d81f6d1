// What tests/exec/faults.py links into a code object: calls by a table, and variables of all kinds.
#include <hip/hip_runtime.h>

#define KERNEL extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(64, 64)))

typedef float (*way)(float, int);

__device__ int counter = 5;
__device__ __attribute__((used)) float steps[5] = {1, 2, 3, 5, 7};
__device__ const float table[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};

__device__ inline int item()
{
#if __has_builtin(__builtin_amdgcn_workitem_id_x)
	return (int)__builtin_amdgcn_workitem_id_x();
#else
	return (int)threadIdx.x;
#endif
}

__device__ __attribute__((noinline)) float looked_up(int i)
{
	return table[i & 7];
}

__device__ __attribute__((noinline)) float up(float x, int n)
{
	return x + (float)n * steps[n & 3];
}

__device__ __attribute__((noinline)) float down(float x, int n)
{
	float a[8];
	for (int i = 0; i < 8; ++i) {
		a[i] = x * (float)i;
	}
	return a[n & 7] - looked_up(n);
}

__device__ way const ways[2] = {up, down};

KERNEL linked(float *out, const float *in, int n)
{
	int i = item();
	out[i] = ways[n & 1](in[i], n) + (float)counter + ways[(n >> 1) & 1](in[i], i & 7);
}
