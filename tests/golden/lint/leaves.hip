// An if whose arm leaves by continue or return, and what follows it: two arms that meet where the
// first one leads. They cost what an if/else costs (tests/golden/measured/leaves.test), so they are findings.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --checks=-unphi-early-exit -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in |rewrite tries|next iteration|to the caller' %t.txt | %FileCheck %s --match-full-lines
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --format json --quiet -- -nogpuinc | grep -c '"rule": *"unphi-phi-explosion"' | grep -qx 3
// rewrite writes what follows the if into an else, and strategies apply; where none does the text stays.
// RUN: %unphi rewrite %s --target gfx90a --strategy sequentialize -o %t.hip -- -nogpuinc
// RUN: %FileCheck %s --check-prefix=REWRITTEN < %t.hip
// RUN: %unphi rewrite %s --target gfx90a --strategy predicate --diff -- -nogpuinc | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

__device__ inline void up(float (&v)[64], float x)
{
	for (int i = 0; i < 64; i++) {
		v[i] += x;
	}
}

// REWRITTEN: {{^}}__global__ void by_continue(
// REWRITTEN: {{^		}}const bool taken = k > 3;
// REWRITTEN-NEXT: {{^		}}if (taken) {
// REWRITTEN-NEXT: {{^			}}up(acc, p[k]);
// REWRITTEN-NEXT: {{^		}}}
// REWRITTEN-NEXT: {{^		}}__builtin_amdgcn_wave_barrier();
// REWRITTEN-NEXT: {{^		}}if (!taken) {
// REWRITTEN-NEXT: {{^			}}p[k] = 1;
// REWRITTEN-NEXT: {{^			}}up(acc, p[0]);
// REWRITTEN-NEXT: {{^		}}}
// REWRITTEN-NEXT: {{^	}}}
// REWRITTEN: {{^}}__device__ void by_return(
// REWRITTEN: {{^	}}if (!c) {
// REWRITTEN-NEXT: {{^		}}for (
// REWRITTEN-NEXT: {{^			}}acc[k] -= p[k];
// REWRITTEN-NEXT: {{^		}}}
// REWRITTEN-NEXT: {{^	}}}
// REWRITTEN-NEXT: {{^}}}
// CHECK: {{.*}}:[[#@LINE+8]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if that leaves by 'continue' as 64 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NEXT: note: in by_continue
// CHECK-NEXT: {{.*}}: note: 'acc' is read here after the merge, in the next iteration
// CHECK-NEXT: note: rewrite tries its strategies with the code after the if in an else
__global__ void by_continue(float *p, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (k > 3) {
			up(acc, p[k]);
			continue;
		}
		p[k] = 1;
		up(acc, p[0]);
	}
	p[0] = acc[1];
}

// CHECK-NEXT: {{.*}}:[[#@LINE+6]]:2: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if that leaves by 'return' as 64 phis: {{.*}}
// CHECK-NEXT: note: in by_return
// CHECK-NEXT: {{.*}}: note: 'acc' belongs to the caller
// CHECK-NEXT: note: rewrite tries {{.*}}
__device__ void by_return(float (&acc)[64], const float *p, int c)
{
	if (c) {
		up(acc, p[0]);
		return;
	}
	for (int k = 0; k < 64; k++) {
		acc[k] -= p[k];
	}
}

// Both leave, the same way.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if that leaves by 'continue' as 64 phis: {{.*}}
// CHECK-NEXT: note: in both
__global__ void both(float *p, int n)
{
	float acc[64] = {};
	by_return(acc, p, n);
	do {
		if (p[n] > 3) {
			up(acc, p[n]);
			continue;
		}
		up(acc, p[0]);
		continue;
	} while (--n);
	p[0] = acc[1];
}

// ---- none ----
// CHECK-NOT: warning:

// One arm computes, the other does not.
__global__ void one_arm(float *p, int n)
{
	float acc[64] = {};
	for (int k = 0; k < n; k++) {
		if (p[k] > 0) {
			p[k] = 1;
			continue;
		}
		up(acc, p[k]);
	}
	p[0] = acc[1];
}

// They lead elsewhere: out of the loop, and round it.
__global__ void apart(float *p, int n)
{
	float acc[64] = {};
	for (int k = 0;; k++) {
		if (p[k] > 0) {
			up(acc, p[k]);
			continue;
		}
		up(acc, p[0]);
		break;
	}
	p[0] = acc[1];
}

// What the arms made is not read where they meet.
__global__ void forgotten(float *p, int n)
{
	float acc[64];
	for (int k = 0; k < n; k++) {
		for (int i = 0; i < 64; i++) {
			acc[i] = p[i];
		}
		if (p[k] > 0) {
			up(acc, p[k]);
			p[k] = acc[k];
			continue;
		}
		up(acc, p[0]);
		p[k] = acc[0];
	}
}
