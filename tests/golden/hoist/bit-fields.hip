// A bit-field is calculated with as an int where that holds all its values; a variable of its type is not.
//
// RUN: %unphi rewrite --strategy hoist --threshold 1 --target gfx90a --quiet %s -o %t.hoist.hip -- -nogpuinc
// RUN: %unphi rewrite --strategy fuse --threshold 1 --target gfx90a --quiet %s -o %t.fuse.hip -- -nogpuinc
// RUN: %FileCheck %s < %t.hoist.hip
// RUN: %verify %s %t.hoist.hip %t.fuse.hip --spec %S/bit-fields.verify.yaml -- -nogpuinc > %t.txt
// RUN: grep -xc "  5 of 5 cases equal" %t.txt | grep -x 2

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

struct bits {
	unsigned b : 3;
	unsigned c : 5;
};
__device__ float kind(int x) { return 1.0f; }
__device__ float kind(unsigned x) { return 2.0f; }

// CHECK-LABEL: void minus(
// CHECK: ? s.b - 8 : s.c - 16;
__global__ void minus(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	bits s = {5u, 9u};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += (s.b - 8) * 0.5f;
		} else {
			for (int i = 0; i < 16; i++) acc[i] += (s.c - 16) * 0.5f;
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void compare(
// CHECK: ? s.b > -1 : s.c > -1;
__global__ void compare(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	bits s = {5u, 9u};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += (s.b > -1 ? 1.0f : 2.0f);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += (s.c > -1 ? 1.0f : 2.0f);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void promoted(
// CHECK: ? +s.b : +s.c;
__global__ void promoted(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	bits s = {5u, 9u};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += kind(+s.b);
		} else {
			for (int i = 0; i < 16; i++) acc[i] += kind(+s.c);
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void after_comma(
__global__ void after_comma(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	bits s = {5u, 9u};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += ((n, s.b) - 8) * 0.5f;
		} else {
			for (int i = 0; i < 16; i++) acc[i] += ((t, s.c) - 16) * 0.5f;
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void in_loop(
__global__ void in_loop(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	bits s = {5u, 9u};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += (s.b - i) * in[i & 7];
		} else {
			for (int i = 0; i < 16; i++) acc[i] += (s.c - i) * in[i & 7];
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}
