// Each kernel violates one clause, and the file stays as it is. tests/exec/mutate.py switches the
// clause off and shows what goes wrong then.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused.hip: 28 merges at or over the threshold, 0 rewritten

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

__device__ inline void turn(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x - t.v[i];
	}
}

// CHECK: {{.*}} VGPRs in no_loop: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): it stands in no loop
// MUTATE structural: there is no loop
__global__ void no_loop(float *p, int n)
{
	tile acc = {};
	if (n > 3) {
		add(acc, 1);
	} else {
		turn(acc, 2);
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in chosen: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): it is no if
// MUTATE structural: there is no condition
__global__ void chosen(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		switch (k) {
		case 0:
			add(acc, 1);
			break;
		default:
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in declares: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): a variable is declared in its header
// MUTATE structural: the condition is no expression
__global__ void declares(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (int rest = n / 2 - k; rest > 0) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in do_loop: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): the loop around it is neither a for nor a plain while
// MUTATE structural: there is no condition at its head
__global__ void do_loop(float *p, int n)
{
	tile acc = {};
	int k = 0;
	do {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	} while (++k < n);
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in endless: {{.*}}
// CHECK-NEXT:  split: not legal (clause 1): the loop around it has no condition
// MUTATE structural: there is no condition at its head
__global__ void endless(float *p, int n)
{
	tile acc = {};
	for (int k = 0;; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		p[k] = acc.v[k];
		if (k == n) {
			return;
		}
	}
}

#define MORE k < n

// CHECK: {{.*}} VGPRs in from_macro: {{.*}}
// CHECK-NEXT:  split: not legal (clause 2): part of it or of the loop comes from a macro, which is never edited
// MUTATE structural: where its text stands is not known
__global__ void from_macro(float *p, int n)
{
	tile acc = {};
	for (int k = 0; MORE; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in directive: {{.*}}
// CHECK-NEXT:  split: not legal (clause 2): a preprocessor directive stands in the loop: #ifdef __gfx942__
__global__ void directive(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 5);
		}
#ifdef __gfx942__
		if (p[k] > 0) {
			break;
		}
#endif
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in sometimes: {{.*}}
// CHECK-NEXT:  split: not legal (clause 3): not every iteration of the loop around it reaches it
// MUTATE structural: there is no loop of which every iteration comes to it
__global__ void sometimes(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (p[k] > 0) {
			if (k < 4) {
				add(acc, 1);
			} else {
				turn(acc, 2);
			}
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in continues: {{.*}}
// CHECK-NEXT:  split: not legal (clause 3): code before it may leave the iteration
__global__ void continues(float *p, int n)
{
	tile acc = {};
	const float *past = p + 100000000;
	int seen = 0;
	for (int k = 0; k < n; k++) {
		seen += k;
		if (n < 100) {
			continue;
		}
		if (past[k] > 1) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
	p[1] = seen;
}

// CHECK: {{.*}} VGPRs in breaks: {{.*}}
// CHECK-NEXT:  split: not legal (clause 4): the loop is left by break
__global__ void breaks(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 5);
		}
		if (p[k] > 0) {
			break;
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in jumps: {{.*}}
// CHECK-NEXT:  split: not legal (clause 4): the loop is left by goto
// MUTATE equal: the label stands behind both loops, so that a goto out of the first leaves the second as well
__global__ void jumps(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		if (p[k] > 0) {
			goto done;
		}
	}
done:
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in acts: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): its condition has an effect, or is an object
__global__ void acts(float *p, int n)
{
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; k++) {
		if (seen++ % 3 == 0) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in changes: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be evaluated at the loop's head: 'limit' is written before it is read
__global__ void changes(float *p, int n)
{
	tile acc = {};
	int limit = 9;
	for (int k = 0; k < n; k++) {
		limit -= k;
		if (k < limit) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in by_pointer: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be evaluated at the loop's head: {{.*}} is written before it is read
__global__ void by_pointer(float *p, const float *q, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		p[k] = 4;
		if (q[k] > 3) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in made_inside: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): the condition reads 'limit', which is made inside the loop
__global__ void made_inside(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		short limit = 65536 * k + 4;
		if (k < limit) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in hidden: {{.*}}
// CHECK-NEXT:  split: not legal (clause 5): the condition names 'step', which is made inside the loop
__global__ void hidden(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		float step[2] = {1, 2};
		if (k < (int)sizeof(step)) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in loop_acts: {{.*}}
// CHECK-NEXT:  split: not legal (clause 6): the loop's condition has an effect, or is an object
__global__ void loop_acts(float *p, int n)
{
	tile acc = {};
	int k = 0;
	while (k++ < n) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in shared: {{.*}}
// CHECK-NEXT:  split: not legal (clause 7): the loop declares 'held', which would become two
__global__ void shared(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		__shared__ float held;
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, held);
		}
		held = p[k];
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in shared_in_lambda: {{.*}}
// CHECK-NEXT:  split: not legal (clause 7): the loop declares 'held', which would become two
__global__ void shared_in_lambda(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		auto hold = [&](float x) {
			__shared__ float held;
			float last = held;
			held = x;
			return last;
		};
		p[k] = hold(p[k]);
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in barrier: {{.*}}
// CHECK-NEXT:  split: not legal (clause 8): the loop holds a barrier, and the condition is not proved uniform: '{{[^']*}}' may differ between lanes{{(: it .*)?}}
__global__ void barrier(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		__builtin_amdgcn_s_barrier();
		if (k < (int)threadIdx.x) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in cross_lane: {{.*}}
// CHECK-NEXT:  split: not legal (clause 8): the loop holds a cross-lane operation, and the condition is not proved uniform: {{.*}}
__global__ void cross_lane(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < (int)threadIdx.x) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		add(acc, __builtin_amdgcn_ds_bpermute(4, k));
	}
	p[0] = acc.v[n];
}

typedef float row __attribute__((ext_vector_type(4)));

// A matrix operation asks for all lanes where one comes to it: none does.
//
// CHECK: {{.*}} VGPRs in not_asked: {{.*}}
// CHECK-NEXT:  split: not legal (clause 8): the loop holds a matrix operation, and the condition is not proved uniform: {{.*}}
__global__ void not_asked(float *p, int n)
{
	tile acc = {};
	const int lane = __builtin_amdgcn_ds_bpermute(threadIdx.x * 4, threadIdx.x);
	for (int k = 0; k < n; k++) {
		if (k < lane) {
			for (int i = n; i < 1; i++) {
				p[65] = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, row{}, 0, 0, 0)[0];
			}
			add(acc, 1);
		} else {
			for (int i = n; i < 1; i++) {
				p[65] = __builtin_amdgcn_mfma_f32_16x16x4f32(1, 1, row{}, 0, 0, 0)[0];
			}
			turn(acc, 2);
		}
		add(acc, __builtin_amdgcn_ds_bpermute(4, k));
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in atomic: {{.*}}
// CHECK-NEXT:  split: not legal (clause 8): the loop holds code that unphi cannot see through, and the condition is not proved uniform: {{.*}}
// MUTATE equal: the sum is the same in any order, and nothing takes what an add returned
__global__ void atomic(float *p, int *count, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < (int)threadIdx.x) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
	}
	p[threadIdx.x] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in product_before: {{.*}}
// CHECK-NEXT:  split: not legal (clause 9): 'x' may come from a multiply and is added in the loop: without the if the compiler could join the two to an FMA
// MUTATE isa: only the device compiler fuses
__global__ void product_before(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		const float x = p[k] * p[k + 1];
		if (k < 4) {
			acc.v[5] += x;
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in product_around: {{.*}}
// CHECK-NEXT:  split: not legal (clause 9): 'acc' may come from a multiply and is added in the loop: without the if the compiler could join the two to an FMA
// MUTATE equal: tried as machine code: clang 19 joins no product with an add of the next turn; another compiler may
__global__ void product_around(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			acc.v[5] += 1;
			acc.v[5] *= p[k];
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in repeated: {{.*}}
// CHECK-NEXT:  split: not legal (clause 9): an iteration of a loop around it need not change 'p[i] * p[i + 64]': if every iteration runs it, the compiler could take it from an earlier one, away from the add that takes it
// MUTATE isa: only the device compiler fuses
__global__ void repeated(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			for (int i = 0; i < 64; i++) {
				acc.v[i] += p[i] * p[i + 64];
			}
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in product_outside: {{.*}}
// CHECK-NEXT:  split: not legal (clause 9): 'x' may come from a multiply and is added on another side of the loop's border, which goes where the compiler unrolls the loop
// MUTATE isa: only the device compiler fuses
__global__ void product_outside(float *p, int n)
{
	tile acc = {};
	const float x = p[0] * p[1];
	bool later = false;
	for (int k = 0; k < 3; k++) {
		if (later) {
			turn(acc, 2);
		} else {
			acc.v[5] += x;
		}
		later = true;
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in float_condition: {{.*}}
// CHECK-NEXT:  split: not legal (clause 9): a condition calculates in floats: the compiler could join it to FMAs in other places than now
// MUTATE isa: only the device compiler fuses
__global__ void float_condition(float *p, float x, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k * x + 1 < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}
