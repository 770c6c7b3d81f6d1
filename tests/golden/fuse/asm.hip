// Inputs of inline asm that differ become one where a vector register takes them, and nowhere else:
// of a value that differs per lane a scalar register holds that of one lane, and a constant is no
// variable.
//
// RUN: %unphi rewrite --verbose --strategy fuse --threshold 1 --target gfx90a %s -o %t.hip -- -nogpuinc > %t.said
// RUN: %FileCheck %s < %t.hip
// RUN: %FileCheck --check-prefix=SAID %s < %t.said
// RUN: %compiler -x hip -nogpuinc -nogpulib --offload-arch=gfx90a --offload-device-only -S %t.hip -o /dev/null
// REQUIRES: compiler

// CHECK-LABEL: void vector(
// CHECK: : "v"(taken
// CHECK-NEXT: ? k
// CHECK-NEXT: : c), "v"(p[k]));
// SAID: VGPRs in vector
// SAID-NEXT: fuse (plain): kept: forced
__attribute__((global)) void vector(float *p, int n, int c)
{
	float acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			for (int i = 0; i < 16; i++) {
				asm volatile("v_fma_f32 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(k), "v"(p[k]));
			}
		} else {
			for (int i = 0; i < 16; i++) {
				asm volatile("v_fma_f32 %0, %1, %2, %0" : "+v"(acc[i]) : "v"(c), "v"(p[k]));
			}
		}
	}
	for (int i = 0; i < 16; i++) {
		p[i] = acc[i];
	}
}

// SAID: VGPRs in scalar
// SAID-NEXT: fuse: not legal (clause 7): the arms differ where they write the accumulator: '"s"(k)' against '"s"(c)'
__attribute__((global)) void scalar(float *p, int n, int c)
{
	float acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			for (int i = 0; i < 16; i++) {
				asm volatile("v_fma_f32 %0, %1, %2, %0" : "+v"(acc[i]) : "s"(k), "v"(p[k]));
			}
		} else {
			for (int i = 0; i < 16; i++) {
				asm volatile("v_fma_f32 %0, %1, %2, %0" : "+v"(acc[i]) : "s"(c), "v"(p[k]));
			}
		}
	}
	for (int i = 0; i < 16; i++) {
		p[i] = acc[i];
	}
}

// SAID: VGPRs in constant
// SAID-NEXT: fuse: not legal (clause 7): the arms differ where they write the accumulator: '"i"(1)' against '"i"(2)'
__attribute__((global)) void constant(float *p, int n, int c)
{
	float acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (k < c) {
			for (int i = 0; i < 16; i++) {
				asm volatile("v_fma_f32 %0, %2, %1, %0" : "+v"(acc[i]) : "i"(1), "v"(p[k]));
			}
		} else {
			for (int i = 0; i < 16; i++) {
				asm volatile("v_fma_f32 %0, %2, %1, %0" : "+v"(acc[i]) : "i"(2), "v"(p[k]));
			}
		}
	}
	for (int i = 0; i < 16; i++) {
		p[i] = acc[i];
	}
}
