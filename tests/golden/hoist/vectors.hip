// A const vector in one arm and one that is not in the other have one type: clang writes the first
// as "float const __attribute__((ext_vector_type(4)))".
//
// RUN: %unphi rewrite --prefix unphi_ --no-comments %s --target gfx90a --strategy hoist --quiet -o %t.hip -- -nogpuinc
// RUN: %FileCheck %s < %t.hip
//
// CHECK: {{^	+}}const f32x4 [[NAME:unphi_[a-z]+]] = c > i ? from[i] : -from[1];
// CHECK-NEXT: {{^	+}}{
// CHECK-NEXT: {{^	+}}const f32x4 x = [[NAME]];
// CHECK-NEXT: {{^	+}}for (int j = 0; j < 16; j++) {

#define __global__ __attribute__((global))
typedef float f32x4 __attribute__((ext_vector_type(4)));

__global__ void vectors(float *p, const f32x4 *from, int n, int c)
{
	f32x4 acc[16];
	for (int j = 0; j < 16; j++) {
		acc[j] = from[j];
	}
	for (int i = 0; i < n; i++) {
		if (c > i) {
			const f32x4 x = from[i];
			for (int j = 0; j < 16; j++) {
				acc[j] -= x.yxwz;
			}
		} else {
			const f32x4 x = -from[1];
			for (int j = 0; j < 16; j++) {
				acc[j] -= x.yxwz;
			}
		}
	}
	for (int j = 0; j < 16; j++) {
		p[j] = acc[j].x;
	}
}
