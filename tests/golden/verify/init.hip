// A first spec from the parameters, which verify then takes as it is.
//
// REQUIRES: clang19
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.hip
// RUN: %unphi verify --init %t/k.hip --target gfx90a
// RUN: %FileCheck %s < %t/k.verify.yaml
// RUN: %exits 3 %unphi verify %t/k.hip %t/k.hip > %t/out
// RUN: %FileCheck %s --check-prefix RUNS < %t/out
// RUNS: unknown in_a_record: it runs, and shows nothing:
// RUNS-NEXT: the case has no buffers, so nothing is compared
// RUNS: 2 of 3 cases equal

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));

enum class mode { plain, scaled };

struct size {
	int rows;
	int cols;
};

namespace mine
{
template <int N>
__global__ void copy(float *to, const f32x4 *from, const int *order, size s, mode m, bool all)
{
	to[threadIdx.x] = from[0][N] + order[0] + s.rows + (m == mode::scaled) + all;
}
} // namespace mine

__global__ void touch(_Float16 *h, const unsigned char *bytes, int2 at, unsigned n)
{
	h[0] = n + bytes[0] + at.x;
}

// What its pointers point to is for the user to say.
struct view {
	float *to;
};
__global__ void in_a_record(view v)
{
	if (v.to) {
		v.to[0] = 1;
	}
}

void run(float *to)
{
	mine::copy<3><<<1, 64>>>(to, nullptr, nullptr, size{1, 2}, mode::plain, true);
}

// CHECK: targets: [gfx90a]
// CHECK-NEXT: kernels:
// CHECK-DAG: - kernel: "touch"
// CHECK-DAG: h: {type: f16, length: 4096, fill: poison} # _Float16
// CHECK-DAG: bytes: {type: u8, length: 4096, fill: zeros} # const unsigned char
// CHECK-DAG: at: {bytes: [0, 0, 0, 0, 0, 0, 0, 0]} # int2
// CHECK-DAG: - kernel: "mine::copy<3>"
// CHECK-DAG: to: {type: f32, length: 4096, fill: poison} # float
// CHECK-DAG: from: {type: f32, length: 4096, fill: {random: [-1, 1]}} # const f32x4
// CHECK-DAG: order: {type: i32, length: 4096, fill: zeros} # const int
// CHECK-DAG: s: {bytes: [0, 0, 0, 0, 0, 0, 0, 0]} # size
// CHECK-DAG: m: {bytes: [0, 0, 0, 0]} # mode
// CHECK-DAG: all: true
