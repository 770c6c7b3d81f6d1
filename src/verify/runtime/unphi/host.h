#pragma once
/*
 * HIP's host functions, so that the host code of a kernel's file compiles. Calling one ends the
 * process. prepare.h removes launches (<<<>>>) from the source.
 */
#pragma GCC system_header
#include <stddef.h>
#include <stdlib.h>
#include <unphi/wave.h>

enum hipError_t {
	hipSuccess = 0,
	hipErrorInvalidValue = 1,
	hipErrorOutOfMemory = 2,
	hipErrorNotInitialized = 3,
	hipErrorInvalidDevice = 101,
	hipErrorNotReady = 600,
	hipErrorUnknown = 999
};
enum hipMemcpyKind {
	hipMemcpyHostToHost,
	hipMemcpyHostToDevice,
	hipMemcpyDeviceToHost,
	hipMemcpyDeviceToDevice,
	hipMemcpyDefault
};
enum hipFuncAttribute {
	hipFuncAttributeMaxDynamicSharedMemorySize = 8,
	hipFuncAttributePreferredSharedMemoryCarveout = 9
};
enum hipDeviceAttribute_t {
	hipDeviceAttributeMultiprocessorCount = 63,
	hipDeviceAttributeWarpSize = 87
};
typedef struct ihipStream_t *hipStream_t;
typedef struct ihipEvent_t *hipEvent_t;
typedef void *hipDeviceptr_t;
struct hipDeviceProp_t {
	char name[256];
	char gcnArchName[256];
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	int warpSize;
	int maxThreadsPerBlock;
	int multiProcessorCount;
	int clockRate;
	int major;
	int minor;
};

#define hipStreamDefault 0u
#define hipStreamNonBlocking 1u
#define hipEventDefault 0u
#define hipEventDisableTiming 2u
#define hipHostMallocDefault 0u

#define UNPHI_HOST(name)                                                                           \
	template <class... T> inline hipError_t name(T &&...)                                      \
	{                                                                                          \
		unphi::not_on_host(#name);                                                         \
	}
UNPHI_HOST(hipMalloc)
UNPHI_HOST(hipMallocAsync)
UNPHI_HOST(hipMallocManaged)
UNPHI_HOST(hipHostMalloc)
UNPHI_HOST(hipFree)
UNPHI_HOST(hipFreeAsync)
UNPHI_HOST(hipHostFree)
UNPHI_HOST(hipMemcpy)
UNPHI_HOST(hipMemcpyAsync)
UNPHI_HOST(hipMemcpy2D)
UNPHI_HOST(hipMemcpyToSymbol)
UNPHI_HOST(hipMemcpyFromSymbol)
UNPHI_HOST(hipMemset)
UNPHI_HOST(hipMemsetAsync)
UNPHI_HOST(hipGetDevice)
UNPHI_HOST(hipGetDeviceCount)
UNPHI_HOST(hipGetDeviceProperties)
UNPHI_HOST(hipSetDevice)
UNPHI_HOST(hipDeviceGetAttribute)
UNPHI_HOST(hipDeviceReset)
UNPHI_HOST(hipDeviceSynchronize)
UNPHI_HOST(hipStreamCreate)
UNPHI_HOST(hipStreamCreateWithFlags)
UNPHI_HOST(hipStreamDestroy)
UNPHI_HOST(hipStreamSynchronize)
UNPHI_HOST(hipStreamWaitEvent)
UNPHI_HOST(hipEventCreate)
UNPHI_HOST(hipEventCreateWithFlags)
UNPHI_HOST(hipEventDestroy)
UNPHI_HOST(hipEventRecord)
UNPHI_HOST(hipEventSynchronize)
UNPHI_HOST(hipEventElapsedTime)
UNPHI_HOST(hipFuncSetAttribute)
UNPHI_HOST(hipFuncSetCacheConfig)
UNPHI_HOST(hipLaunchKernel)
UNPHI_HOST(hipModuleLaunchKernel)
UNPHI_HOST(hipOccupancyMaxActiveBlocksPerMultiprocessor)
UNPHI_HOST(hipOccupancyMaxPotentialBlockSize)
UNPHI_HOST(hipGetLastError)
UNPHI_HOST(hipPeekAtLastError)
#undef UNPHI_HOST
inline const char *hipGetErrorString(hipError_t)
{
	return "no HIP here";
}
inline const char *hipGetErrorName(hipError_t)
{
	return "no HIP here";
}
#define hipLaunchKernelGGL(...) unphi::not_on_host("hipLaunchKernelGGL")
#define HIP_KERNEL_NAME(...) __VA_ARGS__
#define HIP_SYMBOL(x) x
