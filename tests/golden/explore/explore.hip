// REQUIRES: hipcc
//
// Every combination of settings; one that does not compile is shown as such, and is no failure.
// RUN: %unphi explore %s --target gfx90a -D WIDTH=8,64,0 -D STEPS=2 --report %t.txt
// RUN: %FileCheck %s < %t.txt
// CHECK: kernel target WIDTH STEPS VGPRs acc spills scratch waves bytes/flop best
// CHECK-NEXT: sum gfx90a 8 2 {{[0-9]+}} 0 0 0 8 2.0000 *
// CHECK-NEXT: sum gfx90a 64 2 {{[0-9]+}} 0 0 0 {{[0-9]}} 2.0000 -
// CHECK-NEXT: (does not compile) gfx90a 0 2
//
// RUN: %exits 3 %unphi explore %s --target gfx90a -D WIDTH=0 2>&1 | %FileCheck %s --check-prefix NONE
// NONE: error: {{.*}}explore.hip: no combination compiles:
//
// RUN: %exits 2 %unphi explore %s --target gfx90a 2>&1 | %FileCheck %s --check-prefix NOTHING
// NOTHING: error: there is nothing to explore: give -D NAME=VALUE,VALUE...
// RUN: %exits 2 %unphi explore %s --target gfx90a -D WIDTH 2>&1 | %FileCheck %s --check-prefix VALUE
// VALUE: error: option -D: 'WIDTH' is not NAME=VALUE,VALUE...
#include <hip/hip_runtime.h>
static_assert(WIDTH > 0, "a width");
__global__ void __launch_bounds__(256) sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
	float s[WIDTH];
	for (int i = 0; i < WIDTH; ++i) s[i] = 0;
	for (int k = 0; k < n * STEPS; ++k) {
		for (int i = 0; i < WIDTH; ++i) {
			s[i] += x[(k * WIDTH + i) * 256 + threadIdx.x] * s[i];
		}
	}
	for (int i = 0; i < WIDTH; ++i) y[i * 256 + threadIdx.x] = s[i];
}
