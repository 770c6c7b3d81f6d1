// Each kernel violates one clause of fuse: the report names it, and not a byte changes.
// tests/exec/mutate.py switches the clause off and shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy fuse -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

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

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x / t.v[i];
	}
}

#define BRANCH(c, x, y)                                                                            \
	if (c) {                                                                                   \
		add(acc, x);                                                                       \
	} else {                                                                                   \
		add(acc, y);                                                                       \
	}

// CHECK: 64 chained VGPRs in macro
// CHECK-NEXT: fuse: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: clause 6 forbids it too
__global__ void macro(float *p, int c)
{
	tile acc = {};
	BRANCH(c, 1, 2)
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in leaps
// CHECK-NEXT: fuse: not legal (clause 3): an arm holds a goto
// MUTATE equal: the goto leaves the one body as it left the arm: the label stands behind both
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

// CHECK: 64 chained VGPRs in label
// CHECK-NEXT: fuse: not legal (clause 3): an arm holds a label that can be jumped to
__global__ void label(float *p, int c)
{
	tile acc = {};
	int n = 0;
	if (c > 1) {
	again:
		n++;
		add(acc, 1);
	} else {
		add(acc, 2);
	}
	if (n < 4) {
		goto again;
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in declares
// CHECK-NEXT: fuse: not legal (clause 4): a later condition of the chain declares a variable
__global__ void declares(float *p, int c)
{
	tile acc = {};
	if (c > 3) {
		add(acc, 1);
	} else if (int d = c - 1) {
		add(acc, 2);
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
	default:
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in directive
// CHECK-NEXT: fuse: not legal (clause 6): a preprocessor directive stands inside: #ifdef __gfx942__
__global__ void directive(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
	} else {
#ifdef __gfx942__
		add(acc, 4);
#endif
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in different
// CHECK-NEXT: fuse: not legal (clause 7): the arms differ where they write the accumulator: 'add(acc, 1)' against 'scale(acc, 1)'
// MUTATE gain: the accumulator still crosses
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
// MUTATE gain: the accumulator still crosses
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
// CHECK-NEXT: fuse: not legal (clause 8): 'x', declared where the arms differ, is used where they do not, and is no small value
__global__ void own_variable(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[2]);
	} else {
		const float x[2] = {p[3], p[5]};
		p[4] = x[1];
		add(acc, x[0]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in own_address
// CHECK-NEXT: fuse: not legal (clause 8): 'x', declared where the arms differ, is used where they do not, and is more than its value there
__global__ void own_address(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[2]);
	} else {
		float x = p[3];
		float *const y = &x;
		*y += 1;
		add(acc, x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in own_constant
// CHECK-NEXT: fuse: not legal (clause 8): 'k', declared where the arms differ, is used where they do not, and may have to be a constant there
__global__ void own_constant(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, c);
	} else {
		const int k = 3;
		p[4] = k;
		add(acc, k);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in no_value
// CHECK-NEXT: fuse: not legal (clause 8): 'x', declared where the arms differ, is used where they do not, and may have no value yet
__global__ void no_value(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[2]);
	} else {
		float x;
		if (c > 0) {
			x = p[3];
		}
		add(acc, c > 0 ? x : p[4]);
	}
	p[0] = acc.v[c];
}

struct {
	float v;
} unnamed = {3};

// CHECK: 64 chained VGPRs in no_name
// CHECK-NEXT: fuse: not legal (clause 8): 'x', declared where the arms differ, is used where they do not, and has a type that cannot be written down
__global__ void no_name(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[2]);
	} else {
		decltype(unnamed) x = {p[3]};
		p[4] = x.v;
		add(acc, x.v);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in measured
// CHECK-NEXT: fuse: not legal (clause 8): 'x', declared where the arms differ, is used where they do not, and is named where no value is
__global__ void measured(float *p, char x, int c)
{
	tile acc = {};
	if (c > 1) {
		const float x = p[3];
		p[4] = x;
		add(acc, p[2]);
		p[5] = sizeof(x);
	} else {
		add(acc, p[x]);
	}
	p[0] = acc.v[c];
}

struct counted {
	float *p;
	__device__ ~counted()
	{
		p[5] += 1;
	}
};

// CHECK: 64 chained VGPRs in dies
// CHECK-NEXT: fuse: not legal (clause 6): in line {{[0-9]+}} of an arm implicit code runs, at the end of a scope or for a range
// MUTATE structural: 'one' then counts as used at the end of the arm, where the arms are alike
__global__ void dies(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		counted one = {p};
		add(acc, p[5]);
	} else {
		p[6] = 2;
		add(acc, p[5]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in pointed
// CHECK-NEXT: fuse: not legal (clause 8): 'own', declared where the arms differ, is used where they do not
__global__ void pointed(float *p, int c)
{
	tile acc = {};
	const float *from = p;
	if (c > 1) {
		float own[4] = {p[1], p[2], 3, 4};
		from = own;
		add(acc, from[1]);
	} else {
		from = p + 9;
		add(acc, from[1]);
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

// CHECK: 64 chained VGPRs in divergent
// CHECK-NEXT: fuse: not legal (clause 9): an arm holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
// CHECK-NEXT: fuse: not legal (clause 11): the condition would go to a scalar register, and the condition is not proved uniform: {{.*}}
// MUTATE 11 structural: clause 9 forbids this form too
__global__ void divergent(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	if (lane < c) {
		add(acc, __builtin_amdgcn_readfirstlane(lane));
	} else {
		add(acc, __builtin_amdgcn_readfirstlane(lane + 1));
	}
	p[lane] = acc.v[c];
}

typedef float row __attribute__((ext_vector_type(4)));

// A matrix operation asks for all lanes where one comes to it: none does.
//
// CHECK: 64 chained VGPRs in sometimes
// CHECK-NEXT: fuse: not legal (clause 9): an arm holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
// CHECK-NEXT: fuse: not legal (clause 11): the condition would go to a scalar register, and the condition is not proved uniform: {{.*}}
// MUTATE 11 structural: clause 9 forbids this form too
__global__ void sometimes(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	if (lane < c) {
		add(acc, __builtin_amdgcn_readfirstlane(lane));
		for (int i = c; i < 1; i++) {
			p[65] = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, row{}, 0, 0, 0)[0];
		}
	} else {
		add(acc, __builtin_amdgcn_readfirstlane(lane + 1));
		for (int i = c; i < 1; i++) {
			p[65] = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, row{}, 0, 0, 0)[0];
		}
	}
	p[lane] = acc.v[c];
}

// CHECK: 64 chained VGPRs in barrier
// CHECK-NEXT: fuse: not legal (clause 9): an arm holds a barrier, and the condition is not proved uniform: {{.*}}
// CHECK-NEXT: fuse: not legal (clause 11): the condition would go to a scalar register, and the condition is not proved uniform: {{.*}}
// MUTATE 9 equal: that a part of a wave meets a barrier is an error as written, and no case has it
// MUTATE 11 structural: clause 9 forbids this form too
__global__ void barrier(float *p, int c)
{
	tile acc = {};
	if (p[128] < c) {
		if (c > 2) {
			__builtin_amdgcn_s_barrier();
		}
		add(acc, 1);
	} else {
		if (c > 2) {
			__builtin_amdgcn_s_barrier();
		}
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

__device__ inline void add_once(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += i == 5 ? x : 1;
	}
}

// CHECK: 64 chained VGPRs in multiply
// CHECK-NEXT: fuse: not legal (clause 10): the multiply in 'p[0] * p[1]' would be cut from the add
// MUTATE isa: only the device compiler fuses
__global__ void multiply(float *p, int c)
{
	tile acc;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = p[i];
	}
	if (c > 1) {
		add_once(acc, p[0] * p[1]);
	} else {
		add_once(acc, 3.0f);
	}
	p[0] = acc.v[c];
}

// What p[i] * p[i + 64] reads is the same in every turn of the loop. Run in every turn as well, it is
// taken out of the loop, and its add is left there alone.
//
__device__ inline void add_products(tile &t, const float *p, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += p[i] * p[i + 64];
		t.v[i] += x;
	}
}

// CHECK: 64 chained VGPRs in repeated
// CHECK-NEXT: fuse: not legal (clause 10): an iteration of a loop around it need not change 'p[i] * p[i + 64]': if every iteration runs it, the compiler could take it from an earlier one, away from the add that takes it
// MUTATE isa: only the device compiler fuses
__global__ void repeated(float *p, int c)
{
	tile acc = {};
	for (int k = 0; k < c; k++) {
		if (p[k] > 1.5f) {
			add_products(acc, p, 1);
		} else {
			add_products(acc, p, 2);
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in repeated_by_one
// CHECK-NEXT: fuse: not legal (clause 10): an iteration of a loop around it need not change 'p[i] * x': if every iteration runs it, the compiler could take it from an earlier one, away from the add that takes it
// MUTATE isa: only the device compiler fuses
__global__ void repeated_by_one(float *p, int c)
{
	tile acc = {};
	float x = p[64];
	for (int k = 0; k < 2; k++) {
		if (c > 1) {
			for (int i = 0; i < 64; i++) {
				acc.v[i] += p[i] * x;
			}
		} else {
			x += 1.5f;
			for (int i = 0; i < 64; i++) {
				acc.v[i] += p[i] * x;
			}
		}
	}
	p[0] = acc.v[c];
}

// The choice of what is loaded is a branch, and the multiply stands before it.
//
__device__ inline void add_from(tile &t, const float &x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK: 64 chained VGPRs in multiply_by_reference
// CHECK-NEXT: fuse: not legal (clause 10): the multiply in 'x' would be cut from the add that takes its result, which the compiler may have joined to one FMA
// MUTATE equal: tried as machine code: clang 19 joins no multiply with 64 adds, before or after; another compiler may
__global__ void multiply_by_reference(float *p, int c)
{
	tile acc = {};
	add_from(acc, p[4]); // so it is not private to all callers
	if (c > 1) {
		const float x = p[1] * p[2], y = p[3];
		add_from(acc, x);
	} else {
		const float x = p[1] * p[2], y = p[3];
		add_from(acc, y);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in branch
// CHECK-NEXT: fuse: not legal (clause 10): a branch would come between the multiply that 'p[2] * p[3]' is from and the add that takes its result
// MUTATE equal: tried as machine code: clang 19 makes FMAs of it neither before nor after; another compiler may
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
// MUTATE equal: tried as machine code: clang 19 makes FMAs of it neither before nor after; another compiler may
__global__ void branch_behind(float *p, int c)
{
	tile acc;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = p[i];
	}
	if (c > 1) {
		const float x = p[2] * p[3];
		p[4] = 1;
		add_once(acc, x);
	} else {
		const float x = p[2] * p[3];
		add_once(acc, x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in handed_over
// CHECK-NEXT: fuse: not legal (clause 10): a branch would come between the multiply that 'x' is from and the add that takes its result
// MUTATE isa: only the device compiler fuses
__global__ void handed_over(float *p, int c)
{
	tile acc;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = p[i];
	}
	if (c > 1) {
		add(acc, p[4]);
	} else {
		const float x = p[2] * p[3];
		add(acc, p[5]);
		p[6] += x;
	}
	p[0] = acc.v[c];
}
