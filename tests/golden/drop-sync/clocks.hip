// A barrier beside the read of a clock lines the waves up for what is measured: it stays, also where the clock is
// read in a function or by asm, and where a loop leads to it. One with another barrier in between goes.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy drop-sync -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
// RUN: grep -c '__syncthreads();$' %t.hip | grep -x 9
// RUN: %exits 1 grep '// dead .$' %t.hip
// RUN: %exits 1 %unphi lint %s --target gfx90a --checks unphi-dead-sync -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: grep -c "orders nothing" %t.txt | grep -x 2

#include <hip/hip_runtime.h>

extern "C" __device__ long long clock64();
__device__ long long now();

__device__ long long read_it()
{
	return (long long)__builtin_amdgcn_s_memtime();
}

__device__ unsigned long long by_asm()
{
	unsigned long long t;
	asm volatile("s_memtime %0\n\ts_waitcnt lgkmcnt(0)" : "=s"(t)::"memory");
	return t;
}

__global__ void above(long long *out)
{
	const long long t = clock64();
	__syncthreads();
	out[threadIdx.x] = t;
}

__global__ void below(long long *out)
{
	__syncthreads();
	out[threadIdx.x] = __builtin_readcyclecounter();
}

__global__ void in_function(long long *out)
{
	__syncthreads();
	out[threadIdx.x] = read_it();
}

__global__ void in_asm(unsigned long long *out)
{
	__syncthreads();
	out[threadIdx.x] = by_asm();
}

__global__ void real_time(unsigned long long *out)
{
	const unsigned long long t = __builtin_amdgcn_s_memrealtime();
	__syncthreads();
	out[threadIdx.x] = t;
}

__global__ void not_seen(long long *out)
{
	const long long t = now();
	__syncthreads();
	out[threadIdx.x] = t;
}

__global__ void in_loop(long long *out, int n)
{
	long long t = 0;
	for (int i = 0; i < n; i++) {
		__syncthreads();
		out[threadIdx.x + i] = t;
		t = read_it();
	}
}

__global__ void between(long long *out, float *to)
{
	const long long t = read_it();
	__syncthreads();
	__syncthreads(); // dead 1
	to[threadIdx.x] = (float)t;
	__syncthreads();
	out[threadIdx.x] = read_it();
}

__global__ void without(float *to)
{
	__syncthreads(); // dead 2
	to[threadIdx.x] = 1.0f;
}
