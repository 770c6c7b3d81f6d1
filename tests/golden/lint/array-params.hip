// A parameter that is declared as an array is a pointer: what it points to may be LDS or global memory.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a --checks=-*,unphi-dead-sync -- -nogpuinc > %t.txt 2>&1
// RUN: grep warning: %t.txt | %FileCheck %s --match-full-lines

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define LANE __builtin_amdgcn_workitem_id_x()

typedef int row[64];
extern "C" __device__ void __syncthreads();

struct pair {
	int x, y;
};

template <int W> __device__ void plain(int &v, int s[W])
{
	s[LANE] = v;
	__syncthreads();
	v = s[LANE + 1];
}

__device__ void by_name(int &v, row s)
{
	*(s + LANE) = v;
	__syncthreads();
	v = (v ? s : s + 1)[LANE + 1];
}

__device__ void nested(int &v, pair s[2][64])
{
	s[1][LANE].x = v;
	__syncthreads();
	v = (*s)[LANE + 1].x + s[1]->x;
}

__device__ void moved(int &v, int s[])
{
	auto t = s;
	*t++ = v;
	__syncthreads();
	v = s++[LANE];
}

__global__ void lds(int *p)
{
	__shared__ int s[64], t[64], u[64];
	__shared__ pair m[2][64];
	int v = p[LANE];
	plain<64>(v, s);
	by_name(v, t);
	nested(v, m);
	moved(v, u);
	p[LANE] = v;
}

__global__ void global(int p[64])
{
	p[LANE] = 1;
	__syncthreads();
	p[LANE] += p[LANE + 1];
}

__global__ void lane(int *p)
{
	int own[64] = {};
	own[LANE] = 1;
	// CHECK: {{.*}}:[[#@LINE+1]]:2: warning: this barrier orders nothing: {{.*}}
	__syncthreads();
	p[0] = own[1];
}
// CHECK-NOT: {{.}}
