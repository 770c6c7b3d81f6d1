// A barrier that a macro brings is told of where the macro stands, and is not edited. Of several the
// note says which; where one that can be edited would do as well, that is.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %unphi rewrite %s --target gfx942 --strategy drop-sync:forward -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
// RUN: %exits 1 diff %s %t.hip > %t.diff
// RUN: %FileCheck %s --check-prefix=DIFF < %t.diff
// DIFF: < {{.*}}__syncthreads(); // plain
// DIFF-NOT: {{^[<>]}}

#include <hip/hip_runtime.h>

#define SYNC() __syncthreads()
#define FLIP(x)                                                                                    \
	do {                                                                                       \
		x ^= 1;                                                                            \
		__syncthreads();                                                                   \
	} while (0)
#define TWICE()                                                                                    \
	{                                                                                          \
		__syncthreads();                                                                   \
		__syncthreads();                                                                   \
	}

// CHECK: [[#@LINE+8]]:2: warning: this barrier orders nothing: above: LDS is read; below: global memory is written [unphi-dead-sync]
// CHECK: note: it comes from a macro, and rewrite does not change macros
__global__ void one(const int *__restrict__ in, int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = in[threadIdx.x];
	SYNC();
	int x = s[127 - threadIdx.x];
	FLIP(x);
	out[threadIdx.x] = x;
}

// CHECK: [[#@LINE+6]]:2: warning: this barrier orders nothing: above: LDS is written; below: nothing
// CHECK: note: it is number 1 of the macro's 2 barriers, and rewrite does not change macros
__global__ void two(const int *__restrict__ in, int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = in[threadIdx.x];
	TWICE();
	out[threadIdx.x] = s[127 - threadIdx.x];
}

#define SWAP(s, x)                                                                                 \
	do {                                                                                       \
		s[threadIdx.x] = x;                                                                \
		__syncthreads();                                                                   \
		x = s[127 - threadIdx.x];                                                          \
		__syncthreads();                                                                   \
	} while (0)

// CHECK: [[#@LINE+6]]:2: warning: this barrier orders nothing: above: LDS is read; below: global memory is written
// CHECK: note: it is number 2 of the macro's 2 barriers, and rewrite does not change macros
__global__ void swap(const int *__restrict__ in, int *out)
{
	__shared__ int s[128];
	int x = in[threadIdx.x];
	SWAP(s, x);
	out[threadIdx.x] = x;
}

// CHECK-NOT: warning:
__global__ void swap_again(const int *__restrict__ in, int *out)
{
	__shared__ int s[128];
	int x = in[threadIdx.x];
	for (int k = 0; k < 4; k++) {
		SWAP(s, x);
	}
	out[threadIdx.x] = x;
}

// CHECK: [[#@LINE+6]]:2: warning: this barrier orders nothing
__global__ void plain(const int *__restrict__ in, int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = in[threadIdx.x];
	SYNC();
	__syncthreads(); // plain
	out[threadIdx.x] = s[127 - threadIdx.x];
}
// CHECK-NOT: warning:
