// A barrier that stays because the form that is asked for drops its neighbour says so.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy drop-sync:backward -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt

#include <hip/hip_runtime.h>

// CHECK: barrier in twice: kept as it is: others go in its place{{$}}
// CHECK-NOT: not legal
// CHECK: barrier in twice{{$}}
// CHECK-NEXT: drop-sync (backward): kept: forced, not measured{{$}}
__global__ void twice(float *p, int c)
{
	__shared__ float s[64];
	s[threadIdx.x] = p[threadIdx.x];
	__syncthreads();
	__syncthreads();
	p[threadIdx.x] = s[(threadIdx.x + c) & 63];
}
