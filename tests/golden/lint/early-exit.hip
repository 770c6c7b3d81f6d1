// Exits before wide compute: notes where some compiler was seen to keep a copy of the accumulator for each
// way (doc/shapes.md), and nothing where none does.
//
// RUN: %unphi lint --verbose %s --target gfx90a -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: ' %t.txt | grep -v 'note: next' | sed 's/: the compiler.*//' | %FileCheck %s --match-full-lines
// RUN: %unphi lint --verbose %s --target gfx90a --checks=-unphi-early-exit -- -nogpuinc | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
__device__ inline void step(f32x4 (&v)[16], float x)
{
	for (int i = 0; i < 16; i++) {
		v[i] += x;
	}
}

// Two ways out: the data's and the loop's.
// CHECK: {{.*}}:[[#@LINE+7]]:3: note: 'acc' (f32x4[16], 64 VGPRs per lane) leaves this loop here, before it is computed, and elsewhere
// CHECK-NEXT: note: in by_data
// CHECK-NEXT: note: no strategy applies{{.*}}
__global__ void by_data(float *p, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (p[k] == 0) {
			break;
		}
		step(acc, p[k]);
	}
	p[0] = acc[1].x;
}

// In a loop that is unrolled; of an accumulator of the caller's.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:4: note: 'acc' (f32x4[16], 64 VGPRs per lane) leaves this loop here, {{.*}}
// CHECK-NEXT: note: in unrolled
// CHECK-NEXT: note: no strategy applies{{.*}}
__device__ void unrolled(f32x4 (&acc)[16], const float *p, int n)
{
	for (int k0 = 0; k0 < n; k0 += 4) {
		for (int k = 0; k < 4; k++) {
			if (k0 + k >= n)
				break;
			step(acc, p[k0 + k]);
		}
	}
}

// The iteration goes on without it; several accumulators.
// CHECK-NEXT: {{.*}}:[[#@LINE+7]]:3: note: '{{x|y}}' (f32x4[16], 64 VGPRs per lane (128 with the others)) continues from here without being computed, and from the end of the loop
// CHECK-NEXT: note: in passed_by
// CHECK-NEXT: note: no strategy applies{{.*}}
__global__ void passed_by(float *p, int n)
{
	f32x4 x[16] = {}, y[16] = {};
	while (n--) {
		if (p[n] < 0) {
			p[n] = 0;
			continue;
		}
		step(x, p[n]);
		step(y, p[n]);
	}
	p[0] = x[1].x + y[2].y;
	unrolled(x, p, n);
	p[1] = x[1].x;
}

// Computed before and behind it: the first break goes into the bound, the second one cannot.
// CHECK-NEXT: {{.*}}:[[#@LINE+11]]:3: note: 'acc' (f32x4[16], 64 VGPRs per lane) leaves this loop here, {{.*}}
// CHECK-NEXT: note: in twice
// CHECK-NEXT: note: no strategy applies{{.*}}
__global__ void twice(float *p, int n, int m)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k += 2) {
		if (k >= m) {
			break;
		}
		step(acc, p[k]);
		if (k + 1 >= m) {
			break;
		}
		step(acc, p[k + 1]);
	}
	p[0] = acc[1].x;
}

// ---- none ----
// CHECK-NOT: note:

// The only way out; behind the compute; into the bound.
__global__ void harmless(float *p, int n, int m)
{
	f32x4 acc[16] = {};
	for (int k = 0;; k++) {
		p[k] = 1;
		if (p[k + 1] == 0) {
			break;
		}
		step(acc, p[k]);
	}
	for (int k = 0; k < n; k++) {
		step(acc, p[k]);
		if (p[k] == 0) {
			break;
		}
	}
	for (int k = 0; k < n; k++) {
		if (k >= m) {
			break;
		}
		step(acc, p[k]);
	}
	p[0] = acc[1].x;
}

// Nothing wide goes on: elements, narrow, started anew, never read.
__global__ void narrow(float *p, int n, int m)
{
	float acc[64] = {}, few[8] = {};
	f32x4 own[16], unread[16] = {};
	for (int i = 0; i < 64; i++) {
		if (p[i] == 0) {
			break;
		}
		acc[i] += p[i];
	}
	for (int k = 0; k < n; k++) {
		if (p[k] == 0) {
			continue;
		}
		for (float &f : few) {
			f += p[k];
		}
		for (f32x4 &f : own) {
			f = p[k];
		}
		step(own, 1);
		p[k] = own[n & 15].x;
	}
	for (int k = 0; k < n; k++) {
		if (p[k] == 1) {
			break;
		}
		step(unread, p[k]);
	}
	p[0] = acc[m] + few[m];
}
