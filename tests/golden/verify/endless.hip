// A file that loops much longer than the original gets an answer within seconds: the limit of instructions is a hundred times theirs.
//
// REQUIRES: compiler
// RUN: sed 's/define STEP 1/define STEP 2/' %s > %t.other.hip
// RUN: %exits 3 %unphi verify %s %t.other.hip --on isa --spec %S/Inputs/endless.verify.yaml --compiler %compiler | %FileCheck %s
// CHECK:      unknown k: the machine code is not run:
// CHECK-NEXT: group 0,0,0 wave 0: the wave has run {{1[0-9]+}} instructions, the limit
#include <hip/hip_runtime.h>
#define STEP 1

__global__ void k(float *out, const float *in, int n)
{
	float sum = 0;
	for (int i = 0; i != n; i += STEP) {
		sum += in[(threadIdx.x + i) & 63];
	}
	out[threadIdx.x] = sum;
}
