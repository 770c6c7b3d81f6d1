// A function that a header defines is not split: only the file that is rewritten is written.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist -o %t.hip -- -nogpuinc -I %S/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

#include "step.h"

// CHECK: 64 chained VGPRs in elsewhere: kept as it is
// CHECK: hoist{{.*}}: not legal (clause 22): 'step' cannot be split: it is defined in another file
__global__ void elsewhere(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		step<true>(acc, p);
	} else {
		step<false>(acc, p);
	}
	p[0] = acc.v[c];
}
