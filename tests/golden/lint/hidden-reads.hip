// A loop over all elements is no whole overwrite where something reads them under another name, or where
// the elements' own operator= leaves a part: an arm goes on from the value before.
//
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: grep -E 'warning:|note: in ' %t.txt | %FileCheck %s

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

// CHECK: [[#@LINE+7]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else as 64 phis: 2 of 2 arms write it, and 2 read the value from before
// CHECK-NEXT: note: in captured
__global__ void captured(float *out, const float *b, int n)
{
	float acc[64] = {};
	auto get = [&](int i) { return acc[i] * 2 + b[i]; };
	for (int q = 0; q < n; q++) {
		if (q & 1) {
			for (int i = 0; i < 64; i++) {
				acc[i] = get(i);
			}
		} else {
			for (int i = 0; i < 64; i++) {
				acc[i] = get(63 - i) + 1;
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}

// CHECK-NEXT: [[#@LINE+8]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else as 64 phis: 2 of 2 arms write it, and 2 read the value from before
// CHECK-NEXT: note: in other_names
__global__ void other_names(float *out, const float *b, int n)
{
	float acc[64] = {};
	float (&r)[64] = acc;
	float *p = acc;
	for (int q = 0; q < n; q++) {
		if (q & 1) {
			for (int i = 0; i < 64; i++) {
				acc[i] = r[i] + b[i];
			}
		} else {
			for (int i = 0; i < 64; i++) {
				acc[i] = b[i];
				out[i] += p[63 - i];
			}
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}

static __device__ void copy(float (&to)[64], const float (&from)[64], float x)
{
	for (int i = 0; i < 64; i++) {
		to[i] = from[63 - i] + x;
	}
}

// CHECK-NEXT: [[#@LINE+7]]:3: warning: 'acc' (float[64], 64 VGPRs per lane) crosses this if/else as 64 phis: 2 of 2 arms write it, and 2 read the value from before
// CHECK-NEXT: note: in by_call
__global__ void by_call(float *out, const float *b, int n)
{
	float acc[64] = {};
	float (&r)[64] = acc;
	for (int q = 0; q < n; q++) {
		if (q & 1) {
			copy(acc, r, b[q]);
		} else {
			copy(acc, acc, 1);
		}
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}

struct part {
	float x, y;
	__device__ part &operator=(float v)
	{
		x = v;
		return *this;
	}
};

// CHECK-NEXT: [[#@LINE+6]]:3: warning: 'acc' (part[32], 64 VGPRs per lane) crosses this if/else as 32 phis: 2 of 2 arms write it, and 2 read the value from before
// CHECK-NEXT: note: in of_a_part
__global__ void of_a_part(float *out, const float *b, int n)
{
	part acc[32] = {};
	for (int q = 0; q < n; q++) {
		if (q & 1) {
			for (int i = 0; i < 32; i++) {
				acc[i] = b[i];
			}
			for (int i = 0; i < 32; i++) {
				acc[i].y += b[i + 1];
			}
		} else {
			for (int i = 0; i < 32; i++) {
				acc[i] = b[i + 2];
			}
			for (int i = 0; i < 32; i++) {
				acc[i].y += b[i + 3] * 2;
			}
		}
	}
	for (int i = 0; i < 32; i++) {
		out[i] = acc[i].x + acc[i].y;
	}
}
