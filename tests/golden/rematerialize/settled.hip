// Fragments in LDS, and barriers in the loops that read them: loaded again only where nobody writes that
// LDS any more.
//
// RUN: %unphi rewrite --no-comments %s --verbose --target gfx90a --strategy rematerialize:loop -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %exits 1 diff %s %t.hip > %t.diff
// RUN: %FileCheck %s --check-prefix DIFF < %t.diff
// CHECK: 8 fragments that loops only read, 2 loaded again

#include <hip/hip_runtime.h>

// What is written behind the barrier is other LDS.
// DIFF: > {{.*}}asm volatile("" : "+s"(zero{{[0-9]*}}));
// DIFF: > {{.*}}float q[8];
// DIFF: > {{.*}}q[i] = (tile + zero{{[0-9]*}})[i * 64 + 63 - threadIdx.x];
__global__ void settled(const float *in, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64], keys[64];
	for (int i = 0; i < 8; ++i) {
		tile[i * 64 + threadIdx.x] = in[i];
	}
	__syncthreads();
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 64 + 63 - threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		__syncthreads();
		keys[threadIdx.x] = in[k];
		__syncthreads();
		for (int i = 0; i < 8; ++i) {
			sum += q[i] * keys[i];
		}
	}
	out[threadIdx.x] = sum;
}

// Filled in two steps, and declared in a block behind them.
// DIFF: > {{.*}}asm volatile("" : "+s"(zero{{[0-9]*}}));
__global__ void twice_filled(const float *in, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64];
	float sum = 0;
	tile[threadIdx.x] = 0;
	__syncthreads();
	for (int i = 0; i < 8; ++i) {
		tile[i * 64 + 63 - threadIdx.x] = in[i];
	}
	__syncthreads();
	if (n > 3) {
		float q[8];
		for (int i = 0; i < 8; ++i) {
			q[i] = tile[i * 64 + threadIdx.x];
		}
		for (int k = 0; k < n; ++k) {
			__syncthreads();
			sum += q[k & 7];
		}
	}
	out[threadIdx.x] = sum;
}

// The lanes of other waves may be behind.
// CHECK: 'q', 8 VGPRs in unfilled: kept as it is: 'tile' is not memory that the kernel only reads, and a barrier comes before it
__global__ void unfilled(const float *in, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64];
	float sum = 0;
	__syncthreads();
	for (int i = 0; i < 8; ++i) {
		tile[i * 64 + threadIdx.x] = in[i];
	}
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		__syncthreads();
		sum += q[k & 7];
	}
	out[threadIdx.x] = sum;
}

// Which barrier of it the lanes meet at is not seen.
// CHECK: 'q', 8 VGPRs in barrier_in_branch: kept as it is: 'tile' is not memory that the kernel only reads
__global__ void barrier_in_branch(const float *in, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64];
	float sum = 0;
	if (n > 4) {
		tile[threadIdx.x] = 1;
		__syncthreads();
	}
	for (int i = 1; i < 8; ++i) {
		tile[i * 64 + threadIdx.x] = in[i];
	}
	__syncthreads();
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		__syncthreads();
		sum += q[k & 7];
	}
	out[threadIdx.x] = sum;
}

// CHECK: 'q', 8 VGPRs in may_leave: kept as it is: 'tile' is not memory that the kernel only reads
__global__ void may_leave(const float *in, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64];
	float sum = 0;
	for (int i = 0; i < 8; ++i) {
		if (in[i] < 0) {
			return;
		}
		tile[i * 64 + threadIdx.x] = in[i];
	}
	__syncthreads();
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		__syncthreads();
		sum += q[k & 7];
	}
	out[threadIdx.x] = sum;
}

// In the next round it is filled anew.
// CHECK: 'q', 8 VGPRs in filled_again: kept as it is: 'tile' is not memory that the kernel only reads
__global__ void filled_again(const float *in, float *__restrict__ out, int n)
{
	float sum = 0;
	__syncthreads();
	for (int round = 0; round < n; ++round) {
		__shared__ float tile[8 * 64];
		for (int i = 0; i < 8; ++i) {
			tile[i * 64 + threadIdx.x] = in[round];
		}
		__syncthreads();
		float q[8];
		for (int i = 0; i < 8; ++i) {
			q[i] = tile[i * 64 + 63 - threadIdx.x];
		}
		for (int k = 0; k < n; ++k) {
			__syncthreads();
			sum += q[k & 7];
		}
	}
	out[threadIdx.x] = sum;
}

// Arrays without a size are one memory, whatever their names.
// CHECK: 'q', 8 VGPRs in without_size: kept as it is: 'tile' is not memory that the kernel only reads
__global__ void without_size(const float *in, float *__restrict__ out, int n)
{
	extern __shared__ float tile[];
	float sum = 0;
	for (int i = 0; i < 8; ++i) {
		tile[i * 64 + threadIdx.x] = in[i];
	}
	__syncthreads();
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 64 + 63 - threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		__syncthreads();
		sum += q[k & 7];
	}
	out[threadIdx.x] = sum;
}

__device__ void unseen(int k);

// CHECK: 'q', 8 VGPRs in calls: kept as it is: 'tile' is loaded, and what begins in line {{[0-9]+}} may write it
__global__ void calls(const float *in, float *__restrict__ out, int n)
{
	__shared__ float tile[8 * 64];
	float sum = 0;
	for (int i = 0; i < 8; ++i) {
		tile[i * 64 + threadIdx.x] = in[i];
	}
	__syncthreads();
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 64 + 63 - threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		unseen(k);
		sum += q[k & 7];
	}
	out[threadIdx.x] = sum;
}
