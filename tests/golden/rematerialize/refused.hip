// Each kernel violates one clause. tests/exec/mutate.py switches the clauses off and shows what goes
// wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused.hip: 0 merges at or over the threshold, 0 rewritten
// CHECK-NEXT: {{.*}}refused.hip: 14 fragments that loops only read, 0 loaded again
// CHECK-EMPTY:

#include <hip/hip_runtime.h>

// It is needed behind the loop as well.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in read_behind: kept as it is: line [[#@LINE+15]] reads it, in no block of a loop
// CHECK-NEXT:  rematerialize: not legal (clause 1): {{.*}}
// CHECK-EMPTY:
__global__ void read_behind(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum + q[3];
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in pointed_to: kept as it is: something may point to it from line [[#@LINE+12]] on
// CHECK-NEXT:  rematerialize: not legal (clause 1): {{.*}}
// MUTATE equal: it points into what the same iteration has loaded: the same values, whose address nobody compares
// CHECK-EMPTY:
__global__ void pointed_to(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		const float *const at = q;
		for (int i = 0; i < 8; ++i) {
			sum += at[i];
		}
	}
	out[threadIdx.x] = sum;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in counts: kept as it is: line [[#@LINE+8]] sets 'count' as well
// CHECK-NEXT:  rematerialize: not legal (clause 2): {{.*}}
// CHECK-EMPTY:
__global__ void counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	int count = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
		++count;
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum + (float)count;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in set_again: kept as it is: line [[#@LINE+15]] sets it again
// CHECK-NEXT:  rematerialize: not legal (clause 2): {{.*}}
// CHECK-EMPTY:
__global__ void set_again(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + 63 - threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum -= q[i] * 3;
		}
	}
	out[threadIdx.x] = sum;
}

// The lanes that it asks for are not in the loop any more.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in cross_lane: kept as it is: line [[#@LINE+7]] does more than load: it acts on other lanes
// CHECK-NEXT:  rematerialize: not legal (clause 3): {{.*}}
// CHECK-EMPTY:
__global__ void cross_lane(const float *__restrict__ in, float *__restrict__ out)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = __shfl_xor(in[i * 64 + threadIdx.x], 1);
	}
	for (int k = 0; k < (int)threadIdx.x; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in scaled: kept as it is: line [[#@LINE+8]] adds or multiplies floats
// CHECK-NEXT:  rematerialize: not legal (clause 3): {{.*}}
// MUTATE isa: beside the add that takes it, the product becomes a fused one
// CHECK-EMPTY:
__global__ void scaled(const float *__restrict__ in, float *__restrict__ out, float scale, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x] * scale;
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in made: kept as it is: nothing of it is loaded from memory
// CHECK-NEXT:  rematerialize: not legal (clause 3): {{.*}}
// MUTATE structural: no address could have an offset
// CHECK-EMPTY:
__global__ void made(float *__restrict__ out, int n)
{
	float sum = 0;
	int q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = i * n;
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += (float)q[i];
		}
	}
	out[threadIdx.x] = sum;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in moves_on: kept as it is: 'row' is needed to load it, and what begins in line [[#@LINE+11]] may change it
// CHECK-NEXT:  rematerialize: not legal (clause 4): {{.*}}
// CHECK-EMPTY:
__global__ void moves_on(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	int row = (int)threadIdx.x;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + row];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
		row = 63 - row;
	}
	out[threadIdx.x] = sum + (float)row;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in overwritten: kept as it is: '*data' is loaded, and what begins in line [[#@LINE+10]] may write it
// CHECK-NEXT:  rematerialize: not legal (clause 5): {{.*}}
// CHECK-EMPTY:
__global__ void overwritten(float *data, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = data[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
		data[threadIdx.x] = sum;
	}
	out[threadIdx.x] = sum;
}

// A wave that is through with the loop writes what another one would load again.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in other_waves: kept as it is: 'tile' is not memory that the kernel only reads, and a barrier comes before it is read for the last time (line [[#@LINE+15]])
// CHECK-NEXT:  rematerialize: not legal (clause 6): {{.*}}
// CHECK-EMPTY:
__global__ void other_waves(const float *__restrict__ in, float *__restrict__ out, int n)
{
	__shared__ float tile[1024];
	float sum = 0;
	for (int i = 0; i < 8; ++i) {
		tile[i * 128 + threadIdx.x] = in[i * 128 + threadIdx.x];
	}
	__syncthreads();
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = tile[i * 128 + 127 - threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		__syncthreads();
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	for (int i = 0; i < 8; ++i) {
		tile[i * 128 + threadIdx.x] = -1;
	}
	out[threadIdx.x] = sum + tile[threadIdx.x];
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in hidden: kept as it is: 'in' may mean something else in the loop
// CHECK-NEXT:  rematerialize: not legal (clause 7): {{.*}}
// CHECK-EMPTY:
__global__ void hidden(const float *__restrict__ in, const float *__restrict__ other, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		const float *const in = other;
		for (int i = 0; i < 8; ++i) {
			sum += q[i] * in[i];
		}
	}
	out[threadIdx.x] = sum;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in together: kept as it is: it is declared together with others
// CHECK-NEXT:  rematerialize: not legal (clause 7): {{.*}}
// CHECK-EMPTY:
__global__ void together(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float q[8], sum = 0;
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum;
}

__device__ float held[2];

// What is asked of the name there would be the size of another variable.
// CHECK-NEXT: {{.*}}: 'held', 8 VGPRs in size_behind: kept as it is: its name stands where it will not be declared
// CHECK-NEXT:  rematerialize: not legal (clause 7): {{.*}}
// CHECK-EMPTY:
__global__ void size_behind(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float held[8];
	for (int i = 0; i < 8; ++i) {
		held[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += held[i];
		}
	}
	out[threadIdx.x] = sum + sizeof(held);
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in by_library: kept as it is: line [[#@LINE+7]] adds or multiplies floats
// CHECK-NEXT:  rematerialize: not legal (clause 3): {{.*}}
// MUTATE equal: tried as machine code, too: clang 19 joins no multiply of expf with the add; another compiler may
__global__ void by_library(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = __builtin_expf(in[i * 64 + threadIdx.x]);
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum;
}
