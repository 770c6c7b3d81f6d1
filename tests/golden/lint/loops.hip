// More shapes of loops, arms and accumulators: one finding each, and which strategies it has.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in |(hoist|fuse|sequentialize|split) applies' %t.txt | sed -e 's/ crosses.*//' -e 's/ applies.*/ applies/' \
// RUN:   | %FileCheck %s --match-full-lines

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
__device__ inline void up(f32x4 (&v)[16], float x)
{
	for (int i = 0; i < 16; i++) {
		v[i] += x;
	}
}

// do/while.
// CHECK: {{.*}}:[[#@LINE+8]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: note: in in_do
// CHECK-NEXT: note: sequentialize applies
__global__ void in_do(float *p, int n)
{
	f32x4 acc[16] = {};
	int k = 0;
	do {
		if (k & 1) {
			up(acc, p[k]);
		} else {
			up(acc, p[k] * 2);
		}
	} while (++k < n);
	p[0] = acc[1].x;
}

// range-for in the arms.
// CHECK-NEXT: {{.*}}:[[#@LINE+8]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: note: in range_for
// CHECK-NEXT: note: sequentialize applies
// CHECK-NEXT: note: split applies
__global__ void range_for(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (c) {
			for (f32x4 &a : acc) {
				a += p[k];
			}
		} else {
			for (auto &a : acc) {
				a -= p[k];
			}
		}
	}
	p[0] = acc[1].x;
}

// A merge inside a range-for.
// CHECK-NEXT: {{.*}}:[[#@LINE+8]]:4: warning: 'acc' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: note: in range_body
// CHECK-NEXT: note: sequentialize applies
__global__ void range_body(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		for (f32x4 &a : acc) {
			if (c) {
				a += p[k];
			} else {
				a -= p[k];
			}
		}
	}
	p[0] = acc[1].x;
}

// A conditional expression for each element.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:15: warning: 'acc' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: note: in ternary
__global__ void ternary(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 16; i++) {
			acc[i] = c ? acc[i] + p[k] : acc[i] * p[k];
		}
	}
	p[0] = acc[1].x;
}

// Unrolled by hand, without a macro.
// CHECK-NEXT: {{.*}}:[[#@LINE+9]]:3: warning: 'acc0' (f32x4, 4 VGPRs per lane (64 with the others))
// CHECK-NEXT: note: in by_hand
// CHECK-NEXT: note: sequentialize applies
// CHECK-NEXT: note: split applies
__global__ void by_hand(float *p, int n, int c)
{
	f32x4 acc0 = {}, acc1 = {}, acc2 = {}, acc3 = {}, acc4 = {}, acc5 = {}, acc6 = {}, acc7 = {};
	f32x4 acc8 = {}, acc9 = {}, acc10 = {}, acc11 = {}, acc12 = {}, acc13 = {}, acc14 = {}, acc15 = {};
	for (int k = 0; k < n; k++) {
		if (c) {
			acc0 += p[k]; acc1 += p[k]; acc2 += p[k]; acc3 += p[k];
			acc4 += p[k]; acc5 += p[k]; acc6 += p[k]; acc7 += p[k];
			acc8 += p[k]; acc9 += p[k]; acc10 += p[k]; acc11 += p[k];
			acc12 += p[k]; acc13 += p[k]; acc14 += p[k]; acc15 += p[k];
		} else {
			acc0 -= p[k]; acc1 -= p[k]; acc2 -= p[k]; acc3 -= p[k];
			acc4 -= p[k]; acc5 -= p[k]; acc6 -= p[k]; acc7 -= p[k];
			acc8 -= p[k]; acc9 -= p[k]; acc10 -= p[k]; acc11 -= p[k];
			acc12 -= p[k]; acc13 -= p[k]; acc14 -= p[k]; acc15 -= p[k];
		}
	}
	p[0] = (acc0 + acc1 + acc2 + acc3 + acc4 + acc5 + acc6 + acc7 + acc8 + acc9 + acc10 + acc11 + acc12 + acc13 + acc14 + acc15).x;
}

// Operators that take and give structs.
// CHECK-NEXT: {{.*}}:[[#@LINE+13]]:3: warning: 'acc' (frag, 64 VGPRs per lane)
// CHECK-NEXT: note: in overloads
// CHECK-NEXT: note: sequentialize applies
struct frag {
	f32x4 v[16];
	__device__ friend frag operator+(frag a, const frag &b) { for (int i = 0; i < 16; i++) { a.v[i] += b.v[i]; } return a; }
	__device__ friend frag operator*(frag a, float b) { for (int i = 0; i < 16; i++) { a.v[i] *= b; } return a; }
};
__global__ void overloads(float *p, int n, int c)
{
	frag acc = {}, x = {};
	x.v[3] += p[1];
	for (int k = 0; k < n; k++) {
		if (c) {
			acc = acc + x;
		} else {
			acc = acc * p[k];
		}
	}
	p[0] = acc.v[1].x;
}

// By a pointer to the elements' elements.
// CHECK-NEXT: {{.*}}:[[#@LINE+9]]:3: warning: 'acc' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: note: in scalar_pointer
// CHECK-NEXT: note: sequentialize applies
// CHECK-NEXT: note: split applies
__global__ void scalar_pointer(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	float *flat = reinterpret_cast<float *>(acc);
	for (int k = 0; k < n; k++) {
		if (c) {
			for (int i = 0; i < 64; i++) {
				flat[i] += p[k];
			}
		} else {
			for (int i = 0; i < 64; i++) {
				flat[i] -= p[k];
			}
		}
	}
	p[0] = acc[1].x;
}

// By a reference to the array.
// CHECK-NEXT: {{.*}}:[[#@LINE+11]]:3: warning: 'own' (f32x4[16], 64 VGPRs per lane)
// CHECK-NEXT: note: in reference
// CHECK-NEXT: note: hoist applies
// CHECK-NEXT: note: fuse applies
// CHECK-NEXT: note: sequentialize applies
// CHECK-NEXT: note: split applies
__global__ void reference(float *p, int n, int c)
{
	f32x4 own[16] = {};
	f32x4 (&acc)[16] = own;
	for (int k = 0; k < n; k++) {
		if (c) {
			up(acc, p[k]);
		} else {
			up(acc, -p[k]);
		}
	}
	p[0] = own[1].x;
}

// goto: no structure, no finding.
__global__ void with_goto(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (c) goto other;
		up(acc, p[k]);
		goto done;
	other:
		up(acc, -p[k]);
	done:;
	}
	p[0] = acc[1].x;
}
// CHECK-NOT: warning:
