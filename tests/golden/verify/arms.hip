// Arms that no case drives are warned of, by the line that the merge begins in.
//
// REQUIRES: compiler
// RUN: rm -rf %t && mkdir %t && cp %s %t/arms.hip
// RUN: %verify %t/arms.hip %t/arms.hip --spec %S/Inputs/arms.verify.yaml > %t/out 2> %t/err
// RUN: %FileCheck %s < %t/err
// CHECK: warning: arm 2 of {{.*}}arms.hip:30 never ran
// CHECK-NEXT: warning: arm 3 of {{.*}}arms.hip:35 never ran
// CHECK-NEXT: warning: arm 1 of {{.*}}arms.hip:46 never ran
// CHECK-NEXT: warning: arm 3 of {{.*}}arms.hip:46 never ran
// CHECK-NEXT: note: no case runs them
// CHECK-NOT: never ran
// RUN: %verify %t/arms.hip %t/arms.hip --spec %S/Inputs/arms.verify.yaml --format json -q \
// RUN:   2> %t/err | %FileCheck %s --check-prefix JSON
// JSON: "never_ran": [
// JSON-NEXT: {
// JSON-NEXT: "file": "{{.*}}arms.hip",
// JSON-NEXT: "line": 30,
// JSON-NEXT: "arm": 2

#include <hip/hip_runtime.h>

#define IS_SMALL(x) ((x) < 4)

template <bool WIDE> __device__ int scaled(int x)
{
	if constexpr (WIDE) {
		x += x > 2 ? 1 : 0;
	}
	if (x >= 0)
		x *= 2;
	for (int i = 0; i < 2; i++)
		if (x == i)
			return -1;
	if (int d = x - 1; IS_SMALL(d)) {
		return d;
	} else if (x < 100) {
		return x;
	} else {
		return 0;
	}
}

__device__ int named(int x)
{
	switch (x & 3) {
	case 3: {
		return 5;
	}
	case 0:
	case 1:
		if (bool odd = x & 1) {
			return odd;
		}
		return 7;
	case 2 ? 2 : 9:
		return 8;
	}
	return 9;
}

__global__ void arms(int *out)
{
	const int i = threadIdx.x;
	out[i] = scaled<true>(i) + scaled<false>(i) + named(i % 2);
}

// What goes with the operands of an asm has no arms.
__device__ void gone(int x)
{
	asm volatile("" ::"v"(({ if (x) { x++; } x; })));
}

// Not launched by any case: nothing is said of it.
__global__ void other(int *out, int n)
{
	if (n > 3) {
		out[0] = n;
	}
}
