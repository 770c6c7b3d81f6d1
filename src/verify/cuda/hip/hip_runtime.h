#pragma once
/* The HIP names that kernels and a launcher need, implemented with CUDA. Replaces HIP's header if
 * that is not installed or does not support the installed CUDA. A warp has 32 lanes. */
#pragma GCC system_header
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#ifndef __HIP_PLATFORM_NVIDIA__
#define __HIP_PLATFORM_NVIDIA__ 1
#endif
#ifndef __HIP_PLATFORM_NVCC__
#define __HIP_PLATFORM_NVCC__ 1
#endif
#ifndef __HIPCC__
#define __HIPCC__ 1
#endif
#ifdef __CUDA_ARCH__
#define __HIP_DEVICE_COMPILE__ 1
#endif

#define hipError_t cudaError_t
#define hipSuccess cudaSuccess
#define hipErrorNoDevice cudaErrorNoDevice
#define hipErrorInsufficientDriver cudaErrorInsufficientDriver
#define hipErrorInvalidDevice cudaErrorInvalidDevice
#define hipErrorNotInitialized cudaErrorInitializationError
#define hipGetErrorString cudaGetErrorString
#define hipGetErrorName cudaGetErrorName
#define hipGetLastError cudaGetLastError
#define hipPeekAtLastError cudaPeekAtLastError

#define hipDeviceProp_t cudaDeviceProp
#define hipGetDeviceCount cudaGetDeviceCount
#define hipGetDeviceProperties cudaGetDeviceProperties
#define hipSetDevice cudaSetDevice
#define hipGetDevice cudaGetDevice
#define hipDeviceSynchronize cudaDeviceSynchronize

#define hipMalloc cudaMalloc
#define hipFree cudaFree
#define hipMemset cudaMemset
#define hipMemcpy cudaMemcpy
#define hipMemcpyAsync cudaMemcpyAsync
#define hipMemcpyHostToDevice cudaMemcpyHostToDevice
#define hipMemcpyDeviceToHost cudaMemcpyDeviceToHost
#define hipMemcpyDeviceToDevice cudaMemcpyDeviceToDevice

#define hipStream_t cudaStream_t
#define hipStreamCreate cudaStreamCreate
#define hipStreamDestroy cudaStreamDestroy
#define hipStreamSynchronize cudaStreamSynchronize
#define hipEvent_t cudaEvent_t
#define hipEventCreate cudaEventCreate
#define hipEventDestroy cudaEventDestroy
#define hipEventRecord cudaEventRecord
#define hipEventSynchronize cudaEventSynchronize
#define hipEventElapsedTime cudaEventElapsedTime

#define hipFuncSetAttribute cudaFuncSetAttribute
#define hipFuncAttributeMaxDynamicSharedMemorySize cudaFuncAttributeMaxDynamicSharedMemorySize
#define hipLaunchKernelGGL(kernel, grid, block, lds, stream, ...)                                  \
	kernel<<<(grid), (block), (lds), (stream)>>>(__VA_ARGS__)
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_DYNAMIC_SHARED(type, name) extern __shared__ type name[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#define hipThreadIdx_x threadIdx.x
#define hipThreadIdx_y threadIdx.y
#define hipThreadIdx_z threadIdx.z
#define hipBlockIdx_x blockIdx.x
#define hipBlockIdx_y blockIdx.y
#define hipBlockIdx_z blockIdx.z
#define hipBlockDim_x blockDim.x
#define hipBlockDim_y blockDim.y
#define hipBlockDim_z blockDim.z
#define hipGridDim_x gridDim.x
#define hipGridDim_y gridDim.y
#define hipGridDim_z gridDim.z

/* HIP's cross-lane operations take no mask. CUDA still declares these names, without bodies. */
namespace unphi_cuda
{

template <class T> __device__ inline T shfl(T v, int lane, int width = 32)
{
	return __shfl_sync(__activemask(), v, lane, width);
}

template <class T> __device__ inline T shfl_up(T v, unsigned by, int width = 32)
{
	return __shfl_up_sync(__activemask(), v, by, width);
}

template <class T> __device__ inline T shfl_down(T v, unsigned by, int width = 32)
{
	return __shfl_down_sync(__activemask(), v, by, width);
}

template <class T> __device__ inline T shfl_xor(T v, int mask, int width = 32)
{
	return __shfl_xor_sync(__activemask(), v, mask, width);
}

__device__ inline unsigned long long ballot(int predicate)
{
	return __ballot_sync(__activemask(), predicate);
}

__device__ inline int any(int predicate)
{
	return __any_sync(__activemask(), predicate);
}

__device__ inline int all(int predicate)
{
	return __all_sync(__activemask(), predicate);
}

} // namespace unphi_cuda

#define __shfl unphi_cuda::shfl
#define __shfl_up unphi_cuda::shfl_up
#define __shfl_down unphi_cuda::shfl_down
#define __shfl_xor unphi_cuda::shfl_xor
#define __ballot unphi_cuda::ballot
#define __any unphi_cuda::any
#define __all unphi_cuda::all
