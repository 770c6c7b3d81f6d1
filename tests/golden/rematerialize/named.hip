// Macros that use a name: the text of the code that they stand in does not show it.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize:element -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#define __global__ __attribute__((global))

#define FIRST (x + 1)
#define BYTES sizeof(q)
#define BY_BYTE using index = unsigned char

// In the loop x is another variable.
// CHECK: 'q', 8 VGPRs in hidden
// CHECK-NEXT: not legal (clause 7): 'x' may mean something else in the loop, and a macro uses it
__global__ void hidden(const float *__restrict__ in, float *__restrict__ out, int n, int x)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64 + FIRST];
	}
	for (int k = 0; k < n; ++k) {
		for (int x = 0; x < 2; ++x) {
			for (int i = 0; i < 8; ++i) {
				sum += q[i] * x;
			}
		}
	}
	out[__builtin_amdgcn_workitem_id_x()] = sum;
}

// CHECK: 'q', 8 VGPRs in size
// CHECK-NEXT: not legal (clause 7): its name stands where it will not be declared
__global__ void size(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[i * 64];
	}
	for (int k = 0; k < n; ++k) {
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[__builtin_amdgcn_workitem_id_x()] = sum + BYTES;
}

// The macro declares a type: in the loop the name means that.
// CHECK: 'q', 8 VGPRs in retyped
// CHECK-NEXT: not legal (clause 7): a type or namespace is named or declared between (BY_BYTE)
__global__ void retyped(const float *__restrict__ in, float *__restrict__ out, int n)
{
	using index = int;
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = in[index(i * 64)];
	}
	for (int k = 0; k < n; ++k) {
		BY_BYTE;
		for (int i = 0; i < 8; ++i) {
			sum += q[i] * index(k);
		}
	}
	out[__builtin_amdgcn_workitem_id_x()] = sum;
}
