// One path of an iteration computes with matrix operations, another passes them by: a finding where the results
// stand in accumulation VGPRs and the kernel loses waves by what goes through others (doc/shapes.md).
//
// REQUIRES: clang-before-22
// RUN: %exits 1 %unphi lint --verbose %s --target gfx942 --checks=-unphi-early-exit -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in |applies|rewrite tries' %t.txt | %FileCheck %s --match-full-lines
// RUN: %exits 1 %unphi lint %s --target gfx942 --format json --quiet -- -nogpuinc | grep -c '"rule": *"unphi-phi-explosion"' | grep -qx 8

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define BOUND(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef float f32x16 __attribute__((ext_vector_type(16)));

template <int N> __device__ inline void step(f32x16 (&acc)[N], const float *p, int k)
{
	for (int i = 0; i < N; i++) {
		acc[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(p[k], p[k + i], acc[i], 0, 0, 0);
	}
}

template <int N> __device__ inline void sink(float *q, const f32x16 (&acc)[N])
{
	for (int i = 0; i < N; i++) {
		for (int j = 0; j < 16; j++) {
			q[i * 16 + j] = acc[i][j];
		}
	}
}

// CHECK: {{.*}}:[[#@LINE+8]]:3: warning: 'acc' (f32x16[8], 128 VGPRs per lane) crosses this if of one arm as 8 phis: one path computes it, the other skips it, and at the merge the compiler has it in two places [unphi-phi-explosion]
// CHECK-NEXT: note: in masked<8>
// CHECK-NEXT: note: split applies: a loop becomes loops with one arm each
template <int N> BOUND(256) __global__ void masked(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[N] = {};
	for (int k = 0; k < n; k++) {
		p += live[k];
		if (live[k] != 0) {
			step(acc, p, k);
		}
	}
	sink(q, acc);
}

// One arm does something else; the others' counter is narrow.
// CHECK-NEXT: {{.*}}:[[#@LINE+9]]:3: warning: 'acc' (f32x16[8], 128 VGPRs per lane{{.*}}) crosses this if/else as 8 phis: {{.*}}
// CHECK-NEXT: note: in counted
// CHECK-NEXT: note: sequentialize applies: {{.*}}
// CHECK-NEXT: note: split applies: {{.*}}
BOUND(256) __global__ void counted(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	int seen = 0;
	for (int k = 0; k < n; k++) {
		if (live[k] == 0) {
			seen++;
		} else {
			seen += 2;
			step(acc, p, k);
		}
	}
	q[1000] = seen;
	sink(q, acc);
}

// In a function that a kernel calls, in every iteration but some.
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (f32x16[8], 128 VGPRs per lane) crosses this if that leaves by 'continue' as 8 phis: {{.*}}
// CHECK-NEXT: note: in passed
// CHECK-NEXT: note: rewrite tries its strategies with the code after the if in an else
__device__ void passed(f32x16 (&acc)[8], const float *p, const int *live, int n)
{
	for (int k = 0; k < n; k++) {
		if (live[k] == 0)
			continue;
		step(acc, p, k);
	}
}
BOUND(256) __global__ void calls(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	passed(acc, p, live, n);
	sink(q, acc);
}

// With a barrier in the loop, which all waves pass as often.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' (f32x16[8], 128 VGPRs per lane) crosses this if of one arm as 8 phis: {{.*}}
// CHECK-NEXT: note: in waits
// CHECK-NEXT: note: split applies: {{.*}}
BOUND(256) __global__ void waits(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (live[k] != 0) {
			step(acc, p, k);
		}
		__builtin_amdgcn_s_barrier();
	}
	sink(q, acc);
}

// A break before them is another way out.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' (f32x16[8], 128 VGPRs per lane) crosses this if that leaves by 'break' as 8 phis: {{.*}}
// CHECK-NEXT: note: in ends
// CHECK-NEXT: note: rewrite tries its strategies with the code after the if in an else
BOUND(256) __global__ void ends(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (live[k] == 0) break;
		step(acc, p, k);
	}
	sink(q, acc);
}

// A switch of which one case computes.
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:3: warning: 'acc' (f32x16[8], 128 VGPRs per lane) crosses this switch as 8 phis: one path computes it, {{.*}}
// CHECK-NEXT: note: in chooses
BOUND(256) __global__ void chooses(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		switch (live[k]) {
		case 1:
			step(acc, p, k);
			break;
		default:
			break;
		}
	}
	sink(q, acc);
}

// Two instances of one function, each with an accumulator of its own, that end in the same stores.
// CHECK-NEXT: note: rewrite tries its strategies with the arm that computes as an if
// CHECK-NEXT: {{.*}}:[[#@LINE+16]]:2: warning: the arms of this if/else end in the same stores, of about 128 VGPRs per lane of results of matrix operations: {{.*}}
// CHECK-NEXT: note: in tail
// CHECK-NEXT: note: sequentialize applies: {{.*}}
template <bool LOOP> __device__ inline void whole(float *q, const float *p, int n)
{
	f32x16 acc[8] = {};
	if (LOOP) {
		for (int k = 0; k + 1 < n; k++) {
			step(acc, p, k);
		}
	}
	step(acc, p, n - 1);
	sink(q, acc);
}
BOUND(256) __global__ void tail(float *q, const float *p, const int *live, int n)
{
	if (n > 2) {
		whole<true>(q, p, n);
	} else {
		whole<false>(q, p, n);
	}
}

// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: the arms of this if that leaves by 'return' end in the same stores, of about 128 VGPRs {{.*}}
// CHECK-NEXT: note: in leaves
// CHECK-NEXT: note: rewrite tries its strategies with the code after the if in an else
BOUND(256) __global__ void leaves(float *q, const float *p, const int *live, int n)
{
	if (n > 2) {
		whole<true>(q, p, n);
		return;
	}
	whole<false>(q, p, n);
}

// CHECK-NOT: {{.}}
// Nothing of these: no accumulation VGPRs are to be had, or few are crossed, or there is no loop, or no matrix operation.
BOUND(512) __global__ void large(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[4] = {};
	for (int k = 0; k < n; k++) {
		if (live[k] != 0) {
			step(acc, p, k);
		}
	}
	sink(q, acc);
}
BOUND(256) __attribute__((amdgpu_waves_per_eu(2))) __global__ void bounded(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (live[k] != 0) {
			step(acc, p, k);
		}
	}
	sink(q, acc);
}
BOUND(256) __global__ void few(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[1] = {};
	for (int k = 0; k < n; k++) {
		if (live[k] != 0) {
			step(acc, p, k);
		}
	}
	sink(q, acc);
}
BOUND(256) __attribute__((amdgpu_waves_per_eu(2))) __global__ void chooses_bounded(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		switch (live[k]) {
		case 1: step(acc, p, k);
		}
	}
	sink(q, acc);
}
BOUND(256) __global__ void once(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		step(acc, p, k);
	}
	if (live[0] != 0) {
		step(acc, p, n);
	}
	sink(q, acc);
}
BOUND(256) __global__ void rescale(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int k = 0; k < n; k++) {
		if (p[k] > 0) {
			for (int i = 0; i < 8; i++) {
				acc[i] *= p[k];
			}
		}
		step(acc, p, k);
	}
	sink(q, acc);
}
BOUND(256) __attribute__((amdgpu_waves_per_eu(2))) __global__ void bounded_tail(float *q, const float *p, const int *live, int n)
{
	if (n > 2) {
		whole<true>(q, p, n);
	} else {
		whole<false>(q, p, n);
	}
}
BOUND(256) __global__ void other_ends(float *q, const float *p, const int *live, int n)
{
	if (n > 2) {
		whole<true>(q, p, n);
		q[5000] = 1;
	} else {
		whole<false>(q, p, n);
	}
}
BOUND(256) __global__ void one_in_a_loop(float *q, const float *p, const int *live, int n)
{
	if (n > 2) {
		f32x16 acc[8] = {};
		for (int k = 0; k < n; k++) {
			step(acc, p, k);
		}
		sink(q, acc);
	} else {
		whole<false>(q, p, n);
	}
}
BOUND(256) __global__ void goes_round(float *q, const float *p, const int *live, int n)
{
	f32x16 acc[8] = {};
	for (int h = 0; h < n; h++) {
		for (int k = 0; k < n; k++) {
			if (live[k] != 0) {
				step(acc, p + h, k);
			}
		}
	}
	sink(q, acc);
}
template __global__ void masked<8>(float *, const float *, const int *, int);
