// if/else whose condition is laundered: parentheses around all of the condition go with it.
//
// REQUIRES: compiler
// RUN: %unphi rewrite --verbose --target gfx90a --threshold 16 --compiler %compiler %s \
// RUN:   -o %t.new -- -nogpuinc -nogpulib >%t.report
// RUN: %FileCheck --input-file=%t.report %s
// CHECK-NOT: did not compile
// CHECK: launder (uniform, if/else kept)
// CHECK-NOT: did not compile

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f4 __attribute__((ext_vector_type(4)));

__global__ void k(f4 *out, const f4 *in, int n, int s)
{
	f4 acc[8];
	for (int i = 0; i < 8; ++i) {
		acc[i] = in[i];
	}
	for (int t = 0; t < n; ++t) {
		if ((((t < s) || /* either */ s == 3))) {
			for (int i = 0; i < 8; ++i) {
				acc[i] = acc[i] / in[i + t];
			}
		} else if ((t == 7)) {
			for (int i = 0; i < 8; ++i) {
				acc[i] += in[i + 8];
			}
		} else {
			for (int i = 0; i < 8; ++i) {
				acc[i] -= in[i + t];
			}
		}
	}
	for (int i = 0; i < 8; ++i) {
		out[i] = acc[i];
	}
}
