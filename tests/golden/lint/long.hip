// A kernel whose calls, inlined, are more than the ledger of registers follows: it says nothing of
// it, and the merge stays a warning.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a --checks=-*,unphi-phi-explosion,unphi-accumulator-lifetime \
// RUN:   -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|costs nothing|holds' %t.txt | %FileCheck %s

#define __device__ __attribute__((device))

__device__ inline void step(float *p, int n)
{
	if (n > 1) {
		p[n] += 1;
	} else {
		p[n] -= 1;
	}
}

#define TWICE(name, other) \
	__device__ inline void name(float *p, int n) \
	{ \
		if (p[n] > 1) { \
			other(p, n + 1); \
		} else { \
			other(p, n + 2); \
		} \
		other(p, n + 3); \
		other(p, n + 4); \
	}
TWICE(a, step)
TWICE(b, a)
TWICE(c, b)
TWICE(d, c)
TWICE(e, d)
TWICE(f, e)
TWICE(g, f)
TWICE(h, g)
TWICE(i, h)
TWICE(j, i)

// CHECK: long.hip:[[#@LINE+9]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else as 64 phis: 2 of 2 arms write it, and 2 read the value from before [unphi-phi-explosion]
// CHECK-NOT: {{.}}
__attribute__((global)) void kernel(float *p, int n)
{
	float acc[64];
	for (int k = 0; k < 64; k++) {
		acc[k] = p[k];
	}
	for (int t = 0; t < n; t++) {
		if (n > t + 3) {
			for (int k = 0; k < 64; k++) {
				acc[k] = acc[k] * p[t];
			}
		} else {
			for (int k = 0; k < 64; k++) {
				acc[k] = acc[k] - p[t];
			}
		}
	}
	j(p, n);
	for (int k = 0; k < 64; k++) {
		p[k] = acc[k];
	}
}
