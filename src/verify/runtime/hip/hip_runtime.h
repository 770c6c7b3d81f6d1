#pragma once
/* HIP's device functions and types on the CPU; replaces HIP's header of this name. unphi/wave.h
 * describes how kernels run. */
#pragma GCC system_header

#ifndef __HIP__
#define __HIP__ 1
#endif
#ifndef __HIPCC__
#define __HIPCC__ 1
#endif
#ifndef __HIP_PLATFORM_AMD__
#define __HIP_PLATFORM_AMD__ 1
#endif
#ifndef __HIP_PLATFORM_HCC__
#define __HIP_PLATFORM_HCC__ 1
#endif
/* Selects the device code of sources. */
#ifndef __HIP_DEVICE_COMPILE__
#define __HIP_DEVICE_COMPILE__ 1
#endif
#ifndef HIP_VERSION_MAJOR
#define HIP_VERSION_MAJOR 6
#define HIP_VERSION_MINOR 0
#define HIP_VERSION_PATCH 0
#define HIP_VERSION 60000000
#endif

/* Kernels use printf and assert without including their headers. */
#include <assert.h>
#include <stdio.h>
#include <unphi/wave.h>
#include <unphi/vector_types.h>
#include <unphi/math.h>
#include <unphi/ocml.h>
#include <unphi/atomic.h>
#include <unphi/matrix.h>
#include <unphi/builtins.h>
#include <unphi/host.h>

#define __global__ __attribute__((global)) // ignored by the host's compiler; marks kernels
#define __device__ __attribute__((device)) // removed by prepare, which finds variables by it
#define __host__
#define __constant__
#define __managed__
#define __grid_constant__
#define __launch_bounds__(...)
/* __attribute__((amdgpu_waves_per_eu(2))): the host compiler accepts these only on kernels */
#define amdgpu_flat_work_group_size(...)
#define amdgpu_max_num_work_groups(...)
#define amdgpu_num_sgpr(...)
#define amdgpu_num_vgpr(...)
#define amdgpu_waves_per_eu(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
/* Blocks run one after the other, so LDS can be static; the section lets the runner find it. Extern
 * __shared__ variables are the dynamic LDS; prepare.h renames them. */
#define __shared__ static __attribute__((__section__("unphi_lds")))
#define HIP_DYNAMIC_SHARED(type, var) extern __shared__ type var[];
#define HIP_DYNAMIC_SHARED_ATTRIBUTE

#define __AMDGCN_WAVEFRONT_SIZE UNPHI_WAVE_SIZE
#define __AMDGCN_WAVEFRONT_SIZE__ UNPHI_WAVE_SIZE
constexpr int warpSize = UNPHI_WAVE_SIZE;

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

UNPHI_INLINE void __trap(UNPHI_AT)
{
	unphi::fail(at, "__trap");
}
