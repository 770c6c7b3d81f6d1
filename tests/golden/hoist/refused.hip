// Each kernel violates one clause of hoist and no other: the report names it, and not a byte
// changes. tests/exec/mutate.py switches the clause off and shows what goes wrong then; what is no
// wrong result is said in a MUTATE line. More cases stand in tests/unit/data/hoist/cases.hip.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:plain -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
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

// CHECK: 65 chained VGPRs in label
// CHECK-NEXT: hoist: not legal (clause 3): an arm holds a label that can be jumped to
// MUTATE equal: a jump into an arm goes on to the tail behind it, as before; refused-fenced.hip has it jump past a guard
__global__ void label(float *p, int c)
{
	tile acc = {};
	int n = 0;
	if (c > 1) {
	again:
		n++;
		add(acc, 1);
	} else {
		n += 2;
		add(acc, 1);
	}
	if (n < 4) {
		goto again;
	}
	p[0] = acc.v[c] + (float)n;
}

// CHECK: 64 chained VGPRs in falls_through
// CHECK-NEXT: hoist: not legal (clause 1): an arm of the switch falls through into the next
__global__ void falls_through(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 1:
		add(acc, 1);
	default:
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in header
// CHECK-NEXT: hoist: not legal (clause 1): a variable is declared in its header
__global__ void header(float *p, int c)
{
	tile acc = {};
	if (int e = c - 1) {
		add(acc, e);
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in before_the_first
// CHECK-NEXT: hoist: not legal (clause 1): a statement stands before the first case
__global__ void before_the_first(float *p, int c)
{
	tile acc = {};
	switch (c) {
		float x;
	case 1:
		x = 1;
		add(acc, x);
		break;
	default:
		x = 2;
		add(acc, x);
	}
	p[0] = acc.v[c];
}

__device__ inline tile plus(tile t, float x)
{
	add(t, x);
	return t;
}

// CHECK: 64 chained VGPRs in expression
// CHECK-NEXT: hoist: not legal (clause 1): it is a conditional expression, not a statement
// MUTATE structural: there are no statements that could move
__global__ void expression(float *p, int c)
{
	tile acc = {};
	acc = c ? plus(acc, 1) : (p[1] = 0, plus(acc, 2));
	p[0] = acc.v[c];
}

// What this target does not see, another one does.
// CHECK: 64 chained VGPRs in directive
// CHECK-NEXT: hoist: not legal (clause 2): a preprocessor directive stands inside: #ifdef __gfx942__
__global__ void directive(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add(acc, 1);
	} else {
#ifdef __gfx942__
		add(acc, 4);
#endif
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in pragma
// CHECK-NEXT: hoist: not legal (clause 2): a preprocessor directive stands inside: #pragma clang fp contract(off)
// MUTATE equal: the pragma stays with what it stands before; tried as machine code: the same FMAs
__global__ void pragma(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
#pragma clang fp contract(off)
		p[1] = p[2] * p[3] + p[4];
		add(acc, 1);
	} else {
		add(acc, 1);
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
// CHECK-NEXT: hoist: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: the arms' text is the macro's, not the file's
__global__ void macro(float *p, int c)
{
	tile acc = {};
	BRANCH(c, 1, 2)
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in macro_arm
// CHECK-NEXT: hoist: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: a statement that shares its macro with another has no like
#define ADD(x) add(acc, x)
#define TWICE(x) add(acc, x); add(acc, 2 * x)
__global__ void macro_arm(float *p, int c)
{
	tile acc = {};
	if (c)
		ADD(1);
	else
		TWICE(1);
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in attribute
// CHECK-NEXT: hoist: not legal (clause 2): an attribute or a pragma stands before it
// MUTATE equal: nomerge asks for code, and is lost with the if; no result depends on it
__global__ void attribute(float *p, int c)
{
	tile acc = {};
	[[clang::nomerge]] if (c) {
		add(acc, 1);
	} else {
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// Another target's macro says more.
#ifdef __gfx942__
#define EXTRA add(acc, 4);
#else
#define EXTRA
#endif

// CHECK: 64 chained VGPRs in no_statement
// CHECK-NEXT: hoist: not legal (clause 2): an arm holds text that is not a statement of its own
__global__ void no_statement(float *p, int c)
{
	tile acc = {};
	if (c) {
		add(acc, 1);
	} else {
		EXTRA
		add(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in leaves_the_switch
// CHECK-NEXT: hoist: not legal (clause 3): an arm may leave in its middle (break)
__global__ void leaves_the_switch(float *p, int c)
{
	tile acc = {};
	switch (c & 3) {
	case 1:
		if (p[1] > 0) {
			break;
		}
		add(acc, 1);
		break;
	default:
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in leaves
// CHECK-NEXT: hoist: not legal (clause 3): an arm may leave in its middle (return)
// MUTATE equal: the return stays in its arm, in front of the tail, which did not run either
__global__ void leaves(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		if (c == 5) {
			return;
		}
		add(acc, 1);
	} else {
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in different
// CHECK-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: 'add(acc, 1)' against 'scale(acc, 1)'
// MUTATE structural: the arms have nothing in common that could move
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

// CHECK: 64 chained VGPRs in empty_arm
// CHECK-NEXT: hoist: not legal (clause 4): an arm is empty
// MUTATE structural: the arms have nothing in common that could move
__global__ void empty_arm(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		add(acc, 1);
	} else if (c) {
	} else {
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in head_writes
// CHECK-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: 'scale(acc, 2)' against 'add(acc, 3)'
// MUTATE gain: the accumulator still crosses
__global__ void head_writes(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		scale(acc, 2);
		add(acc, 1);
	} else {
		add(acc, 3);
		add(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in depends
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'p[i]', which depends on 'i' inside the code that would move
__global__ void depends(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += p[i];
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += (float)i;
		}
	}
	p[0] = acc.v[c];
}

__device__ inline void step_at(tile &t, const float &by, const float *first)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += &by == first ? by : 1;
	}
}

// CHECK: 64 chained VGPRs in address
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'x', which is bound to 'by', of which more than the value may count
__global__ void address(float *p, int c)
{
	tile acc = {};
	float x = p[2], y = p[3];
	if (c > 1) {
		step_at(acc, x, &x);
	} else {
		step_at(acc, y, &x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in hole_reads
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'n', which cannot be evaluated before the rest: 'n' is written before it is read
__global__ void hole_reads(float *p, int c)
{
	tile acc = {};
	int n = c;
	if (c > 1) {
		add(acc, 1);
		n = 0;
		add(acc, n);
	} else {
		add(acc, 1);
		n = 0;
		add(acc, c);
	}
	p[0] = acc.v[c] + n;
}

// CHECK: 64 chained VGPRs in hole_acts
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'n++', which may have a side effect
__global__ void hole_acts(float *p, int c)
{
	tile acc = {};
	int n = c;
	if (c > 1) {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += (float)(n++);
		}
	} else {
		for (int i = 0; i < 64; i++) {
			acc.v[i] += (float)(c);
		}
	}
	p[0] = acc.v[c + 1];
}

// The compiler does not see what it needs, so it cannot leave a call out whose result is not used.
__device__ __attribute__((noinline, optnone)) float read(const float *from)
{
	return *from;
}

// CHECK: 64 chained VGPRs in speculation
// CHECK-NEXT: hoist: not legal (clause 6): the arms differ in 'read(q)', which is not evaluated on every path now, and might fault if it were
__global__ void speculation(float *p, int c)
{
	tile acc = {};
	const float *q = c > 2 ? nullptr : p;
	if (c > 1) {
		add(acc, 1);
		if (q) {
			add(acc, read(q));
		}
	} else {
		add(acc, 1);
		if (q) {
			add(acc, 3.0f);
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in divergent
// CHECK-NEXT: hoist: not legal (clause 7): the code that would move holds a cross-lane operation, and the condition is not proved uniform: 'lane' may differ between lanes: its value may differ between lanes
__global__ void divergent(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	if (lane > c) {
		add(acc, __builtin_amdgcn_readfirstlane(lane));
	} else {
		add(acc, __builtin_amdgcn_readfirstlane(lane));
	}
	p[lane] = acc.v[c];
}

// 32 lanes are half a wave.
//
// CHECK: 64 chained VGPRs in half_wave
// CHECK-NEXT: hoist: not legal (clause 7): the code that would move holds a cross-lane operation, and the condition is not proved uniform: 'threadIdx' may differ between lanes
__global__ void half_wave(float *p, int c)
{
	tile acc = {};
	if ((int)(threadIdx.x >> 5) > c - 5) {
		add(acc, __builtin_amdgcn_readfirstlane(threadIdx.x));
	} else {
		add(acc, __builtin_amdgcn_readfirstlane(threadIdx.x));
	}
	p[threadIdx.x] = acc.v[c];
}

// Rows of 96 lanes: the second wave begins in one and ends in the next.
//
// CHECK: 64 chained VGPRs in with_rows
// CHECK-NEXT: hoist: not legal (clause 7): the code that would move holds a cross-lane operation, and the condition is not proved uniform: 'threadIdx' may differ between lanes
__global__ void with_rows(float *p, int c)
{
	tile acc = {};
	if (threadIdx.x / 64) {
		add(acc, __builtin_amdgcn_readfirstlane(threadIdx.x));
	} else {
		add(acc, __builtin_amdgcn_readfirstlane(threadIdx.x));
	}
	p[threadIdx.x + 96 * threadIdx.y] = acc.v[c];
}

typedef float row __attribute__((ext_vector_type(4)));

// A matrix operation asks for all lanes where one comes to it: none does.
//
// CHECK: 64 chained VGPRs in sometimes
// CHECK-NEXT: hoist: not legal (clause 7): the code that would move holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
__global__ void sometimes(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	if (lane > c) {
		for (int i = c; i < 1; i++) {
			p[65] = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, row{}, 0, 0, 0)[0];
		}
		add(acc, __builtin_amdgcn_readfirstlane(lane));
	} else {
		for (int i = c; i < 1; i++) {
			p[65] = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, row{}, 0, 0, 0)[0];
		}
		add(acc, __builtin_amdgcn_readfirstlane(lane));
	}
	p[lane] = acc.v[c];
}

// CHECK: 64 chained VGPRs in type
// CHECK-NEXT: hoist: not legal (clause 8): a type or namespace is named or declared in an arm (typedef)
__global__ void type(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		typedef float number;
		p[1]++;
		add(acc, number(c));
	} else {
		typedef float number;
		p[1]--;
		add(acc, number(c));
	}
	p[0] = acc.v[c];
}

__device__ __attribute__((noinline)) void add_from(tile &t, const float *from)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += from[i & 1];
	}
}

struct at_end {
	float *to;
	__device__ ~at_end() { *to = 0; }
};

// CHECK: 64 chained VGPRs in destructor
// CHECK-NEXT: hoist: not legal (clause 2): in line {{[0-9]+}} of an arm implicit code runs, at the end of a scope or for a range
// MUTATE structural: what runs at the end of the arm has no place in the text
__global__ void destructor(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		const at_end end{p + 1};
		add(acc, p[1]);
	} else {
		add(acc, p[1]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in pointer
// CHECK-NEXT: hoist: not legal (clause 9): the code that would move reaches 't', which is declared in an arm
__global__ void pointer(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		float t[4] = {p[1], p[2], p[3], p[4]};
		add_from(acc, t + c % 2);
	} else {
		add_from(acc, p + c);
	}
	p[0] = acc.v[c];
}

struct pair {
	float first, second;
};

__device__ inline void take(tile &t, pair &x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x.first;
		x.first += x.second;
	}
}

// CHECK: 64 chained VGPRs in local
// CHECK-NEXT: hoist: not legal (clause 9): the code that would move reaches 'x', which is declared in an arm
__global__ void local(float *p, int c)
{
	tile acc = {};
	switch (c) {
	case 1:
		pair x;
		x = {p[1], p[2]};
		take(acc, x);
		break;
	default:
		x = {p[3], 0};
		take(acc, x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in nameless
// CHECK-NEXT: hoist: not legal (clause 10): the type of {{.*}} cannot be written down
__global__ void nameless(float *p, int c)
{
	tile acc = {};
	struct {
		float x;
	} one{1}, two{2};
	if (c > 1) {
		const auto pair = one;
		add(acc, pair.x);
	} else {
		const auto pair = two;
		add(acc, pair.x);
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
// CHECK-NEXT: hoist: not legal (clause 11): the multiply in 'p[0] * p[1]' would be cut from the add
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

__device__ inline void add_all(tile &t, const tile &x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x.v[i];
	}
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
// CHECK-NEXT: hoist: not legal (clause 11): an iteration of a loop around it need not change 'p[i] * p[i + 64]': if every iteration runs it, the compiler could take it from an earlier one, away from the add that takes it
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
// CHECK-NEXT: hoist: not legal (clause 11): an iteration of a loop around it need not change 'p[i] * x': if every iteration runs it, the compiler could take it from an earlier one, away from the add that takes it
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

// CHECK: 64 chained VGPRs in more_crosses
// CHECK-NEXT: hoist: not legal (clause 12): 64 VGPRs of operands would cross in place of 64 of accumulators
// MUTATE gain: as much crosses as before
__global__ void more_crosses(float *p, int c)
{
	tile acc = {}, x;
	if (c > 1) {
		x = *(const tile *)(p + 64);
		add_all(acc, x);
	} else {
		for (int i = 0; i < 64; i++) {
			x.v[i] = p[i];
		}
		add_all(acc, x);
	}
	p[0] = acc.v[c];
}

__device__ inline __attribute__((always_inline)) float known(int s)
{
	return __builtin_constant_p(s) ? s * 2.f : s * 3.f;
}

// The optimizer knows 7, and not what a variable holds that is 7 or n.
// CHECK: 64 chained VGPRs in by_what_is_known
// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'rows', which cannot be evaluated before the rest
// MUTATE structural: clause 93 refuses it for every strategy
__global__ void by_what_is_known(float *p, int n)
{
	tile acc = {};
	const int rows = n + (int)gridDim.x;
	if (rows > 1) {
		add(acc, known(7));
	} else {
		add(acc, known(rows));
	}
	p[0] = acc.v[n];
}
