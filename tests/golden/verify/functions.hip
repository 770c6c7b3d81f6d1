// Functions as the device has them: what differs there from its namesake differs on the CPU, too.
//
// RUN: sed "s/^#include.*/&\n#define OTHER/" %s > %t.other.hip
// RUN: %exits 3 %verify %s %t.other.hip --spec %S/Inputs/functions.verify.yaml > %t.txt
// RUN: %FileCheck %s < %t.txt
// CHECK: unequal  fmed: 9 of 128 values differ
// CHECK-NEXT: out[3]: 0xc3700000 (-240) before, 0x43700000 (240) after
// CHECK: unequal  saturated: 9 of 128 values differ
// CHECK-NEXT: out[3]: 0x7fc00000 (nan) before, 0x00000000 (0) after
// CHECK: unequal  exponential: 18 of
// CHECK: unequal  sine:
// CHECK: unequal  logarithm:
// CHECK: unequal  root:
// CHECK: unknown  beyond: the original does not run:
// CHECK-NEXT: error: results depend on the version of HIP, which decides what a lane beyond the width reads: {{.*}}functions.hip:{{[0-9]+}}: __shfl reads lane 32 of 32
// CHECK-NEXT: equal    beyond_unused
// CHECK-NEXT: equal    fraction
#include <hip/hip_runtime.h>
#ifdef OTHER
#define A(a, b) b
#else
#define A(a, b) a
#endif
#define KERNEL(name, a, b)                                                                         \
	__global__ void name(const float *in, float *out)                                          \
	{                                                                                          \
		int t = threadIdx.x;                                                               \
		out[t] = A(a, b);                                                                  \
	}
KERNEL(fmed, __builtin_amdgcn_fmed3f(in[t], 240.f, -240.f), fmaxf(fminf(in[t], 240.f), -240.f))
KERNEL(saturated, __saturatef(in[t]), fminf(fmaxf(in[t], 0.f), 1.f))
KERNEL(exponential, expf(in[t] * 0.1f), __expf(in[t] * 0.1f))
KERNEL(sine, sinf(in[t] * 0.1f), __sinf(in[t] * 0.1f))
KERNEL(logarithm, logf(fabsf(in[t]) + 0.3f), __logf(fabsf(in[t]) + 0.3f))
KERNEL(root, rsqrtf(fabsf(in[t]) + t), 1.0f / sqrtf(fabsf(in[t]) + t))
KERNEL(beyond, __shfl(in[t], t + 5, 32), __shfl(in[t], (t + 5) & 31, 32))
__global__ void beyond_unused(const float *in, float *out)
{
	int t = threadIdx.x;
	float x = __shfl(in[t], t % 32 + 1, 32);
	out[t] = t % 32 < 31 ? x : 0;
}
KERNEL(fraction, __builtin_amdgcn_fractf(in[t]), in[t] - floorf(in[t]))
