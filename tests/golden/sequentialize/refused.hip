// Each kernel violates one clause of sequentialize and no other: the report names it, the exit code
// is that of a job done, and not a byte changes. tests/exec/mutate.py switches the clause off and
// shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy sequentialize -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
// RUN: %exits 0 %unphi rewrite %s --verbose --target gfx90a --strategy sequentialize --check --quiet \
// RUN:   -- -nogpuinc -I %root/tests/golden/rewrite/Inputs
//
// CHECK: {{.*}}refused.hip: 17 merges at or over the threshold, 0 rewritten
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

__device__ inline tile plus(tile t, float x)
{
	add(t, x);
	return t;
}

// CHECK: {{.*}}:[[#@LINE+6]]:8: 64 chained VGPRs in expression: kept as it is: it is a conditional expression, not a statement
// CHECK-NEXT:  sequentialize: not legal (clause 1): it is a conditional expression, not a statement
// MUTATE structural: there are no statements that could be guarded
__global__ void expression(float *p, int c)
{
	tile acc = {};
	acc = c ? plus(acc, 1) : (p[1] = 0, plus(acc, 2));
	p[0] = acc.v[c];
}

#define BRANCH(c, x, y)                                                                            \
	if (c) {                                                                                   \
		add(acc, x);                                                                       \
	} else {                                                                                   \
		add(acc, y);                                                                       \
	}

// CHECK: {{.*}}:[[#@LINE+6]]:{{[0-9]+}}: 64 chained VGPRs in macro: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: the arms' text is the macro's, not the file's
__global__ void macro(float *p, int c)
{
	tile acc = {};
	BRANCH(c, 1, 2)
	p[0] = acc.v[c];
}

#define ELSE }                                                                                     \
	else                                                                                       \
	{

// CHECK: {{.*}} 64 chained VGPRs in macro_braces: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: a brace that would be kept is the macro's
__global__ void macro_braces(float *p, int c)
{
	tile acc = {};
	if (c) {
		add(acc, 1);
	ELSE
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in macro_arm: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): part of it comes from a macro, which is never edited
#define TWICE(x) add(acc, x); add(acc, 2 * x)
__global__ void macro_arm(float *p, int c)
{
	tile acc = {};
	if (c)
		add(acc, 1);
	else
		TWICE(2);
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in directive: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): a preprocessor directive stands between its arms
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
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in crossing: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): an #if reaches from one of its arms into another
__global__ void crossing(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
#ifndef __gfx942__
	} else if (c == 3) {
		add(acc, 3);
#endif
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// What another target sees is one arm more.
// CHECK: {{.*}} 64 chained VGPRs in hidden_crossing: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): an #if reaches from one of its arms into another
__global__ void hidden_crossing(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
#ifdef __gfx942__
	} else if (c == 3) {
		add(acc, 3);
#endif
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in hidden_break: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): an #if stands inside an arm of the switch
__global__ void hidden_break(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, 1);
#ifdef __gfx942__
		break;
#endif
		add(acc, 2);
		break;
	default:
		add(acc, 3);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in pragma: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 2): an attribute or a pragma stands before it
// MUTATE equal: nomerge asks for code, and is lost with the if; no result depends on it
__global__ void pragma(float *p, int c)
{
	tile acc = {};
	[[clang::nomerge]] if (c) {
		add(acc, 1);
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in label: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 3): an arm holds a label that can be jumped to
__global__ void label(float *p, int c)
{
	tile acc = {};
	if (c) {
	again:
		add(acc, 1);
	} else {
		add(acc, 2);
		if (acc.v[0] < 9) {
			goto again;
		}
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in later_declaration: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 4): a later condition of the chain declares a variable
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
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in falls_through: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 5): an arm of the switch falls through into the next
__global__ void falls_through(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, 1);
		[[fallthrough]];
	case 1:
		add(acc, 2);
		break;
	default:
		add(acc, 3);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in leaves_in_the_middle: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 5): an arm leaves the switch in its middle
__global__ void leaves_in_the_middle(float *p, int c, int d)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, 1);
		if (d) {
			break;
		}
		add(acc, 2);
		break;
	default:
		add(acc, 3);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in before_the_first: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 5): a statement stands before the first case
__global__ void before_the_first(float *p, int c)
{
	tile acc = {};
	switch (c) {
		int x;
	case 0:
		x = 1;
		add(acc, x);
		break;
	default:
		x = 2;
		add(acc, x);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in inner_case: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 5): a case stands inside a block of an arm
__global__ void inner_case(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 0: {
		add(acc, 1);
	case 1:
		add(acc, 2);
		break;
	}
	default:
		add(acc, 3);
	}
	p[0] = acc.v[c];
}

// CHECK: {{.*}} 64 chained VGPRs in shared_variable: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 5): 'x' is declared in one arm and used in a later one
__global__ void shared_variable(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 0:
		int x;
		x = 1;
		add(acc, x);
		break;
	default:
		x = 2;
		add(acc, x);
	}
	p[0] = acc.v[c];
}

struct number {
	int v;
	__device__ operator int() { return v++; }
};

// CHECK: {{.*}} 64 chained VGPRs in object: {{.*}}
// CHECK-NEXT:  sequentialize: not legal (clause 5): its value is an object that is converted when compared
__global__ void object(float *p, int c)
{
	tile acc = {};
	number x = {c};
	switch (x) {
	case 0:
		add(acc, 1);
		break;
	default:
		add(acc, 2);
	}
	p[0] = acc.v[c];
}
