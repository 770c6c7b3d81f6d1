// Paths without an arm: the one body stands under an if.
//
// RUN: %unphi rewrite --prefix unphi_ --no-comments %s --target gfx90a --strategy fuse -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.hip
// RUN: grep -q ': 9 merges at or over the threshold, 9 rewritten$' %t.txt
// RUN: %verify %s %t.hip --no-races --spec %S/partial.verify.yaml | grep -x '  28 of 28 cases equal'
//
// REQUIRES: compiler

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

// CHECK-LABEL: void chain(
// CHECK: const int unphi_arm{{[0-9]*}} = c == 1 ? 0 : c == 3 ? 1 : -1;
// CHECK-NEXT: if (unphi_arm{{[0-9]*}} >= 0) {
// CHECK-NEXT: add(acc, p[unphi_arm{{[0-9]*}} == 0 ? 1 : 2]);
// CHECK-NEXT: if (unphi_arm{{[0-9]*}} == 0) {
// CHECK-NEXT: n++;
// CHECK-NEXT: }
// CHECK-NEXT: }
__global__ void chain(float *p, int c)
{
	tile acc = {};
	int n = 0;
	for (int q = 0; q < 3; q++, c++) {
		if (c == 1) {
			add(acc, p[1]);
			n++;
		} else if (c == 3) {
			add(acc, p[2]);
		}
	}
	p[threadIdx.x] = acc.v[c] + n;
}

// The arms are equal: nothing is chosen.
// CHECK-LABEL: void equal(
// CHECK: if (unphi_arm{{[0-9]*}} >= 0) {
// CHECK-NEXT: add(acc, p[1]);
// CHECK-NEXT: }
__global__ void equal(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 3; q++) {
		if (c + q == 1) {
			add(acc, p[1]);
		} else if (q == 2) {
			add(acc, p[1]);
		}
	}
	p[threadIdx.x] = acc.v[c];
}

// CHECK-LABEL: void choose(
// CHECK: const int unphi_arm = c == 1 ? 0 : c == 7 ? 1 : -1;
__global__ void choose(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 2; q++, c++)
		switch (c) {
		case 1:
			add(acc, p[1]);
			break;
		case 7:
			add(acc, p[2]);
			break;
		case 3:
			break;
		}
	p[threadIdx.x] = acc.v[c];
}

// An if without else is all that an arm holds.
// CHECK-LABEL: void inner(
// CHECK: = c > 2 ? (p[c] > 1.5f ? 0 : -1) : 1;
__global__ void inner(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 3; q++, c++) {
		if (c > 2) {
			if (p[c] > 1.5f) {
				add(acc, p[c]);
			}
		} else {
			add(acc, p[2]);
		}
	}
	p[threadIdx.x] = acc.v[c];
}

// Lanes part.
// CHECK-LABEL: void lanes(
__global__ void lanes(float *p, int c)
{
	tile acc = {};
	const int lane = threadIdx.x;
	for (int q = 0; q < 3; q++) {
		if (lane + q < c) {
			float s = p[lane];
			s = s > 1.5f ? s : 2;
			add(acc, s);
		} else if (lane & 1) {
			add(acc, p[c]);
		}
	}
	p[lane] = acc.v[c];
}

// Its header declares.
// CHECK-LABEL: void header(
__global__ void header(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 3; q++) {
		if (int d = c + q; d == 3) {
			add(acc, p[d]);
		} else if (d & 1) {
			add(acc, p[d + 1]);
		}
	}
	p[threadIdx.x] = acc.v[c];
}

// The last arm does nothing, or is never come to: that is none.
// CHECK-LABEL: void never(
// CHECK: = (c & 1) == 0 ? 0 : (c & 1) == 1 ? 1 : -1;
// CHECK: add(acc, p[{{.*}} == 0 ? 3 : 4]);
__global__ void never(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 3; q++, c++) {
		if ((c & 1) == 0) {
			add(acc, p[1]);
		} else if ((c & 1) == 1) {
			add(acc, p[2]);
		} else {
			__builtin_unreachable();
		}
		if (c == 2) {
			add(acc, p[1]);
		} else if (c == 3) {
			add(acc, p[2]);
		} else {
		}
		switch (c & 1) {
		case 0:
			add(acc, p[3]);
			break;
		case 1:
			add(acc, p[4]);
			break;
		default:
			__builtin_unreachable();
		}
	}
	p[threadIdx.x] = acc.v[c];
}
