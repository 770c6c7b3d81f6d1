// A file with errors is linted as far as that is sound: what the compiler could not read is left out,
// what calls it knows nothing of it. It is never rewritten. Exit code 3 either way.
//
// RUN: %exits 3 %unphi lint %s --target gfx90a,gfx942 -- -nogpuinc -std=c++17 > %t.txt 2>&1
// RUN: grep -E 'error:|warning:' %t.txt | %FileCheck %s --match-full-lines
// RUN: cp %s %t.hip
// RUN: %exits 3 %unphi rewrite %t.hip --fix --strategy sequentialize --target gfx90a -- -nogpuinc -std=c++17 > %t.txt 2>&1
// RUN: grep -c 'does not parse' %t.txt && cmp %s %t.hip
//
// CHECK: unphi: error: {{.*}}: does not parse as HIP (2 errors); compile it first, or give its flags after --:
// CHECK-NEXT: {{.*}}: error: use of undeclared identifier 'undeclared'
// CHECK-NEXT: {{.*}}: error: unknown type name 'missing'

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

#define MERGE                                                                                      \
	if (c) {                                                                                   \
		for (auto &e : acc) e += 1;                                                                       \
	} else {                                                                                   \
		for (auto &e : acc) e -= 1;                                                                       \
	}

__global__ void sound(float *p, int c)
{
	float acc[64] = {};
	// CHECK-NEXT: {{.*}}:[[#@LINE+1]]:2: warning: 'acc' (float[64], 64 VGPRs per lane) crosses {{.*}}
	MERGE
	p[0] = acc[1];
}

__global__ void unsound(float *p, int c)
{
	float acc[64] = {};
	MERGE
	undeclared(acc);
	p[0] = acc[1];
}

__device__ void helper(float (&acc)[64], int c)
{
	missing m;
	MERGE
}

// CHECK-NOT: warning:
__global__ void caller(float *p, int c)
{
	float acc[64] = {};
	helper(acc, c);
	p[0] = acc[1];
}
