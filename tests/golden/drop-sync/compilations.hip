// What goes, goes in every compilation of the text. Dead for gfx90a alone is not dead, and where an
// #if stands in front, removing a statement may hand the next one to another if.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --target gfx908 --strategy drop-sync -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: %exits 1 diff %s %t.hip | %FileCheck %s --check-prefix DIFF
//
// CHECK: {{.*}}compilations.hip: 0 merges at or over the threshold, 0 rewritten
// CHECK-NEXT: {{.*}}compilations.hip: 7 barriers checked, 2 dropped
// DIFF-COUNT-2: < __syncthreads(); // dead
// DIFF-NOT: {{^[<>].}}

#include <hip/hip_runtime.h>

// For gfx908 the if would take the statement behind it.
// CHECK: {{.*}} barrier in guarded: kept as it is: a preprocessor directive stands in it, or before it after text that may not be a whole statement
__global__ void guarded(int *out, int n)
{
	int x = (int)threadIdx.x;
#ifdef __gfx908__
	if (n > 2)
#endif
	__syncthreads();
	x += n;
	out[threadIdx.x] = x;
}

// And so for a target that nobody looks at.
// CHECK: {{.*}} barrier in another: kept as it is: a preprocessor directive stands in it, or before it after text that may not be a whole statement
__global__ void another(int *out, int n)
{
	int x = (int)threadIdx.x;
	if (n > 2) {
		x += 1;
	}
#ifdef __gfx1100__
	else
#endif
	__syncthreads();
	out[threadIdx.x] = x;
}

// For gfx90a all of it is a barrier; for gfx908 it counts.
// CHECK: {{.*}} barrier in {{wait.*}}: kept as it is: {{.*}}
// CHECK: {{.*}} barrier in {{calls}}: kept as it is: for another target it is not a barrier, or does more
__device__ void wait(int *counts)
{
#ifdef __gfx908__
	counts[threadIdx.x] += 1;
#endif
	__syncthreads();
}

__global__ void calls(int *out, int *counts, int n)
{
	wait(counts);
	out[threadIdx.x] = n;
}

// The host has a barrier of its own.
// CHECK: {{.*}} barrier in {{both.*}}: kept as it is: the host may run it, too, which unphi does not check
__host__ __device__ int both(int x)
{
	__syncthreads();
	return x * 2;
}

// CHECK: {{.*}} barrier in lambda in runs (kernels: runs)
__global__ void runs(int *out)
{
	const auto add = [](int x) {
		__syncthreads(); // dead
		return x + 1;
	};
	out[threadIdx.x] = add(both(1));
}

// What an #if holds whole is no harm.
// CHECK: {{.*}} barrier in whole
__global__ void whole(int *out, int n)
{
	int x = (int)threadIdx.x;
#ifdef __gfx908__
	if (n > 2) {
		x += n;
	}
#else
	x -= n;
#endif
	__syncthreads(); // dead
	out[threadIdx.x] = x;
}
