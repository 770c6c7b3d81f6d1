// What cannot be written twice and does not run on the CPU, and what is too long for it (clause 7).
//
// RUN: awk '/ LONG$/ { for (i = 0; i < 500; i++) print "// one more line of forty characters" } 1' %s > %t.in.hip
// RUN: %unphi rewrite --verbose %t.in.hip --target gfx90a --strategy split -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %t.in.hip %t.hip

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

// CHECK: {{.*}} in asm_label: {{.*}}
// CHECK-NEXT:  split: not legal (clause 7): the loop runs inline asm that has, or may have, a label: 'asm volatile("here: s_nop 0")'
__global__ void asm_label(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		asm volatile("here: s_nop 0");
	}
	p[0] = acc.v[n];
}

// CHECK: {{.*}} in long_body: {{.*}}
// CHECK-NEXT:  split: not legal (clause 7): more than 16384 bytes would be written twice
__global__ void long_body(float *p, int n)
{
	tile acc = {};
	for (int k = 0; k < n; k++) {
		if (k < 4) {
			add(acc, 1);
		} else {
			turn(acc, 2);
		}
		// LONG
	}
	p[0] = acc.v[n];
}
