// What the compiler leaves out of a source with errors is not taken for nothing: a statement that names a
// declaration with an error has none of its own, and may be gone all the same. Errors behind the
// twentieth count as well.
//
// RUN: %exits 3 %unphi lint %s --target gfx90a --checks=-*,unphi-dead-sync -- -nogpuinc > %t.txt 2>&1
// RUN: grep -E 'error: .*parse|warning:' %t.txt | %FileCheck %s --match-full-lines
//
// CHECK: unphi: error: {{.*}}: does not parse as HIP (28 errors); compile it first, or give its flags after --:

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define LANE __builtin_amdgcn_workitem_id_x()

extern "C" __device__ void __syncthreads();

__device__ missing shared_by_blocks[64];
__device__ missing helper(int i);
#define FILL(s) s[LANE] = helper(1)
#define FILL_ALL(s) FILL(s)

__global__ void names_it(int *p)
{
	__shared__ int s[64];
	s[LANE] = helper(2);
	__syncthreads();
	s[LANE + 1] = p[0];
}

__global__ void writes_it(int *p)
{
	shared_by_blocks[LANE] = 1;
	__syncthreads();
	p[0] = p[LANE];
}

__global__ void by_macro(int *p)
{
	__shared__ int s[64];
	FILL_ALL(s);
	__syncthreads();
	s[LANE + 1] = p[0];
}

template <typename T> __device__ auto broken(T x)
{
	return x.nothing;
}

__global__ void instantiates(int *p)
{
	__shared__ int s[64];
	s[LANE] = broken(1);
	__syncthreads();
	s[LANE + 1] = p[0];
}

#define SIX undeclared, undeclared, undeclared, undeclared, undeclared, undeclared

__device__ int many[] = {SIX, SIX, SIX};
__device__ int others[] = {SIX};

__global__ void late(int *p)
{
	__shared__ int s[64];
	s[LANE] = undeclared;
	__syncthreads();
	s[LANE + 1] = p[0];
}

__global__ void sound(int *p)
{
	p[LANE] = 1;
	// CHECK-NEXT: {{.*}}:[[#@LINE+1]]:2: warning: this barrier orders nothing: {{.*}}
	__syncthreads();
}
