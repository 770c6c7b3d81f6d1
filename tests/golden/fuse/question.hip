// A ?: of two computes on an accumulator: the operand is chosen, and the compute stands once.
//
// RUN: %unphi rewrite --no-comments %s --target gfx90a --strategy fuse -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: %verify %s %t.hip --spec %S/question.verify.yaml | grep -x '  12 of 12 cases equal'

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));

struct tile {
	float v[64];
};

__device__ inline tile next(tile t, float x, float y)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = (t.v[i] + x) / y;
	}
	return t;
}

__device__ inline void step(tile &t, const float *from, int k)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / from[k] + (float)k;
	}
}

__device__ inline f32x4 mma(float a, float b, f32x4 c)
{
	return c / a + b;
}

// CHECK-LABEL: {{^}}__global__ void whole(
// CHECK: {{^}}		acc = next(acc, p[k < c ? k : k + 1], k < c ? 3 : 4);
__global__ void whole(float *p, int n, int c)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		acc = k < c ? next(acc, p[k], 3) : next(acc, p[k + 1], 4);
	}
	p[64] = acc.v[c & 63];
}

// CHECK-LABEL: {{^}}__global__ void by_reference(
// CHECK: {{^}}		step(acc, odd ? p : p + 8, k);
// CHECK-NEXT: {{^}}		step(acc, odd ? p : p + 8, k);
__global__ void by_reference(float *p, int n, int c)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		const bool odd = k & 1 && c;
		odd ? step(acc, p, k) : step(acc, p + 8, k);
		(odd) ? (step(acc, p, k)) : (step(acc, p + 8, k));
	}
	p[64] = acc.v[c & 63];
}

// CHECK-LABEL: {{^}}__global__ void elements(
// CHECK: {{^}}			acc[i] = mma(p[k], c ? x : y, acc[i]);
__global__ void elements(float *p, int n, int c)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		const float x = p[k + 1], y = p[k + 2];
		for (int i = 0; i < 16; i++) {
			acc[i] = c ? mma(p[k], x, acc[i]) : mma(p[k], y, acc[i]);
		}
	}
	for (int i = 0; i < 16; i++) {
		p[64 + i] = acc[i].x;
	}
}
