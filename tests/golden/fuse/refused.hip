// Each kernel violates one clause of fuse: the report names it, and not a byte changes.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy fuse -o %t.hip -- -nogpuinc > %t.txt
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

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x / t.v[i];
	}
}

// CHECK: 64 chained VGPRs in no_else
// CHECK-NEXT: fuse: not legal (clause 1): there is a path without an arm
__global__ void no_else(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
	} else if (c == 2) {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

#define BRANCH(c, x, y)                                                                            \
	if (c) {                                                                                   \
		add(acc, x);                                                                       \
	} else {                                                                                   \
		add(acc, y);                                                                       \
	}

// CHECK: 64 chained VGPRs in macro
// CHECK-NEXT: fuse: not legal (clause 2): part of it comes from a macro, which is never edited
__global__ void macro(float *p, int c)
{
	tile acc = {};
	BRANCH(c, 1, 2)
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in leaps
// CHECK-NEXT: fuse: not legal (clause 3): an arm holds a goto
__global__ void leaps(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		if (c > 5) {
			goto out;
		}
		add(acc, 1);
	} else {
		add(acc, 2);
	}
out:
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in declares
// CHECK-NEXT: fuse: not legal (clause 4): a later condition of the chain declares a variable
__global__ void declares(float *p, int c)
{
	tile acc = {};
	if (c > 3) {
		add(acc, 1);
	} else if (int d = c + 2) {
		add(acc, d);
	} else {
		add(acc, 3);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in falls
// CHECK-NEXT: fuse: not legal (clause 5): an arm of the switch falls through into the next
__global__ void falls(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, 1);
		[[fallthrough]];
	default:
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in directive
// CHECK-NEXT: fuse: not legal (clause 6): a preprocessor directive stands inside: #ifdef FAST
__global__ void directive(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
#ifdef FAST
		p[1] = 2;
#endif
		add(acc, 1);
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in different
// CHECK-NEXT: fuse: not legal (clause 7): the arms differ where they write the accumulator: 'add(acc, 1)' against 'scale(acc, 1)'
__global__ void different(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, 1);
	} else {
		scale(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in once_more
// CHECK-NEXT: fuse: not legal (clause 7): an arm writes the accumulator in a statement that another does not have
__global__ void once_more(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, 1);
	} else {
		add(acc, 2);
		add(acc, 3);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in own_variable
// CHECK-NEXT: fuse: not legal (clause 8): 'x', declared where the arms differ, is used where they do not
__global__ void own_variable(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[2]);
	} else {
		const float x = p[3];
		p[4] = x;
		add(acc, x);
	}
	p[0] = acc.v[c];
}

// The operand's x is not the x that the first arm declares.
//
// CHECK: 64 chained VGPRs in captured
// CHECK-NEXT: fuse: not legal (clause 8): the arms differ in 'x', where 'x' would mean something else
__global__ void captured(float *p, float x, int c)
{
	tile acc = {};
	if (c > 1) {
		const float x = p[1];
		add(acc, x + p[2]);
	} else {
		const float y = p[2];
		add(acc, y + x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in barrier
// CHECK-NEXT: fuse: not legal (clause 9): an arm holds a barrier, and the condition is not proved uniform: '__builtin_amdgcn_workitem_id_x()' may differ per lane
// CHECK-NEXT: fuse: not legal (clause 11): the condition would go to a scalar register, and the condition is not proved uniform: '__builtin_amdgcn_workitem_id_x()' may differ per lane
__global__ void barrier(float *p, int c)
{
	tile acc = {};
	if (__builtin_amdgcn_workitem_id_x() < c) {
		__builtin_amdgcn_s_barrier();
		add(acc, 1);
	} else {
		__builtin_amdgcn_s_barrier();
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in multiply
// CHECK-NEXT: fuse: not legal (clause 10): the multiply in 'p[0] * p[1]' would be cut from the add
__global__ void multiply(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[0] * p[1]);
	} else {
		add(acc, 3.0f);
	}
	p[0] = acc.v[c];
}

// The choice of what is loaded is a branch, and the multiply stands before it.
//
// CHECK: 64 chained VGPRs in branch
// CHECK-NEXT: fuse: not legal (clause 10): a branch would come between the multiply that 'p[2] * p[3]' is from and the add that takes its result
__global__ void branch(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[2] * p[3] + p[i];
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[2] * p[3] + p[i + 1];
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in branch_behind
// CHECK-NEXT: fuse: not legal (clause 10): a branch would come between the multiply that 'x' is from and the add that takes its result
__global__ void branch_behind(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		const float x = p[2] * p[3];
		p[4] = 1;
		add(acc, x);
	} else {
		const float x = p[2] * p[3];
		add(acc, x);
	}
	p[0] = acc.v[c];
}
