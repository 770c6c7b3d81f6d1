// An argument is chosen in its place, on a line that begins with it where one is too long, be it a
// constant that a matrix operation multiplies. What the arms declare needs no block where nothing
// around it has the names.
//
// RUN: %unphi rewrite %s --target gfx90a --strategy fuse --threshold 1 --quiet -o %t.hip -- -nogpuinc
// RUN: %verify %s %t.hip --spec %S/argument.verify.yaml -- -nogpuinc | grep -x '  4 of 4 cases equal'
// RUN: %FileCheck %s < %t.hip

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

// CHECK-LABEL: void zero(
// CHECK: for (int t = 0; t < n; t++) {
// CHECK-NEXT: // One body
// CHECK-NEXT: const bool taken = t >= bound;
// CHECK-NEXT: for (int i = 0; i < 16; i++) {
// CHECK-NEXT: acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(in[t & 7],
// CHECK-NEXT: taken ? 0.0f : in[(t + i) & 7], acc[i], 0, 0, 0);
// CHECK-NEXT: }
__global__ void zero(f32x4 *out, const float *in, int n, int bound)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (t >= bound) {
			for (int i = 0; i < 16; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(in[t & 7], 0.0f, acc[i], 0, 0, 0);
			}
		} else {
			for (int i = 0; i < 16; i++) {
				acc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(in[t & 7], in[(t + i) & 7], acc[i], 0, 0, 0);
			}
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}

// CHECK-LABEL: void beside(
// CHECK: // One body
// CHECK-NEXT: const bool taken = t >= bound;
// CHECK-NEXT: float x[4];
// CHECK: for (int t = 0; t < n; t++) {
// CHECK: // One body
// CHECK-NEXT: {
// CHECK-NEXT: const bool taken2 = t >= bound;
// CHECK-NEXT: float x[4];
__global__ void beside(f32x4 *out, const float *in, int n, int bound)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (t >= bound) {
			float x[4];
			for (int i = 0; i < 4; i++) x[i] = in[i];
			for (int i = 0; i < 16; i++) acc[i] += x[i & 3];
		} else {
			float x[4];
			for (int i = 0; i < 4; i++) x[i] = in[t & 7];
			for (int i = 0; i < 16; i++) acc[i] += x[i & 3];
		}
	}
	for (int t = 0; t < n; t++) {
		const float x = in[t & 7];
		acc[0] += x;
		if (t >= bound) {
			float x[4];
			for (int i = 0; i < 4; i++) x[i] = in[i];
			for (int i = 0; i < 16; i++) acc[i] += x[i & 3];
		} else {
			float x[4];
			for (int i = 0; i < 4; i++) x[i] = in[t & 7];
			for (int i = 0; i < 16; i++) acc[i] += x[i & 3];
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}
