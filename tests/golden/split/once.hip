// Two loops where the condition is proved to change once; else loops in runs, and why.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy split -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --input-file=%t.txt
//
// Where signed overflow is defined, nothing is proved of what an addition may wrap.
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy split -o %t.hip -- -nogpuinc -fwrapv > %t.txt
// RUN: %FileCheck %s --input-file=%t.txt --check-prefix=WRAP
// WRAP: in below
// WRAP-NEXT: not legal (clause 10): {{.*}} may wrap around
// WRAP-NEXT: split (in runs): kept

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

// CHECK: in below
// CHECK-NEXT: split (two loops): kept
__global__ void below(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k + 16 <= n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in flag_too
// CHECK-NEXT: split (two loops): kept
__global__ void flag_too(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (inside && k + 16 <= n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in either
// CHECK-NEXT: split (two loops): kept
__global__ void either(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (!(k < c) || k > 3 + c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in products
// CHECK-NEXT: split (two loops): kept
__global__ void products(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (n - k * 3 / 2 >= c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in down
// CHECK-NEXT: split (two loops): kept
__global__ void down(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = n; k >= 0; --k) {
		if (k + 2 > c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in first
// CHECK-NEXT: split (two loops): kept
__global__ void first(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = c; k < n; k += 2) {
		if (k == c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in not_last
// CHECK-NEXT: split (two loops): kept
__global__ void not_last(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k != n - 1) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in last_of_all
// CHECK-NEXT: split (two loops): kept
__global__ void last_of_all(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k <= n; k++) {
		if (k == n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in next_is_last
// CHECK-NEXT: split (two loops): kept
__global__ void next_is_last(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n - 1; k++) {
		if (k + 2 == n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in whole_numbers
// CHECK-NEXT: split (two loops): kept
__global__ void whole_numbers(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (unsigned k = 0; k < u; k++) {
		if (k < 7u) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in wide_enough
// CHECK-NEXT: split (two loops): kept
__global__ void wide_enough(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (unsigned long k = 0; k < u; k += 16) {
		if (k + 16 <= u) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in not_negative
// CHECK-NEXT: split (two loops): kept
__global__ void not_negative(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k + 16u <= u) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in expected
// CHECK-NEXT: split (two loops): kept
__global__ void expected(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (__builtin_expect(k < c, 1)) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in never_changes
// CHECK-NEXT: split (two loops): kept
__global__ void never_changes(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (c > 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in unsigned_step
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: the loop's variable may wrap around, or is written elsewhere
// CHECK-NEXT: split (in runs): kept
__global__ void unsigned_step(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (unsigned k = 0; k < u; k += 16) {
		if (k + 16 <= u) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in unsigned_sum
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: its arithmetic may wrap around
// CHECK-NEXT: split (in runs): kept
__global__ void unsigned_sum(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (unsigned k = 0; k < u; k++) {
		if (k + 16 <= u) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in negative
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: a conversion in it may wrap around
// CHECK-NEXT: split (in runs): kept
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

// CHECK: in narrow
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: the loop's variable may wrap around, or is written elsewhere
// CHECK-NEXT: split (in runs): kept
__global__ void narrow(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (short k = 0; k < n; k++) {
		if (k < c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in unknown_step
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it depends on something that changes
// CHECK-NEXT: split (in runs): kept
__global__ void unknown_step(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += c) {
		if (k < 9) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in unsigned_by
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it depends on something that changes
// CHECK-NEXT: split (in runs): kept
__global__ void unsigned_by(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16u) {
		if (k < 9) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in in_the_middle
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it may be equal in the middle of the loop
// CHECK-NEXT: split (in runs): kept
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

// CHECK: in steps_over
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it may be equal in the middle of the loop
// CHECK-NEXT: split (in runs): kept
__global__ void steps_over(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 2) {
		if (k + c == n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in mixed
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: one part of it falls while another rises
// CHECK-NEXT: split (in runs): kept
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

// CHECK: in bits
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it is more than comparisons with the loop's variable
// CHECK-NEXT: split (in runs): kept
__global__ void bits(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k & 32) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in by_factor
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: the sign of a factor is not known
// CHECK-NEXT: split (in runs): kept
__global__ void by_factor(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k * c < n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in shifted
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: a conversion in it may wrap around
// CHECK-NEXT: split (in runs): kept
__global__ void shifted(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k << 3 < n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in memory
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it compares something else than integers
// CHECK-NEXT: split (in runs): kept
__global__ void memory(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k < p[1]) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in others
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: it depends on something that changes
// CHECK-NEXT: split (in runs): kept
__global__ void others(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k < q[1]) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in square
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: the sign of a factor is not known
// CHECK-NEXT: split (in runs): kept
__global__ void square(float *p, const int *q, int n, int c, unsigned u, bool inside)
{
	tile acc = {};
	for (int k = 0; k < n; k += 16) {
		if (k * k < n) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
	}
	p[0] = acc.v[n];
}

// CHECK: in elsewhere
// CHECK-NEXT: split: not legal (clause 10): the condition is not proved to change only once: the loop's variable may wrap around, or is written elsewhere
// CHECK-NEXT: split (in runs): kept
__global__ void elsewhere(float *p, int n, int c)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		if (p[k] > 4) {
			k -= 2;
		}
	}
	p[0] = acc.v[n];
}
