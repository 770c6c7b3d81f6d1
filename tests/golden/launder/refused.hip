// Each kernel violates one clause of the form that its condition asks for. The condition of all but
// the first five differs per lane, so the uniform form is out (clause 6) and the report says why for
// both. tests/exec/mutate.py switches the clauses off and shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy launder -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused.hip: 17 merges at or over the threshold, 0 rewritten
// CHECK-EMPTY:

#include <hip/hip_runtime.h>

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

__device__ inline tile plus(tile t, float x)
{
	add(t, x);
	return t;
}

// CHECK: {{.*}} 64 chained VGPRs in expression: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 1): it is a conditional expression, not a statement
// MUTATE structural: there are no statements that could be guarded
// CHECK-EMPTY:
__global__ void expression(float *p, int c)
{
	tile acc = {};
	acc = c ? plus(acc, 1) : (p[1] = 0, plus(acc, 2));
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in falls_through: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 5): an arm of the switch falls through into the next
// CHECK-NEXT:  launder: not legal (clause 1): a switch is only rewritten to guarded ifs
// MUTATE 1 structural: a switch has no if/else that could be kept
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

// CHECK-NEXT: {{.*}} 64 chained VGPRs in directive: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 2): a preprocessor directive stands between its arms
// CHECK-EMPTY:
__global__ void directive(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
	}
#ifdef __gfx942__
	else if (c == 3) {
		add(acc, 3);
	}
#endif
	else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in label: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 3): an arm holds a label that can be jumped to
// CHECK-EMPTY:
// MUTATE 6 structural: clause 3 forbids this form too
__global__ void label(float *p, int c)
{
	tile acc = {};
	if (c) {
	again:
		add(acc, 1);
	} else {
		add(acc, 2);
		if (acc.v[0].x < 9) {
			goto again;
		}
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in later_declaration: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 4): a later condition of the chain declares a variable
// CHECK-EMPTY:
__global__ void later_declaration(float *p, int c, int d)
{
	tile acc = {};
	if (c > 3) {
		add(acc, 1);
	} else if (int e = c + d) {
		add(acc, e);
	} else {
		add(acc, 2);
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
// MUTATE 6 equal: its lanes agree, so that clause 7 has a scalar branch to lose; in cross_lane and unknown they do not
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void matrix(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		if (c) {
			multiply(acc, 1);
		}
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in deep_matrix: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// MUTATE 6 equal: its lanes agree, so that clause 7 has a scalar branch to lose; in cross_lane and unknown they do not
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void deep_matrix(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
	} else {
		if (c) {
			through(acc, 2);
		}
	}
	p[0] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in barrier: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a barrier
// MUTATE 6 equal: its lanes agree, so that clause 7 has a scalar branch to lose; in cross_lane and unknown they do not
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void barrier(float *p, int c)
{
	tile acc = {};
	if (p[2] > c) {
		add(acc, 1);
		if (c) {
			__builtin_amdgcn_s_barrier();
		}
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c].x;
}

// A matrix operation asks for all lanes only where one comes to it, and no path here is sure to. The
// lanes part.
// CHECK-NEXT: {{.*}} 64 chained VGPRs in sometimes: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): the condition is not proved uniform: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void sometimes(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	if (lane < c) {
		for (int i = c; i < 1; i++) {
			multiply(acc, 1);
		}
		add(acc, 1);
	} else {
		add(acc, 2);
	}
	p[lane] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in left_before: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void left_before(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	for (int k = 0; k < c; k++) {
		if (lane < c) {
			add(acc, 1);
			if (p[lane] > 0) {
				continue;
			}
			multiply(acc, 1);
		} else {
			add(acc, 2);
		}
	}
	p[lane] = acc.v[c].x;
}

// One arm of two asks for all lanes: those that are there agree, but need not be all.
// CHECK-NEXT: {{.*}} 64 chained VGPRs in not_all: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): not all lanes of a wave are known to reach it
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// MUTATE 6 equal: the nine lanes agree on the other arm: that some of them meet a matrix operation is an error as written
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void not_all(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	if (lane < 9) {
		if (lane < c - 9) {
			multiply(acc, 1);
		} else {
			add(acc, 2);
		}
	}
	p[lane] = acc.v[c].x;
}

// Two of three arms may share the wave.
// CHECK-NEXT: {{.*}} 64 chained VGPRs in two_of_three: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): the condition is not proved uniform: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void two_of_three(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	if (lane < c) {
		add(acc, 1);
	} else if (lane > 99) {
		multiply(acc, 1);
	} else {
		add(acc, 2);
	}
	p[lane] = acc.v[c].x;
}

// So may one of two cases and what has none.
// CHECK-NEXT: {{.*}} 64 chained VGPRs in cases: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 1): a switch is only rewritten to guarded ifs
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a matrix operation, which ignores the lane mask
// MUTATE 1 structural: a switch has no if/else that could be kept
// MUTATE 7 isa: the branch becomes one per lane
// CHECK-EMPTY:
__global__ void cases(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	switch (lane) {
	case 100:
		multiply(acc, 1);
		break;
	case 3:
		add(acc, c);
		break;
	}
	p[lane] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in cross_lane: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a cross-lane operation
// MUTATE 7 equal: a branch per lane as written, and all lanes have the same c to be read; divergent code elsewhere may not
// CHECK-EMPTY:
__global__ void cross_lane(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	if (p[lane] > c) {
		add(acc, 1);
	} else {
		add(acc, __builtin_amdgcn_ds_bpermute(4, c));
	}
	p[lane] = acc.v[c].x;
}

// Only what runs it here knows what it does.
#if __has_include(<launch.hpp>)
__device__ void elsewhere(float *p) { p[4] = 1; }
#else
__device__ void elsewhere(float *p);
#endif

// CHECK-NEXT: {{.*}} 64 chained VGPRs in unknown: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds code that unphi cannot see through
// MUTATE 7 equal: this one stores the same from each lane; what another does is not known
// CHECK-EMPTY:
__global__ void unknown(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	if (p[lane] > c) {
		add(acc, 1);
		elsewhere(p);
	} else {
		add(acc, 2);
	}
	p[lane] = acc.v[c].x;
}

// CHECK-NEXT: {{.*}} 64 chained VGPRs in assembly: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): {{.*}}
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds code that unphi cannot see through
// MUTATE 7 equal: an empty template; one with instructions may read EXEC, or set what lanes share
// CHECK-EMPTY:
__global__ void assembly(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	if (p[lane] > c) {
		add(acc, 1);
		asm volatile("" : : "s"(c));
	} else {
		add(acc, 2);
	}
	p[lane] = acc.v[c].x;
}

// The condition is uniform, but not all lanes of a wave come here.
// CHECK-NEXT: {{.*}} 64 chained VGPRs in divergent: {{.*}}
// CHECK-NEXT:  launder: not legal (clause 6): not all lanes of a wave are known to reach it
// CHECK-NEXT:  launder: not legal (clause 7): an arm holds a barrier
// MUTATE 6 equal: c is an argument: whatever lanes are there agree on it
// MUTATE 7 isa: the branch becomes one per lane
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
