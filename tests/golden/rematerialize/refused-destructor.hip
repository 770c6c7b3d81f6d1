// A destructor writes what would be loaded again, and no text shows where.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy rematerialize -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s --match-full-lines < %t.txt
// RUN: cmp %s %t.hip
//
// CHECK: {{.*}}refused-destructor.hip: 1 fragment that loops only read, 0 loaded again

#include <hip/hip_runtime.h>

struct writer {
	float *to;
	__device__ ~writer() { to[threadIdx.x] = 7; }
};

// CHECK: {{.*}}: 'q', 8 VGPRs in destructor: kept as it is: {{.*}}
// CHECK-NEXT:  rematerialize: not legal (clause 5): '*data' is loaded, and what begins in line {{[0-9]+}} may write it
__global__ void destructor(float *data, float *__restrict__ out, int n)
{
	float sum = 0;
	float q[8];
	for (int i = 0; i < 8; ++i) {
		q[i] = data[i * 64 + threadIdx.x];
	}
	for (int k = 0; k < n; ++k) {
		writer w = {data};
		for (int i = 0; i < 8; ++i) {
			sum += q[i];
		}
	}
	out[threadIdx.x] = sum;
}
