// Each kernel violates one clause of rejoin and no other: the report names it, the exit code is that
// of a job done, and not a byte changes. tests/exec/mutate.py switches the clause off and shows what
// goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rejoin -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused.hip: 7 merges at or over the threshold, 0 rewritten
// CHECK-EMPTY:

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK: {{.*}} 64 chained VGPRs in same: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 1): two of its conditions are the same
__global__ void same(float *p, int c)
{
	tile acc = {};
	const bool taken = c > 0;
	if (taken) {
		add(acc, 1);
	}
	__builtin_amdgcn_wave_barrier(); // keeps LLVM from joining the ifs
	if (taken) {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in same_number: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 1): two of its conditions are the same
__global__ void same_number(float *p, int c)
{
	tile acc = {};
	const int arm = c > 1 ? 0 : 1;
	if (arm == 0) {
		add(acc, 1);
	}
	__builtin_amdgcn_wave_barrier(); // keeps LLVM from joining the ifs
	if (arm == 1) {
		add(acc, 2);
	}
	__builtin_amdgcn_wave_barrier();
	if (arm == 0) {
		add(acc, 4);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in changes: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 2): 'arm' may change between the conditions
__global__ void changes(float *p, int c)
{
	tile acc = {};
	int arm = c;
	if (arm == 1) {
		add(acc, 1);
		arm = 3;
	}
	__builtin_amdgcn_wave_barrier(); // keeps LLVM from joining the ifs
	if (arm == 3) {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

__device__ inline void set(int *to, int value)
{
	*to = value;
}

// CHECK: {{.*}} 64 chained VGPRs in by_address: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 2): 'taken' may change between the conditions
__global__ void by_address(float *p, int c)
{
	tile acc = {};
	int taken = c == 1;
	asm volatile("" : "+s"(taken));
	if (taken) {
		add(acc, 1);
		set(&taken, 0);
	}
	asm volatile("" : "+s"(taken));
	if (!taken) {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// What lanes of the first arm write, those of the second one read.
// CHECK: {{.*}} 64 chained VGPRs in lanes: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 3): the condition is not proved uniform: {{.*}}
__global__ void lanes(float *p, int c)
{
	__shared__ float row[64];
	const int lane = threadIdx.x;
	tile acc = {};
	row[lane] = 1;
	const bool taken = lane >= 32;
	if (taken) {
		add(acc, 1);
		row[lane - 32] = p[lane];
	}
	__builtin_amdgcn_wave_barrier(); // keeps LLVM from joining the ifs
	if (!taken) {
		add(acc, row[lane]);
	}
	p[64 + lane] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in jumped_into: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 4): an arm holds a label that can be jumped to
__global__ void jumped_into(float *p, int c)
{
	tile acc = {};
	int taken = c > 1;
	if (c == 0) {
		goto inside;
	}
	asm volatile("" : "+s"(taken));
	if (taken) {
		add(acc, 1);
	inside:
		add(acc, 2);
	}
	asm volatile("" : "+s"(taken));
	if (!taken) {
		add(acc, 4);
	}
	p[0] = acc.v[c];
}

// It has the lanes of a wave see what the others wrote.
// CHECK: {{.*}} 64 chained VGPRs in own_fence: {{.*}}
// CHECK-NEXT:  rejoin: not legal (clause 5): nothing says that the fence is unphi's, and it may order what lanes share
__global__ void own_fence(float *p, int c)
{
	__shared__ float row[64];
	const int lane = threadIdx.x;
	tile acc = {};
	row[lane] = p[lane];
	const bool taken = c > 0;
	if (taken) {
		add(acc, 1);
	}
	__builtin_amdgcn_wave_barrier();
	if (!taken) {
		add(acc, row[63 - lane]);
	}
	p[64 + lane] = acc.v[c];
}
