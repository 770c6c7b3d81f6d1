// Each kernel violates one clause of the forms that load element by element. tests/exec/mutate.py
// switches the clauses off and shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize:element -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused-element.hip: 0 merges at or over the threshold, 0 rewritten
// CHECK-NEXT: {{.*}}refused-element.hip: 12 fragments that loops only read, 0 loaded again
// CHECK-EMPTY:

#include <hip/hip_runtime.h>

// The product goes into the loop, which may stay one.
// CHECK-NEXT: {{.*}}: 'q', 64 VGPRs in parted: kept as it is: 'sum' (line [[#@LINE+14]]) may come from a multiply and be added on the other side of the branch in line [[#@LINE+13]]: {{.*}}
// CHECK-NEXT:  rematerialize: not legal (clause 10): {{.*}}
// MUTATE isa: the first of the adds takes the product in, when all are in one block
// CHECK-EMPTY:
__global__ void parted(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[64];
	for (int i = 0; i < 64; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		sum *= 0.3f;
		for (int i = 0; i < 64; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in counts_down: kept as it is: line [[#@LINE+8]] sets another element than its loop counts
// CHECK-NEXT:  rematerialize: not legal (clause 8): {{.*}}
// CHECK-EMPTY:
__global__ void counts_down(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[7 - i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, q[k & 7]);
	}
	out[threadIdx.x] = top;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in guarded: kept as it is: it is not set by counted loops around one assignment to an element
// CHECK-NEXT:  rematerialize: not legal (clause 8): {{.*}}
// MUTATE structural: there is no one value
// CHECK-EMPTY:
__global__ void guarded(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8] = {};
	for (int i = 0; i < 8; ++i) {
		if ((int)threadIdx.x + i < 60) {
			q[i] = in[i * 64 + threadIdx.x];
		}
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, q[k & 7]);
	}
	out[threadIdx.x] = top;
}

// Half of it is what it was declared to be.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in half_set: kept as it is: line [[#@LINE+11]] may read an element that was not set
// CHECK-NEXT:  rematerialize: not legal (clause 9): {{.*}}
// CHECK-EMPTY:
__global__ void half_set(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8] = {};
	for (int i = 0; i < 4; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, q[(k + 4) & 7]);
	}
	out[threadIdx.x] = top;
}

__device__ int kind(float &) { return 1; }
__device__ int kind(const float &) { return 2; }

// Another function is called for a value than for a variable.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in bound: kept as it is: line [[#@LINE+12]] takes more than the value of an element
// CHECK-NEXT:  rematerialize: not legal (clause 9): {{.*}}
// CHECK-EMPTY:
__global__ void bound(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		const float value = q[k & 7];
		top = fmaxf(top, value > 0 ? (float)k : 0.5f) + (float)kind(q[0]);
	}
	out[threadIdx.x] = top;
}

__device__ float plain(const float *at, int i) { return at[i * 64]; }
__device__ int rank(double) { return 1; }
__device__ int rank(float &&) { return 2; }

// And another one for a temporary.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in overloaded: kept as it is: line [[#@LINE+11]] takes more than the value of an element
// CHECK-NEXT:  rematerialize: not legal (clause 9): {{.*}}
// CHECK-EMPTY:
__global__ void overloaded(const float *__restrict__ in, float *__restrict__ out, int n)
{
	int sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = plain(in, i);
	}
	for (int k = 0; k < n; ++k) {
		sum += rank(q[k & 7]);
	}
	out[threadIdx.x] = (float)sum;
}

__device__ float from(const float *at, int &i) { return at[i * 64]; }
__device__ float from(const float *at, int &&i) { return at[i * 64 + 1]; }

// So does the loop's variable, where the value is made.
// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in counted_in: kept as it is: what line [[#@LINE+9]] sets it to cannot stand elsewhere
// CHECK-NEXT:  rematerialize: not legal (clause 8): {{.*}}
// MUTATE structural: no text can stand for the variable
// CHECK-EMPTY:
__global__ void counted_in(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = from(in + threadIdx.x, i);
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, q[k & 7]);
	}
	out[threadIdx.x] = top;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in moves: kept as it is: line [[#@LINE+13]] changes the index that it reads it by
// CHECK-NEXT:  rematerialize: not legal (clause 9): {{.*}}
// MUTATE equal: && reads the element before at changes, and so it does the load in its place
// CHECK-EMPTY:
__global__ void moves(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	int at = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, q[at & 7] > 0 && at++ < 3 ? 1.0f : 2.0f);
	}
	out[threadIdx.x] = top + (float)at;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in row_by_row: kept as it is: line [[#@LINE+22]] reads more than one element
// CHECK-NEXT:  rematerialize: not legal (clause 9): {{.*}}
// MUTATE structural: there is no element to put a value in the place of
// CHECK-EMPTY:
__device__ float most(const float (&row)[4])
{
	float top = 0;
	for (int i = 0; i < 4; ++i) {
		top = fmaxf(top, row[i]);
	}
	return top;
}
__global__ void row_by_row(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[2][4];
	for (int r = 0; r < 2; ++r) {
		for (int i = 0; i < 4; ++i) {
			q[r][i] = in[(r * 4 + i) * 64 + threadIdx.x];
		}
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, most(q[k & 1]));
	}
	out[threadIdx.x] = top;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in left: kept as it is: 'last' (line [[#@LINE+13]]) may come from a multiply and be added on the other side of the branch in line [[#@LINE+12]]: {{.*}}
// CHECK-NEXT:  rematerialize: not legal (clause 10): {{.*}}
// MUTATE equal: the product is added behind the loops; clang joins across blocks in none of the forms tried
// CHECK-EMPTY:
__global__ void left(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float last = 0, top = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			last = q[i] * 0.3f;
		}
		top = fmaxf(top, last);
	}
	out[threadIdx.x] = top + last;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in on_a_condition: kept as it is: line [[#@LINE+12]] reads it on a condition
// CHECK-NEXT:  rematerialize: not legal (clause 10): {{.*}}
// MUTATE equal: no product reaches the load (clause 3 refuses one): the block that ends here is what other code could lose
// CHECK-EMPTY:
__global__ void on_a_condition(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		top = k < 2 ? q[k & 7] : top;
	}
	out[threadIdx.x] = top;
}

// CHECK-NEXT: {{.*}}: 'q', 8 VGPRs in branches: kept as it is: the code that loads it has branches
// CHECK-NEXT:  rematerialize: not legal (clause 10): {{.*}}
// MUTATE equal: no product reaches the load (clause 3 refuses one): the block that ends here is what other code could lose
__global__ void branches(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float top = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i < n ? i : 0];
	}
	for (int k = 0; k < n; ++k) {
		top = fmaxf(top, q[k & 7]);
	}
	out[threadIdx.x] = top;
}
