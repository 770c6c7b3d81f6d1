// One barrier of the text is many: the instances of a template stand beside each other, and go
// together.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy drop-sync -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %exits 1 diff %s %t.hip | grep -c '^[<>]' | grep -qx 1

#include <hip/hip_runtime.h>

template <int N> __device__ int step(int x)
{
	x += N;
	__syncthreads();
	return x * 3;
}

// CHECK: instances.hip:[[#@LINE-4]]:2: barrier in step<1> (kernels: instances): kept as it is: instances.hip:[[#@LINE+5]] writes s, instances.hip:[[#@LINE+8]] reads it
// CHECK-NEXT: drop-sync: not legal (clause 1): instances.hip:[[#@LINE+4]] writes s, instances.hip:[[#@LINE+7]] reads it
__global__ void instances(int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = (int)threadIdx.x;
	int x = step<1>(3);
	x = step<2>(x);
	out[threadIdx.x] = s[127 - threadIdx.x] + x;
}

__device__ int between(int x)
{
	x++;
	__syncthreads();
	return x;
}

// A function that is called twice: one call has a write above it, the other one below it.
// CHECK: instances.hip:[[#@LINE-5]]:2: barrier in between (kernels: calls)
// CHECK-NEXT: drop-sync (forward): kept: forced, not measured
__global__ void calls(int *out)
{
	__shared__ int s[128];
	const int t = (int)threadIdx.x;
	s[t] = 1;
	int x = between(t);
	__syncthreads();
	out[t] = s[127 - t];
	__syncthreads();
	x = between(x);
	s[t] = x;
	__syncthreads();
	out[t] += s[127 - t];
}
