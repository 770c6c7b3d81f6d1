// Where code behind the loop has the name of its variable, the second loop has a variable of its own,
// which begins where the first loop ended; where that cannot be written so, both stand in a block.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy split --quiet -o %t.hip -- -nogpuinc
// RUN: %verify %s %t.hip --spec %S/second.verify.yaml -- -nogpuinc | grep -x '  30 of 30 cases equal'
// RUN: %FileCheck %s < %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) t.v[i] += x;
}

__device__ inline void turn(tile &t, float x)
{
	for (int i = 0; i < 64; i++) t.v[i] = x - t.v[i];
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) p[i] = t.v[i];
}

// CHECK-LABEL: void falls(
// CHECK: for (int i = 0; i < n && i < c; ++i) {
// CHECK: for (int i = c > 0 ? c : 0; i < n; ++i) {
__global__ void falls(float *p, int n, int c)
{
	tile acc = {};
	for (int i = 0; i < n; ++i) {
		if (i < c) {
			add(acc, i);
		} else {
			turn(acc, i);
		}
	}
	store(p, acc);
	for (int i = 0; i < 64; i++) p[i] += i;
}

// CHECK-LABEL: void rises(
// CHECK: for (long i = 2; i <= n && c > i; i++)
// CHECK-NEXT: turn(acc, i);
// CHECK-NEXT: for (long i = c > 2 ? c : 2; i <= n; i++)
// CHECK-NEXT: add(acc, i);
__global__ void rises(float *p, int n, long c)
{
	tile acc = {};
	for (long i = 2; i <= n; i++)
		if (c <= i)
			add(acc, i);
		else
			turn(acc, i);
	store(p, acc);
	for (int i = 0; i < 64; i++) p[i] += i;
}

// CHECK-LABEL: void is_unsigned(
// CHECK: for (unsigned i = c; i < n; ++i) {
__global__ void is_unsigned(float *p, unsigned n, const unsigned c)
{
	tile acc = {};
	for (unsigned i = 0; i < n; ++i) {
		if (i < c) {
			add(acc, i);
		} else {
			turn(acc, i);
		}
	}
	store(p, acc);
	for (int i = 0; i < 64; i++) p[i] += i;
}

// In steps, up to a bound that is passed over, of another type.
// CHECK-LABEL: void steps(
// CHECK: {{^}}	{{{$}}
// CHECK-NEXT: int i = 0;
// CHECK-LABEL: void unequal(
// CHECK: {{^}}	{{{$}}
// CHECK-NEXT: int i = 0;
// CHECK-LABEL: void narrow(
// CHECK: {{^}}	{{{$}}
// CHECK-NEXT: int i = 0;
__global__ void steps(float *p, int n, int c)
{
	tile acc = {};
	for (int i = 0; i < n; i += 2) {
		if (i < c) {
			add(acc, i);
		} else {
			turn(acc, i);
		}
	}
	store(p, acc);
	for (int i = 0; i < 64; i++) p[i] += i;
}

__global__ void unequal(float *p, int n, int c)
{
	tile acc = {};
	for (int i = 0; i != n; ++i) {
		if (i < c) {
			add(acc, i);
		} else {
			turn(acc, i);
		}
	}
	store(p, acc);
	for (int i = 0; i < 64; i++) p[i] += i;
}

__global__ void narrow(float *p, int n, long c)
{
	tile acc = {};
	for (int i = 0; i < n; ++i) {
		if (i < c) {
			add(acc, i);
		} else {
			turn(acc, i);
		}
	}
	store(p, acc);
	for (int i = 0; i < 64; i++) p[i] += i;
}
