// Two loops in the place of one whose condition changes more than once: the file stays as it is.
// tests/exec/mutate.py switches the clause off. What is refused of other forms is in once.hip.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy "split:two loops" -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}: 5 merges at or over the threshold, 0 rewritten

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

__device__ inline void turn(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = x - t.v[i];
	}
}

// CHECK: {{.*}} VGPRs in wraps: {{.*}}
// CHECK-NEXT:  split: not legal (clause 10): the condition is not proved to change only once: its arithmetic may wrap around
__global__ void wraps(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (unsigned k = u; k < u + 5; k++) {
		if (k + 4 <= 0xfffffffeu) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in negative: {{.*}}
// CHECK-NEXT:  split: not legal (clause 10): the condition is not proved to change only once: a conversion in it may wrap around
__global__ void negative(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = -4; k < n; k++) {
		if (k < u) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in in_the_middle: {{.*}}
// CHECK-NEXT:  split: not legal (clause 10): the condition is not proved to change only once: it may be equal in the middle of the loop
__global__ void in_the_middle(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k == c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in mixed: {{.*}}
// CHECK-NEXT:  split: not legal (clause 10): the condition is not proved to change only once: one part of it falls while another rises
__global__ void mixed(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k > c && k < n - 16) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} VGPRs in bits: {{.*}}
// CHECK-NEXT:  split: not legal (clause 10): the condition is not proved to change only once: it is more than comparisons with the loop's variable
__global__ void bits(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k & 16) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}
