// Each kernel violates one clause of predicate: the report names it, and not a byte changes. Clauses
// 1 to 10 are fuse's.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy predicate -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK: 64 chained VGPRs in declares
// CHECK-NEXT: predicate: not legal (clause 4): a later condition of the chain declares a variable
__global__ void declares(float *p, int c)
{
	tile acc = {};
	if (c > 3) {
		add(acc, p[1]);
	} else if (int d = c + 2) {
		add(acc, d > 3 ? p[1] : 0.0f);
	} else {
		add(acc, p[1]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in once_more
// CHECK-NEXT: predicate: not legal (clause 7): an arm writes the accumulator in a statement that another does not have
__global__ void once_more(float *p, int c, int d)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[1]);
		add(acc, 2);
	} else {
		add(acc, d ? p[1] : 0.0f);
	}
	p[0] = acc.v[c];
}

// The multiply comes under a condition, and the add that takes its result does not.
//
// CHECK: 64 chained VGPRs in multiply
// CHECK-NEXT: predicate: not legal (clause 10): the multiply in 'p[1] * p[2]' would be cut from the add
__global__ void multiply(float *p, int c, int d)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[1] * p[2]);
	} else {
		add(acc, d ? p[1] * p[2] : 0.0f);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in no_guard
// CHECK-NEXT: predicate: not legal (clause 11): no arm does under a condition what the others do without
__global__ void no_guard(float *p, int c, int d)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[1]);
	} else {
		add(acc, p[d]);
	}
	p[0] = acc.v[c];
}

// The first lane is another one where not all lanes are there.
//
// CHECK: 64 chained VGPRs in cross_lane
// CHECK-NEXT: predicate: not legal (clause 12): what an arm guards holds a convergent or ordered operation, and the condition is not proved uniform: '__builtin_amdgcn_workitem_id_x()' may differ per lane
__global__ void cross_lane(float *p, int c, int d)
{
	tile acc = {};
	int n = d;
	const int lane = __builtin_amdgcn_workitem_id_x();
	if (c > 1) {
		n = __builtin_amdgcn_readfirstlane(lane);
		add(acc, p[n]);
	} else {
		if (__builtin_amdgcn_workitem_id_x() > 5) {
			n = __builtin_amdgcn_readfirstlane(lane);
		}
		add(acc, p[n]);
	}
	p[0] = acc.v[c];
}
