// Each kernel violates one clause of the form that its condition asks for. The condition of all but
// the first two differs per lane, so the uniform form is out (clause 6) and the report says why for
// both.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy launder -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused.hip: 9 merges at or over the threshold, 0 rewritten
// CHECK-EMPTY:

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));

struct tile {
	f32x4 v[16];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 16; i++) {
		t.v[i] += x;
	}
}

// CHECK: {{.*}} 64 chained VGPRs in expression: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 1): it is a conditional expression, not a statement
// CHECK-EMPTY:
__global__ void expression(float *p, int c)
{
	tile acc = {};
	c ? add(acc, 1) : add(acc, 2);
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in falls_through: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 5): an arm of the switch falls through into the next
// CHECK-NEXT:  launder: not legal (clause 1): a switch is only rewritten to guarded ifs
// CHECK-EMPTY:
__global__ void falls_through(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, 1);
	case 1:
		add(acc, 2);
		break;
	default:
		add(acc, 3);
	}
	p[0] = acc.v[c].x;
}

__device__ inline void multiply(tile &t, float x)
{
	t.v[0] = __builtin_amdgcn_mfma_f32_16x16x4f32(x, x, t.v[0], 0, 0, 0);
}

__device__ inline void through(tile &t, float x)
{
	multiply(t, x);
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in matrix: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): the condition is not proved uniform: {{.*}}p[2]{{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// CHECK-EMPTY:
__global__ void matrix(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		multiply(acc, 1);
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in deep_matrix: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// CHECK-EMPTY:
__global__ void deep_matrix(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
	} else {
		through(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in barrier: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a barrier
// CHECK-EMPTY:
__global__ void barrier(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
		__builtin_amdgcn_s_barrier();
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in cross_lane: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a cross-lane operation
// CHECK-EMPTY:
__global__ void cross_lane(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
	} else {
		add(acc, __builtin_amdgcn_ds_bpermute(4, c));
	}
	p[0] = acc.v[c].x;
}

__device__ void elsewhere(float *p);

// CHECK-NEXT: {{.*}} 64 chained VGPRs in unknown: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds code that unphi cannot see through
// CHECK-EMPTY:
__global__ void unknown(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
		elsewhere(p);
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in assembly: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds code that unphi cannot see through
// CHECK-EMPTY:
__global__ void assembly(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
		asm volatile("s_mov_b32 m0, %0" : : "s"(c));
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// The condition is uniform, but not all lanes of a wave come here.
// CHECK-NEXT: {{.*}} 64 chained VGPRs in divergent: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): not all lanes of a wave are known to reach it together
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a barrier
__global__ void divergent(float *p, int c)
{
	tile acc = {};
	if (p[2] > 0) {
		if (c) {
			add(acc, 1);
			__builtin_amdgcn_s_barrier();
		} else {
			add(acc, 2);
		}
	}
	p[0] = acc.v[c].x;
}
