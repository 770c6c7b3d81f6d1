#pragma once
/* As much of HIP's header as the kernels of this project use, in a hundredth of its time to parse. */
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))

#include <stddef.h>
#include <stdint.h>

struct uint3 {
	unsigned x, y, z;
};
struct dim3 {
	unsigned x, y, z;
	__host__ __device__ dim3(unsigned nx, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
};
typedef void *hipStream_t;
typedef float float4 __attribute__((ext_vector_type(4)));
extern "C" int __hipPushCallConfiguration(dim3, dim3, size_t = 0, void * = nullptr);
extern "C" int __hipPopCallConfiguration(dim3 *, dim3 *, size_t *, void **);
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
extern const __device__ uint3 threadIdx, blockIdx, blockDim, gridDim;

__device__ inline void __syncthreads()
{
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ float __shfl_xor(float value, int mask, int width = 64);
__device__ inline float fmaxf(float x, float y) { return __builtin_fmaxf(x, y); }
__device__ inline float exp2f(float x) { return __builtin_exp2f(x); }
__device__ inline float log2f(float x) { return __builtin_log2f(x); }
#define INFINITY __builtin_inff()
