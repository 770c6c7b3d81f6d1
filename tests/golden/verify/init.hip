// A first spec: its sizes and fills are found by launching, so that every arm runs. Records are filled
// member by member, with buffers for their pointers; a launch in the unit gives what is constant of it.
//
// REQUIRES: compiler
// RUN: rm -rf %t && mkdir %t && cp %s %t/k.hip
// RUN: %unphi verify --init %t/k.hip --target gfx90a --time-limit 90 2> %t/err
// RUN: %FileCheck %s < %t/k.verify.yaml
// RUN: %FileCheck %s --check-prefix SAID < %t/err
// SAID: warning: arm 1 of {{.*}}k.hip:[[#NEVER:]] never ran in {{[0-9]+}} launches of never
// SAID-NOT: never ran
// SAID: note: {{.*}}k.verify.yaml: {{[0-9]+}} cases for 6 kernels, found in {{[0-9]+}} launches
// RUN: %unphi verify %t/k.hip %t/k.hip > %t/out 2> %t/warned
// RUN: %FileCheck %s --check-prefix RUNS < %t/out
// RUNS-NOT: {{unknown|broken|unequal}}
// RUN: grep -c 'never ran' %t/warned | grep -x 1

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));

enum class mode { plain, scaled };

struct size {
	int rows;
	int cols;
};

struct view {
	const float *at;
	size shape;
};

namespace mine
{
template <int N>
__global__ void copy(float *to, const f32x4 *from, const int *order, size s, mode m, bool all, int4 at)
{
	to[threadIdx.x] = from[0][N] + order[0] + s.rows + (m == mode::scaled) + all + at.x;
}
} // namespace mine

// Conditions on members, on sums of shapes and sizes, on both of two.
__global__ void tile(view a, float *out, int n)
{
	const int row = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
	const bool inside = (int)(blockIdx.x + 1) * 128 <= a.shape.rows && a.shape.cols % 16 == 5;
	if (row >= a.shape.rows) {
		return;
	}
	if (inside) {
		out[row] = a.at[row * a.shape.cols];
	} else {
		out[row] += 1;
	}
	if (blockIdx.y + 1 == gridDim.y && n > 700) {
		out[row] *= 2;
	}
}

// A switch over an argument, and conditions on what is loaded.
__global__ void by_kind(const int *kind, const float *x, float *y, unsigned m)
{
	const int i = threadIdx.x;
	switch (m) {
	case 11:
		y[i] = 1;
		break;
	case 4:
	case 5:
		y[i] = 2;
		break;
	default:
		y[i] = 3;
	}
	if (kind[i] == 77) {
		y[i] = x[i];
	} else if (x[i] > 30.0f) {
		y[i] = 4;
	}
}

// What no braces make: a constructor, private members, and an enumeration of which no case is 0.
enum class step { half = 3, twice = 7 };

class range {
	int first, behind;
	float *to;

public:
	__host__ __device__ range(float *p, int a, int b) : first(a), behind(b), to(p)
	{
	}
	__device__ void fill(step s) const
	{
		for (int i = first; i < behind; i++) {
			to[i] = s == step::half ? 0.5f : 2;
			if (s == step::twice) {
				to[i] += 1;
			}
		}
		if (first > behind) {
			to[0] = 5;
		}
	}
};

__global__ void filled(range r, step s)
{
	if (threadIdx.x == 0 && blockIdx.x + blockIdx.y == 0) {
		r.fill(s);
	}
}

__global__ void never(float *out)
{
	if (threadIdx.x > 5000) {
		out[0] = 1;
	}
	out[1] = 0;
}

__global__ void launched(float *out, int n)
{
	if ((int)threadIdx.x < n) {
		out[threadIdx.y * 32 + threadIdx.x] = 1;
	}
}

void run(float *to)
{
	mine::copy<3><<<1, 64>>>(to, nullptr, nullptr, size{1, 2}, mode::plain, true, int4{});
	const dim3 block(32, 4);
	launched<<<dim3(3), block>>>(to, 24);
}

// CHECK: targets: [gfx90a]
// CHECK-NEXT: kernels:
// CHECK: - kernel: "tile"
// CHECK: a_at: {type: f32, length: {{[0-9]+}}, fill: {random: [-1, 1], seed: 1}} # const float
// CHECK-NEXT: out: {type: f32, length: {{[0-9]+}}, fill: {random: [{{-1, 1|-8, 8}}], seed: 2}} # float
// CHECK: a: {at: a_at, shape: {rows: {{[0-9]+}}, cols: {{[0-9]+}}}}
// CHECK: - name: full
// CHECK-NEXT: - name: boundary
// CHECK: - kernel: "by_kind"
// CHECK: y: {type: f32, length: {{[0-9]+}}, fill: poison} # float
// CHECK-DAG: arguments: {m: 11}
// CHECK-DAG: arguments: {m: 4}
// CHECK: - kernel: "filled"
// CHECK-NOT: never ran
// CHECK: r: {bytes: [{{.*}}], at: {8: r_to}} # r.first at 0, r.behind at 4, r.to at 8
// CHECK-NEXT: s: step::half
// CHECK: s: step::twice
// CHECK: - kernel: "never"
// CHECK-NEXT: # arm 1 of k.hip:{{[0-9]+}} never ran
// CHECK: - kernel: "launched"
// CHECK: grid: 3
// CHECK-NEXT: block: [32, 4]
// CHECK: n: 24
// CHECK: - kernel: "mine::copy<3>"
// CHECK: from: {type: f32, length: {{[0-9]+}}, fill: {random: [-1, 1], seed: 2}} # const f32x4
// CHECK: s: {rows: {{[0-9]+}}, cols: {{[0-9]+}}}
// CHECK-NEXT: m: mode::plain
// CHECK-NEXT: all: true
// CHECK-NEXT: at: {bytes: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}

void elsewhere();
void host() { elsewhere(); }
