// Every shape of a merge and of what leads around one.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in |next iteration' %t.txt | sed -E 's/ \((float|both).*\) crosses/ crosses/' \
// RUN:   | %FileCheck %s --match-full-lines

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

__device__ inline void up(float (&v)[64], float x)
{
	for (int i = 0; i < 64; i++) {
		v[i] += x;
	}
}

__device__ inline void up(float (&v)[32], float (&w)[32], float x)
{
	for (int i = 0; i < 32; i++) {
		v[i] += x;
		w[i] -= x;
	}
}

// CHECK: {{.*}}:[[#@LINE+5]]:2: warning: 'acc' crosses this else-if chain as 64 phis: 2 of 3 arms write it, and 2 read {{.*}}
// CHECK-NEXT: note: in chain_without_else
__global__ void chain_without_else(float *p, int c)
{
	float acc[64] = {};
	if (c == 1) {
		up(acc, 1);
	} else if (c == 2) {
		p[1] = 0;
	} else if (c == 3) {
		up(acc, 2);
	}
	p[0] = acc[3];
}

// Both the outer merge and the one inside it.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:2: warning: 'acc' crosses this if/else as 64 phis: 2 of 2 arms write it, and 2 read {{.*}}
// CHECK-NEXT: note: in nested
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' crosses this if/else as 64 phis: 2 of 2 arms write it, and 2 read {{.*}}
// CHECK-NEXT: note: in nested
__global__ void nested(float *p, int c, int d)
{
	float acc[64] = {};
	if (c) {
		up(acc, 1);
		if (d) {
			up(acc, 2);
		} else {
			up(acc, 3);
		}
	} else {
		up(acc, 4);
	}
	p[0] = acc[3];
}

// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' crosses this switch as 64 phis: 3 of 3 arms write it, and 3 read {{.*}}
// CHECK-NEXT: note: in switch_in_while
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:{{[0-9]+}}: note: 'acc' is read here after the merge, in the next iteration
__global__ void switch_in_while(float *p, int c)
{
	float acc[64] = {};
	while (c--) {
		switch (c & 3) {
		case 0:
			up(acc, 1);
			break;
		case 1:
		case 2:
			up(acc, 2);
			break;
		default:
			up(acc, 3);
		}
	}
	p[0] = acc[3];
}

// Named by a structured binding: what it is bound to, or the object without a name that it makes.
// CHECK-NEXT: {{.*}}:[[#@LINE+11]]:3: warning: 's' crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read {{.*}}
// CHECK-NEXT: note: in bound
// CHECK-NEXT: {{.*}}:[[#@LINE+10]]:{{[0-9]+}}: note: 's' is read here after the merge, in the next iteration
struct both {
	float v[32], w[32];
};
__global__ void bound(float *p, int n, int c)
{
	both s = {};
	auto &[v, w] = s;
	for (int k = 0; k < n; k++) {
		if (k < c) {
			for (auto &e : v) { e += p[k]; }
			for (auto &e : w) { e += p[k]; }
		} else {
			for (auto &e : v) { e -= p[k]; }
			for (auto &e : w) { e -= p[k]; }
		}
	}
	p[0] = s.v[3] + s.w[3];
}
// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: '[v, w]' crosses this if/else as 16 phis: 2 of 2 arms write it, and 2 read {{.*}}
// CHECK-NEXT: note: in bound_copy
__global__ void bound_copy(float *p, int n, int c)
{
	auto [v, w] = both{};
	if (c) {
		up(v, w, p[1]);
	} else {
		up(v, w, p[2]);
	}
	p[0] = v[3] + w[3];
}

// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:4: warning: 'acc' crosses this ?: as 64 phis: 2 of 2 arms write it, and 2 read {{.*}}
// CHECK-NEXT: note: in question
__global__ void question(float *p, int c)
{
	float acc[64] = {};
	c ? up(acc, 1) : up(acc, 2);
	p[0] = acc[3];
}

// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' crosses this if/else as 64 phis: {{.*}}
// CHECK-NEXT: note: in do_loop
// CHECK-NEXT: {{.*}}: note: 'acc' is read here after the merge, in the next iteration
__global__ void do_loop(float *p, int c)
{
	float acc[64] = {};
	do
		if (c & 1)
			up(acc, 1);
		else
			up(acc, 2);
	while (c--);
	p[0] = acc[3];
}

// An arm that leaves does not meet the others; two that stay do.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' crosses this else-if chain as 64 phis: 2 of 3 arms write it, and 3 read {{.*}}
// CHECK-NEXT: note: in one_leaves
// CHECK-NEXT: {{.*}}: note: 'acc' is read here after the merge, in the next iteration
__global__ void one_leaves(float *p, int c)
{
	float acc[64] = {};
	for (int *q = (int *)p; *q; q++) {
		if (c == 1) {
			up(acc, 1);
			break;
		} else if (c == *q) {
			up(acc, 2);
		} else {
			up(acc, 3);
		}
	}
	p[0] = acc[3];
}

// The use is in the loop around the loop.
// CHECK-NEXT: {{.*}}:[[#@LINE+8]]:4: warning: 'acc' crosses this if/else as 64 phis: {{.*}}
// CHECK-NEXT: note: in loops
// CHECK-NEXT: {{.*}}: note: 'acc' is read here after the merge, in the next iteration
__global__ void loops(float *p, int n, int c)
{
	float acc[64] = {}, steps[2] = {1, 2};
	for (int k = 0; k < n; k++) {
		for (float x : steps) {
			if (c > k) {
				up(acc, x);
			} else {
				up(acc, -x);
			}
		}
		p[k] = acc[3];
	}
}

// Started anew in one arm only.
// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: 'acc' crosses this if/else as 64 phis: 2 of 2 arms write it, and 1 reads the value from before [unphi-phi-explosion]
// CHECK-NEXT: note: in half_started
__global__ void half_started(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		for (int i = 0; i < 64; i++) {
			acc[i] = p[i];
		}
	} else {
		up(acc, 1);
	}
	p[0] = acc[3];
}

#define BRANCH(c)                                                                                  \
	if (c) {                                                                                   \
		up(acc, 1);                                                                        \
	} else {                                                                                   \
		up(acc, 2);                                                                        \
	}

// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:2: warning: 'acc' crosses this if/else as 64 phis: {{.*}}
// CHECK-NEXT: note: in macro
__global__ void macro(float *p, int c)
{
	float acc[64] = {};
	BRANCH(c)
	p[0] = acc[3];
}

// A goto may lead anywhere.
// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:2: warning: 'acc' crosses this if/else as 64 phis: {{.*}}
// CHECK-NEXT: note: in jumps
__global__ void jumps(float *p, int c)
{
	float acc[64] = {};
again:
	if (c) {
		up(acc, 1);
	} else {
		up(acc, 2);
	}
	if (c--) {
		goto again;
	}
	p[0] = 1;
}

// CHECK-NOT: {{.}}
