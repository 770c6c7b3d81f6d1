// From HIP 6 on threadIdx.x is a property: which dimension it is only its text says.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 --checks='-*,unphi-divergent-sync' -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
struct __HIP_Coordinates {
	__declspec(property(get = __get_x)) unsigned x;
	__declspec(property(get = __get_y)) unsigned y;
	__device__ unsigned __get_x() const;
	__device__ unsigned __get_y() const;
};
extern const __device__ __HIP_Coordinates threadIdx, blockDim;
#define hipThreadIdx_x threadIdx.x
#define lane_x threadIdx.y
__device__ void __syncthreads();

__global__ void k(int n)
{
	if (threadIdx.x < blockDim.x) {
		__syncthreads();
	}
	// CHECK-NOT: warning:
	// CHECK: [[#@LINE+2]]:3: warning: not all lanes
	if (threadIdx.x < blockDim.y) {
		__syncthreads();
	}
	// CHECK-NOT: warning:
	for (int i = blockDim.y * 256 + threadIdx.x; i - (int)threadIdx.x < n; i += 256) {
		__syncthreads();
	}
	// CHECK: [[#@LINE+2]]:3: warning: not all lanes
	for (int i = blockDim.y * 256 + threadIdx.x; i - (int)threadIdx.y < n; i += 256) {
		__syncthreads();
	}
	// CHECK: [[#@LINE+2]]:3: warning: not all waves
	if (threadIdx.x / 64 < n) {
		__syncthreads();
	}
	// CHECK: [[#@LINE+2]]:3: warning: not all waves
	if (hipThreadIdx_x / 64 < n) {
		__syncthreads();
	}
	// CHECK: [[#@LINE+2]]:3: warning: not all lanes
	if (threadIdx.y / 64 < n) {
		__syncthreads();
	}
	// CHECK: [[#@LINE+2]]:3: warning: not all lanes
	if (lane_x / 64 < n) {
		__syncthreads();
	}
}
