// Each kernel violates one clause of predicate: the report names it, and not a byte changes. Clauses
// 1 to 10 are fuse's. tests/exec/mutate.py switches the clause off and shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy predicate -o %t.hip -- -nogpuinc > %t.txt
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
// MUTATE gain: the accumulator still crosses
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
// MUTATE isa: only the device compiler fuses
__global__ void multiply(float *p, int c, int d)
{
	tile acc;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = p[i];
	}
	if (c > 1) {
		acc.v[5] += p[1] * p[2];
		__builtin_amdgcn_s_barrier();
	} else {
		acc.v[5] += d ? p[1] * p[2] : 3.0f;
		__builtin_amdgcn_s_barrier();
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in no_guard
// CHECK-NEXT: predicate: not legal (clause 11): no arm does the same as the others under a further condition
// MUTATE structural: there is nothing to guard by
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
// CHECK-NEXT: predicate: not legal (clause 12): the guarded code of an arm holds a convergent or ordered operation, and the condition is not proved uniform: '__builtin_amdgcn_workitem_id_x()' may differ between lanes
// MUTATE equal: c is the same in all lanes (else clause 9 refuses it), so that one of the two runs, with its own lanes
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

__device__ inline tile plus(tile t, float x)
{
	add(t, x);
	return t;
}

// CHECK: 64 chained VGPRs in expression
// CHECK-NEXT: predicate: not legal (clause 1): it is a conditional expression, not a statement
// MUTATE structural: there are no statements that could be one
__global__ void expression(float *p, int c, int d)
{
	tile acc = {};
	acc = c ? plus(acc, p[1]) : (p[2] = 0, plus(acc, d));
	p[0] = acc.v[c];
}

#define BRANCH(c, x, y)                                                                            \
	if (c) {                                                                                   \
		add(acc, x);                                                                       \
	} else {                                                                                   \
		add(acc, y);                                                                       \
	}

// CHECK: 64 chained VGPRs in macro
// CHECK-NEXT: predicate: not legal (clause 2): part of it comes from a macro, which is never edited
// MUTATE structural: clause 6 forbids it too
__global__ void macro(float *p, int c, int d)
{
	tile acc = {};
	BRANCH(c, p[1], d ? p[1] : 0.0f)
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in label
// CHECK-NEXT: predicate: not legal (clause 3): an arm holds a label that can be jumped to
__global__ void label(float *p, int c, int d)
{
	tile acc = {};
	if (c > 1) {
	again:
		p[5]++;
		add(acc, p[1]);
	} else {
		p[5]++;
		add(acc, d ? p[1] : 0.0f);
	}
	if (p[5] < 4) {
		goto again;
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in falls
// CHECK-NEXT: predicate: not legal (clause 5): an arm of the switch falls through into the next
__global__ void falls(float *p, int c, int d)
{
	tile acc = {};
	switch (c) {
	case 0:
		add(acc, d ? p[1] : 0.0f);
	default:
		add(acc, p[1]);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in directive
// CHECK-NEXT: predicate: not legal (clause 6): a preprocessor directive stands inside: #ifdef __gfx942__
__global__ void directive(float *p, int c, int d)
{
	tile acc = {};
	if (c == 1) {
		add(acc, p[1]);
	} else {
#ifdef __gfx942__
		p[3] = 2;
#endif
		add(acc, d ? p[1] : 0.0f);
	}
	p[0] = acc.v[c];
}

// The condition that comes to guard names another variable in the other arm's place.
//
// CHECK: 64 chained VGPRs in own_variable
// CHECK-NEXT: predicate: not legal (clause 8): 'x', declared where the arms differ, is used where they do not
__global__ void own_variable(float *p, int c, int d)
{
	tile acc = {};
	if (c > 1) {
		add(acc, p[2]);
	} else {
		const float x = p[3];
		p[4] = x;
		add(acc, d ? p[2] : x);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in barrier
// CHECK-NEXT: predicate: not legal (clause 9): an arm holds a barrier, and the condition is not proved uniform: {{.*}}
// MUTATE equal: that a part of a wave meets a barrier is an error as written, and no case has it
__global__ void barrier(float *p, int c, int d)
{
	tile acc = {};
	if (p[128] < c) {
		if (c > 2) {
			__builtin_amdgcn_s_barrier();
		}
		add(acc, p[1]);
	} else {
		if (c > 2) {
			__builtin_amdgcn_s_barrier();
		}
		add(acc, d ? p[1] : 0.0f);
	}
	p[0] = acc.v[c];
}

// The first lane is that of the wave where it was that of an arm.
//
// CHECK: 64 chained VGPRs in divergent
// CHECK-NEXT: predicate: not legal (clause 9): an arm holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
__global__ void divergent(float *p, int c, int d)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_workitem_id_x();
	if (lane < c) {
		const int n = __builtin_amdgcn_readfirstlane(lane);
		add(acc, p[n]);
	} else {
		const int n = __builtin_amdgcn_readfirstlane(lane);
		add(acc, d ? p[n] : 0.0f);
	}
	p[lane + 64] = acc.v[c];
}

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

// The compiler sees that nothing of what the second arm guards ever runs. It does not in what
// predicate makes of it, and drops the skip around the matrix operation, which minds no lane mask.
//
// CHECK: 64 chained VGPRs in never_held
// CHECK-NEXT: predicate: not legal (clause 12): the guarded code of an arm holds a convergent or ordered operation, and the condition is not proved uniform: {{.*}}
// MUTATE isa: the runner leaves out what no lane comes to
__global__ void never_held(float *p, int c, unsigned d)
{
	const unsigned id = __builtin_amdgcn_workitem_id_x();
	const unsigned lane = __builtin_amdgcn_ds_bpermute(id * 4, id);
	const f16x4 a = {(_Float16)p[lane], 1, 2, 3};
	f32x4 acc[16];
	for (int i = 0; i < 16; i++) {
		acc[i] = p[i];
	}
	unsigned limit;
	if (c > 3) {
		limit = 16;
		acc[0] = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc[0], 0, 0, 0);
		if (lane < limit * d) {
			p[lane] = 2;
		}
		for (int i = 1; i < 16; i++) {
			acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc[i], 0, 0, 0);
		}
	} else {
		limit = 0;
		acc[0] = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc[0], 0, 0, 0);
		if (lane < limit * d) {
			p[lane] = 2;
		}
		if (lane < limit * d) {
			for (int i = 1; i < 16; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x16f16(a, a, acc[i], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 16; i++) {
		p[64 * i + lane] = acc[i][0] + acc[i][1];
	}
}
