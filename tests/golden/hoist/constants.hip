// A constant is what it is, whatever stands before it: no code that cannot be seen through changes it.
//
// RUN: %unphi rewrite --prefix unphi_ --no-comments %s --target gfx90a --strategy hoist -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ void opaque(float *p);

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
}

// CHECK-LABEL: void literal(
// CHECK: const int unphi_{{[a-z0-9]*}} = c ? 1 : 2;
// CHECK-NEXT: opaque(p);
// CHECK-NEXT: add(acc, unphi_
__global__ void literal(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 3; q++) {
		if (c) {
			opaque(p);
			add(acc, 1);
		} else {
			opaque(p);
			add(acc, 2);
		}
	}
	p[0] = acc.v[c];
}

// What it may change is read where it was.
// CHECK-LABEL: void memory(
// CHECK: opaque(p);
// CHECK-NEXT: add(acc, p[unphi_
__global__ void memory(float *p, int c)
{
	tile acc = {};
	for (int q = 0; q < 3; q++) {
		if (c) {
			opaque(p);
			add(acc, p[1]);
		} else {
			opaque(p);
			add(acc, p[2]);
		}
	}
	p[0] = acc.v[c];
}
