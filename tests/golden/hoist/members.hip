// Arithmetic that arms differ in twice, beside a member of the object at hand, which is named
// without it: a node that has no child.
//
// RUN: %unphi rewrite --strategy hoist --threshold 1 --target gfx90a %s -o %t.hip -- -nogpuinc
// RUN: %FileCheck %s < %t.hip
#define __device__ __attribute__((device))

// CHECK: const int operand{{[0-9]*}} = taken{{[0-9]*}} ? n : c;
// CHECK-NEXT: const int arm_operand{{[0-9]*}} = taken{{[0-9]*}} ? 3 : 7;
// CHECK-NEXT: for (int i = 0; i < 16; i++) {
// CHECK-NEXT: acc[i] += p[(at + operand{{[0-9]*}}) & arm_operand{{[0-9]*}}];
struct tile {
	int at;
	float acc[16];
	__device__ void step(const float *p, int n, int c)
	{
		if (c > 3) {
			for (int i = 0; i < 16; i++) {
				acc[i] += p[(at + n) & 3];
			}
		} else {
			for (int i = 0; i < 16; i++) {
				acc[i] += p[(at + c) & 7];
			}
		}
	}
};

__attribute__((global)) void kernel(float *p, int n, int c)
{
	tile t = {};
	for (int k = 0; k < n; k++) {
		t.step(p, k, c);
	}
	for (int i = 0; i < 16; i++) {
		p[i] = t.acc[i];
	}
}
