// Barriers that all lanes reach, though a lane's own value is near: none is told. divergent-exits.hip has
// those that are.
//
// RUN: %unphi lint %s --target gfx942 --target gfx1100 --checks='-*,unphi-divergent-sync' -- -nogpuinc -I %root/tests/golden/rewrite/Inputs 2>&1 | %FileCheck %s
// CHECK-NOT: warning:
// CHECK: nothing found

#include <hip/hip_runtime.h>

__device__ int atomicAdd(int *at, int by);
__device__ int __shfl(int, int);

// A variable that is overwritten for certain.
__global__ void overwritten(float *o, int n)
{
	int x = threadIdx.x;
	o[x] = 1;
	x = n;
	if (x < 3) {
		__syncthreads();
		o[threadIdx.x] = 2;
	}
	int side = threadIdx.x;
	if (n > 3) {
		side = 1;
	} else {
		side = n;
	}
	while (side-- > 0) {
		__syncthreads();
		o[threadIdx.x] += 2;
	}
}

// One address that all read, and that nobody wrote since a barrier.
__device__ int total(int v, int *s)
{
	s[threadIdx.x] = v;
	__syncthreads();
	int sum = 0;
	for (int i = 0; i < 256; i++) {
		sum += s[i];
	}
	__syncthreads();
	return sum;
}
__global__ void broadcast(float *o, int *next, int jobs)
{
	__shared__ int s[256], job;
	for (;;) {
		if (threadIdx.x == 0) {
			job = atomicAdd(next, 1);
		}
		__syncthreads();
		const int mine = job;
		__syncthreads();
		if (mine >= jobs) {
			break;
		}
		if (total(o[threadIdx.x] > 1, s) > 7) {
			__syncthreads();
			o[threadIdx.x] = 2;
		}
	}
}

// The same by a reference to LDS, and what a function gives goes by the arguments of the call.
__device__ inline int parts(int n, int by) { return (n + by - 1) / by; }
__global__ void by_reference(float *o, int *next, int jobs)
{
	__shared__ int s[256];
	int &job = s[0];
	o[threadIdx.x] = parts((int)o[threadIdx.x], jobs);
	for (int i = 0; i < parts(jobs, 256); i++) {
		if (threadIdx.x == 0) {
			job = atomicAdd(next, 1);
		}
		__syncthreads();
		if (job < jobs) {
			__syncthreads();
			o[job] = 2;
		}
		__syncthreads();
	}
}

// A member that all have beside one that is the lane's own.
struct place {
	union {
		float data[2];
		struct {
			float x, y;
		};
	};
};
__global__ void members(float *o, float n)
{
	place p;
	p.x = threadIdx.x;
	p.y = n;
	if (p.y > 3) {
		__syncthreads();
		o[0] = p.x;
	}
}

// Votes.
__global__ void votes(float *o, int n)
{
	int i = threadIdx.x;
	while (__syncthreads_or(i < n)) {
		__syncthreads();
		o[threadIdx.x] = 2;
		i += 256;
	}
	if (__syncthreads_count(o[i] > 1) < 3) {
		return;
	}
	__syncthreads();
}

// As many iterations in each lane.
__device__ inline int roundup(int n, int to) { return (n + to - 1) / to * to; }
__global__ void __launch_bounds__(256) exact(float *o, int n)
{
	for (int i = threadIdx.x; i < 1024; i += 256) {
		__syncthreads();
		o[i] = 2;
	}
	for (int i = threadIdx.x; i < roundup(n, 256); i += 256) {
		__syncthreads();
		o[i] = 2;
	}
	const int id = threadIdx.y * blockDim.x + threadIdx.x;
	for (int i = id; i < 2048; i += 256) {
		__syncthreads();
		o[i] = 2;
	}
	for (int row = id / 32; row < 64; row += 8) {
		__syncthreads();
		o[row] = 2;
	}
}
__global__ void any_block(float *o, int n)
{
	const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
	if (t < blockDim.x) {
		__syncthreads();
	}
	for (int i = g; i < roundup(n, blockDim.x); i += blockDim.x * gridDim.x) {
		__syncthreads();
		o[i] = 2;
	}
	if (g / blockDim.x < 5) {
		__syncthreads();
	}
	if (g - t >= n) {
		return;
	}
	__syncthreads();
	/* the stride is the size that is meant */
	for (int i = t; i < 1024; i += 256) {
		__syncthreads();
		o[i] = 2;
	}
}

// Blocks of one wave: nobody waits.
__global__ void __launch_bounds__(32) one_wave(float *o, int n)
{
	const int first = __shfl((int)o[threadIdx.x], 0);
	for (int i = 0; i < first; i++) {
		__syncthreads();
		o[threadIdx.x] = 2;
	}
	if ((int)threadIdx.x < n) {
		__syncthreads();
	}
}

// Behind a loop that lanes leave by themselves all are there again; so they are behind arms.
__global__ void together_again(float *o, int n)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x) {
		if (o[i] < 1) {
			continue;
		}
		if (o[i] > 9) {
			break;
		}
		o[i] = 2;
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		o[0] += o[1];
	}
	__syncthreads();
}
