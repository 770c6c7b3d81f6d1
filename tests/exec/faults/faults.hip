// What tests/exec/faults.py compiles and then spoils. Blocks of two waves.
#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));

#define KERNEL extern "C" __global__ void __attribute__((amdgpu_flat_work_group_size(128, 128)))

__device__ inline int item()
{
#if __has_builtin(__builtin_amdgcn_workitem_id_x)
	return (int)__builtin_amdgcn_workitem_id_x();
#else
	return (int)threadIdx.x;
#endif
}

// No lane takes the branch, and nothing tells the compiler.
KERNEL skipped(const float *__restrict__ in, float *__restrict__ out)
{
	f32x4 acc = {1, 2, 3, 4};
	if (in[item()] > 100.0f) {
		acc = __builtin_amdgcn_mfma_f32_16x16x4f32(
			in[item() + 128], in[item()], acc, 0, 0, 0);
	}
	for (int i = 0; i < 4; ++i) {
		out[item() * 4 + i] = acc[i];
	}
}

// Rounded apart: the flags say so.
KERNEL apart(const float *__restrict__ in, float *__restrict__ out)
{
	out[item()] = in[item()] * in[item() + 128] + in[item() + 256];
}

KERNEL turned(const float *__restrict__ in, float *__restrict__ out)
{
	__shared__ float tile[128];
	tile[item()] = in[item()];
	__syncthreads();
	out[item()] = tile[127 - item()];
}

// More values than registers.
KERNEL __attribute__((amdgpu_num_vgpr(24)))
spilled(const float *__restrict__ in, float *__restrict__ out)
{
	float x[40];
	for (int i = 0; i < 40; ++i) {
		x[i] = in[item() + i];
	}
	asm volatile("" ::: "memory");
	for (int i = 0; i < 40; ++i) {
		out[item() * 40 + i] = x[i] * x[(i + 7) % 40];
	}
}
