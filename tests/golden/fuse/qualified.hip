// A name behind a qualifier keeps it.
//
// RUN: %unphi rewrite --prefix unphi_ --no-comments --strategy fuse --threshold 1 --target gfx90a --quiet %s -o %t.fuse.hip -- -nogpuinc
// RUN: %verify %s %t.fuse.hip --spec %S/qualified.verify.yaml -- -nogpuinc > %t.fuse.txt
// RUN: grep -x "  2 of 2 cases equal" %t.fuse.txt
// RUN: %FileCheck %s < %t.fuse.hip

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

namespace ns {
enum { a = 3, b = 5 };
}
enum class strong : short { A = 3, B = 7 };

// Here a and b are others.
// CHECK-LABEL: void hidden(
// CHECK: unphi_taken{{[0-9]*}} ? ns::a : ns::b
__global__ void hidden(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	int a = 100, b = 200;
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += ns::a * in[i & 7];
		} else {
			for (int i = 0; i < 16; i++) acc[i] += ns::b * in[i & 7];
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i] + a + b;
}

// CHECK-LABEL: void scoped(
// CHECK: ? strong::A
__global__ void scoped(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int t = 0; t < n; t++) {
		if (in[t] > 0.0f) {
			for (int i = 0; i < 16; i++) acc[i] += (float)(short)strong::A;
		} else {
			for (int i = 0; i < 16; i++) acc[i] += (float)(short)strong::B;
		}
	}
	for (int i = 0; i < 16; i++) out[i] = acc[i];
}
