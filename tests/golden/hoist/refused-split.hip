// Each kernel violates one clause of the callee split: the report names it, and not a byte changes.
// tests/exec/mutate.py switches the clause off. More cases stand in tests/unit/data/callee/cases.hip.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

template <bool First> struct pick {
	static constexpr float by = First ? 1 : 2;
};

// CHECK: 65 chained VGPRs in changed
// CHECK-NEXT: hoist: not legal (clause 25): 'by' cannot be passed to the wide part
template <bool First> __device__ void changed_step(tile &t, float *p, int &at, tile &by)
{
	at = First ? 2 : 3;
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] - by.v[i] - p[i + 2];
	}
}
__global__ void changed(float *p, int c)
{
	tile acc = {};
	tile more[4] = {};
	int at = 0;
	more[0].v[c] = 1;
	more[2].v[c] = p[9];
	if (c > 1) {
		changed_step<true>(acc, p, at, more[at]);
	} else {
		changed_step<false>(acc, p, at, more[at]);
	}
	p[1] = more[1].v[at];
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in no_call
// CHECK-NEXT: hoist: not legal (clause 21): the arms call different functions
// MUTATE structural: there is no one function to split
template <bool First> __device__ void no_call_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}
template <bool First> __device__ void other_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}
__global__ void no_call(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		no_call_step<true>(acc, p);
	} else {
		other_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in from_macro
// CHECK-NEXT: hoist: not legal (clause 22): a call comes from a macro
// MUTATE structural: macros are never edited
template <bool First> __device__ void from_macro_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}
#define STEP(x) from_macro_step<x>(acc, p)
__global__ void from_macro(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		STEP(true);
	} else {
		STEP(false);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in returns
// CHECK-NEXT: hoist: not legal (clause 23): 'returns_step' may return, or jump
template <bool First> __device__ void returns_step(tile &t, float *p)
{
	if (p[3] > 1) {
		return;
	}
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}

__global__ void returns(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		returns_step<true>(acc, p);
	} else {
		returns_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in kept
// CHECK-NEXT: hoist: not legal (clause 24): 'seen' is static, shared or from a macro, and the wide part uses it
template <bool First> __device__ void kept_step(tile &t, float *p)
{
	__shared__ float seen;
	seen = p[First];
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
		t.v[i] -= seen;
	}
}

__global__ void kept(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		kept_step<true>(acc, p);
	} else {
		kept_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in continued
// CHECK-NEXT: hoist: not legal (clause 24): 'seen' is static or shared, and other calls of 'continued_step' would have another one
template <bool First, int By = 2> __device__ void continued_step(tile &t, float *p, bool begin)
{
	__shared__ float seen;
	if (begin) {
		seen = p[First];
	} else {
		seen += p[First + By];
	}
	float scale = seen;
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}

__global__ void continued(float *p, int c)
{
	tile acc = {};
	continued_step<true, 3>(acc, p, true); // not looked at: the function is not made of its parts
	continued_step<true>(acc, p, true);
	continued_step<false>(acc, p, true);
	if (c > 1) {
		continued_step<true>(acc, p, false);
	} else {
		continued_step<false>(acc, p, false);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in in_a_type
// CHECK-NEXT: hoist: not legal (clause 26): 'First' differs between the arms, and is needed at compile time
template <bool First> __device__ void in_a_type_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
		t.v[i] -= pick<First>::by;
	}
}

__global__ void in_a_type(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		in_a_type_step<true>(acc, p);
	} else {
		in_a_type_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in in_a_list
// CHECK-NEXT: hoist: not legal (clause 26): 'big' is converted in a list of values
template <bool First> __device__ void in_a_list_step(tile &t, float *p)
{
	const int big = First ? 3 : 4;
	short by{big};
	float scale = p[1] + big;
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + by];
	}
}

__global__ void in_a_list(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		in_a_list_step<true>(acc, p);
	} else {
		in_a_list_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in nameless
// CHECK-NEXT: hoist: not legal (clause 27): 'one' would have to be passed to the wide part, and its type cannot be written down
template <bool First> __device__ void nameless_step(tile &t, float *p)
{
	struct {
		float by;
	} one = {p[First]};
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
		t.v[i] -= one.by;
	}
}

__global__ void nameless(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		nameless_step<true>(acc, p);
	} else {
		nameless_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in read_behind
// CHECK-NEXT: hoist: not legal (clause 28): the code after the call in an arm must stay after the wide part
template <bool First> __device__ void read_behind_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}

__global__ void read_behind(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		read_behind_step<true>(acc, p);
		p[100] = acc.v[c];
	} else {
		read_behind_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in divergent
// CHECK-NEXT: hoist: not legal (clause 29): the wide part holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
template <bool First> __device__ void divergent_step(tile &t, float *p)
{
	float scale = First ? 1 : p[127];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 128];
		t.v[i] -= (float)__builtin_amdgcn_readfirstlane((int)threadIdx.x);
	}
}

__global__ void divergent(float *p, int c)
{
	tile acc = {};
	if ((int)threadIdx.x > c) {
		divergent_step<true>(acc, p);
	} else {
		divergent_step<false>(acc, p);
	}
	p[threadIdx.x] = acc.v[c];
}

typedef float row __attribute__((ext_vector_type(4)));

// A matrix operation asks for all lanes where one comes to it: none does.
//
// CHECK: 64 chained VGPRs in sometimes
// CHECK-NEXT: hoist: not legal (clause 29): the wide part holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
template <bool First> __device__ void sometimes_step(tile &t, float *p, int c)
{
	float scale = First ? 1 : p[127];
	row m = {};
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 128];
		t.v[i] -= (float)__builtin_amdgcn_readfirstlane((int)threadIdx.x);
	}
	for (int i = c; i < 1; i++) {
		m = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, m, 0, 0, 0);
		t.v[i] += m.x;
	}
}

__global__ void sometimes(float *p, int c)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	if (lane > c) {
		sometimes_step<true>(acc, p, c);
	} else {
		sometimes_step<false>(acc, p, c);
	}
	p[threadIdx.x] = acc.v[c];
}

// CHECK: 64 chained VGPRs in multiply
// CHECK-NEXT: hoist: not legal (clause 30): the add in 't.v[i] += x' may take the result of a multiply that would be cut from it
// MUTATE isa: only the device compiler fuses
template <bool First> __device__ void multiply_step(tile &t, float *p)
{
	const float x = First ? p[3] * p[4] : p[5];
	for (int i = 0; i < 64; i++) {
		if (i == 5) {
			t.v[i] += x;
		}
	}
}

__global__ void multiply(float *p, int c)
{
	tile acc;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = p[i];
	}
	if (c > 1) {
		multiply_step<true>(acc, p);
		p[100] = 1;
	} else {
		multiply_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in repeated
// CHECK-NEXT: hoist: not legal (clause 30): an iteration of a loop around it need not change 'p[i] * p[i + 64]': if every iteration runs it, the compiler could take it from an earlier one, away from the add that takes it
// MUTATE isa: only the device compiler fuses
template <bool First> __device__ void repeated_step(tile &t, const float *p)
{
	const float x = First ? 1.0f : 2.0f;
	for (int i = 0; i < 64; i++) {
		t.v[i] += p[i] * p[i + 64];
		t.v[i] += x;
	}
}

__global__ void repeated(float *p, int c)
{
	tile acc = {};
	for (int k = 0; k < c; k++) {
		if (p[k] > 1.5f) {
			repeated_step<true>(acc, p);
		} else {
			repeated_step<false>(acc, p);
		}
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in more_crosses
// CHECK-NEXT: hoist: not legal (clause 31): 64 VGPRs would be passed to the wide part, in place of 64
// MUTATE gain: as much crosses as before
template <bool First> __device__ void more_crosses_step(tile &t, float *p)
{
	tile by;
	for (int i = 0; i < 64; i++) {
		by.v[i] = First ? p[i] : p[i + 64];
	}
	for (int i = 0; i < 64; i++) {
		t.v[i] -= by.v[i];
	}
}

__global__ void more_crosses(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		more_crosses_step<true>(acc, p);
	} else {
		more_crosses_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in no_place
// CHECK-NEXT: hoist: not legal (clause 32): it does not begin a line, or comes from a macro
// MUTATE structural: its declaration has no line
template <bool First> __device__ void no_place_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}

__global__ void no_place(float *p, int c)
{
	tile acc = {};
	p[3] = 2; if (c > 1) {
		no_place_step<true>(acc, p);
	} else {
		no_place_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

struct below_tile {
	float v[64];

	// CHECK: 64 chained VGPRs in below
	// CHECK-NEXT: hoist: not legal (clause 27): 'by' would have to be passed to the wide part, and the class declares its type after the function
	// MUTATE structural: the state would not compile
	template <bool First> __device__ void step(float *p)
	{
		const number by = First ? 1 : p[1];
		for (int i = 0; i < 64; i++) {
			v[i] = v[i] / by - p[i + 2];
		}
	}
	using number = float;
};

__global__ void below(float *p, int c)
{
	below_tile acc = {};
	if (c > 1) {
		acc.step<true>(p);
	} else {
		acc.step<false>(p);
	}
	p[0] = acc.v[c];
}
