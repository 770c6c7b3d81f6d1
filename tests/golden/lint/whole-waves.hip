// Waves that leave whole in front of a barrier are said as that.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --check-prefixes=CHECK,WIDE < %t.txt
// RUN: %exits 1 %unphi lint --verbose %s --target gfx1100 -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --check-prefixes=CHECK,NARROW < %t.txt

#include <hip/hip_runtime.h>

// CHECK: [[#@LINE+7]]:2: warning: not all waves of the work-group reach this barrier: a wave reaches it, or has ended, as a whole [unphi-divergent-sync]
// CHECK: [[#@LINE+3]]:6: note: this differs between waves, not within one
__global__ void waves(float *p, int n)
{
	if ((int)(threadIdx.x >> 6) >= n) {
		return;
	}
	__syncthreads();
	p[threadIdx.x] = 3;
}

// WIDE: [[#@LINE+9]]:2: warning: not all lanes of the work-group reach this barrier: the others have ended [unphi-divergent-sync]
// WIDE: [[#@LINE+5]]:6: note: this differs per lane
// NARROW: [[#@LINE+7]]:2: warning: not all waves of the work-group reach this barrier: a wave reaches it, or has ended, as a whole [unphi-divergent-sync]
__global__ void lanes(float *p, int n)
{
	const int half = threadIdx.x / 32;
	if (half >= n) {
		return;
	}
	__syncthreads();
	p[threadIdx.x] = 3;
}

// Waves that have work of their own, as a template counts them.
template <unsigned BLOCK> __device__ void load_ahead(float *p, int n)
{
	constexpr unsigned loaders = BLOCK - 64;
	// CHECK: [[#@LINE+3]]:3: warning: not all waves of the work-group reach this barrier: a wave reaches it, or passes it by, as a whole [unphi-divergent-sync]
	// CHECK: [[#@LINE+1]]:6: note: this differs between waves, not within one
	if (threadIdx.x < loaders) {
		__syncthreads();
		p[threadIdx.x] = 3;
	}
}

// CHECK: [[#@LINE+6]]:3: warning: not all lanes of the work-group reach this barrier [unphi-divergent-sync]
// CHECK: [[#@LINE+4]]:6: note: this differs per lane
__global__ void loaders(float *p, int n)
{
	load_ahead<256>(p, n);
	if (threadIdx.x < 100) {
		__syncthreads();
		p[threadIdx.x] = 3;
	}
}

// Functions that name the lane's and the wave's number.
__device__ inline int lane_in_block()
{
	return threadIdx.x;
}
__device__ inline int wave_in_block()
{
	return threadIdx.x / 64;
}
__device__ inline int none_of_them(int n)
{
	return n;
}

__global__ void named(float *p, int n)
{
	// CHECK: [[#@LINE+2]]:3: warning: not all lanes of the work-group reach this barrier [unphi-divergent-sync]
	if (lane_in_block() < n) {
		__syncthreads();
		p[threadIdx.x] = 3;
	}
	// CHECK-NOT: [[#@LINE+2]]:3: warning: not all
	if (none_of_them(n) < 3) {
		__syncthreads();
		p[threadIdx.x] = 4;
	}
	// CHECK: [[#@LINE+4]]:2: warning: not all waves of the work-group reach this barrier: a wave reaches it, or has ended, as a whole [unphi-divergent-sync]
	if (wave_in_block() >= n) {
		return;
	}
	__syncthreads();
	p[threadIdx.x] = 3;
}

// As many turns in each lane, though each begins elsewhere, and one that all begin at their own.
__global__ void in_step(float *p, int steps, int stride)
{
	__shared__ float s[64];
	const int lane = threadIdx.x, block = blockIdx.x;
	for (int t = block * steps + lane; t < (block + 1) * steps + lane; t += stride) {
		// CHECK-NOT: [[#@LINE+1]]:3: warning: not all
		__syncthreads();
		s[lane] = p[t];
		__syncthreads();
		p[t] = s[63 - lane];
	}
	for (int t = lane; t < steps; t += stride) {
		// CHECK: [[#@LINE+1]]:3: warning: not all lanes of the work-group reach this barrier [unphi-divergent-sync]
		__syncthreads();
		s[lane] = p[t];
		__syncthreads();
		p[t] = s[63 - lane];
	}
}
