// A line comment that goes on in the next line (backslash) stays whole, wherever it comes to stand:
// without its second line it would swallow the code behind it.
//
// RUN: printf '\357\273\277' | cat - %s > %t.bom.hip
// RUN: for s in "split:in runs" sequentialize hoist; do \
// RUN:   %unphi rewrite --strategy "$s" --threshold 1 --target gfx90a --quiet %t.bom.hip -o %t.hip -- -nogpuinc || exit 1; \
// RUN:   grep -v '^//' %t.hip; \
// RUN:   %verify %t.bom.hip %t.hip --spec %S/continued.verify.yaml -- -nogpuinc | grep -x "  1 of 1 cases equal" || exit 1; \
// RUN: done > %t.txt
// RUN: %FileCheck %s < %t.txt

#define __device__ __attribute__((device))
#define __global__ __attribute__((global))

typedef float f32x4 __attribute__((ext_vector_type(4)));

__device__ inline void step(f32x4 *acc, float x)
{
	for (int i = 0; i < 16; i++) {
		acc[i] = acc[i] * 0.5f + x;
	}
}

// CHECK: for (; k < n && in[k & 7] > 0.0f;
// CHECK: // one \
// CHECK-NEXT: two
// CHECK-NEXT: step(acc, in[k & 7]);
// CHECK: // three \
// CHECK-NEXT: four
// CHECK-NEXT: step(acc, 2.0f);
// CHECK: // one \
// CHECK-NEXT: two
// CHECK-NEXT: const bool taken
// CHECK: step(acc, in[k & 7]); // three \
// CHECK-NEXT: four
// CHECK-NEXT: }
// CHECK: // one \
// CHECK-NEXT: two
// CHECK: const float x{{[0-9]*}} = in[k & 7] > 0.0f ? in[k & 7] : 2.0f;
__global__ void continued(f32x4 *out, const float *in, int n)
{
	f32x4 acc[16] = {};
	for (int k = 0; k < n; k++) {
		if (in[k & 7] > 0.0f) // one \
			two
			step(acc, in[k & 7]); // three \
			four
		else
			step(acc, 2.0f); // five
	}
	for (int i = 0; i < 16; i++) {
		out[i] = acc[i];
	}
}
