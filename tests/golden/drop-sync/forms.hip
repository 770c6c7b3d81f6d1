// What goes with a barrier, and what stays. The sibling is what comes out.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy drop-sync -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: cmp %S/forms.drop-sync %t.hip
// RUN: %FileCheck %s < %t.txt
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy drop-sync:backward --diff --quiet -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.diff
// RUN: grep -c '^-.*either' %t.diff | grep -qx 1 && grep '^-.*either, the second' %t.diff
// RUN: %unphi rewrite --verbose %t.hip --target gfx90a --strategy drop-sync --diff --quiet -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | cmp - /dev/null
//
// CHECK: forms.hip: 11 barriers checked, 9 dropped
// CHECK: barrier in two_in_a_row{{$}}
// CHECK-NEXT: drop-sync (forward): kept: forced, not measured{{$}}
// CHECK: barrier in two_in_a_row: kept as it is: others go in its place
// CHECK: barrier in lines{{$}}
// CHECK-NEXT: drop-sync (forward): kept: forced, not measured (with line

#include <hip/hip_runtime.h>

__global__ void two_in_a_row(int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = 1;
	__syncthreads(); // either, the first
	__syncthreads(); // either, the second
	out[threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void lines(int *out, int n)
{
	int x = 1;

	__syncthreads();

	x += n;
	/* stays */ __syncthreads();
	x *= 2; __syncthreads();
	__syncthreads(); x -= n;
	if (n)
		__syncthreads(); // alone
	switch (n) {
	case 1:
		x = 3;
		break;
	default:
		__syncthreads();
	}
	__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
	__builtin_amdgcn_s_barrier();
	__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
	out[threadIdx.x] = x;
}

template <int N> __device__ int twice(const int *from)
{
	__shared__ int s[128];
	s[threadIdx.x] = N;
	if (N > 1) {
		/* of the one instantiation it is needed, of the other it is not: it stays */
		__syncthreads();
	}
	return s[N > 1 ? 127 - threadIdx.x : threadIdx.x];
}

__global__ void instances(int *out)
{
	out[threadIdx.x] = twice<2>(out);
	__syncthreads(); // the end
}
