// Rewrites that are wrong, at least one for each clause: with WRONG defined, a kernel is what its
// strategy would make of it without that clause. verify must find other bits, or that it does not
// run, in every one. A kernel's name is STRATEGY_CLAUSE_..., or STRATEGY_... for what holds by
// construction. ../verify.py joins these files, this one first, and demands a kernel for each
// clause that a strategy's file lists; unseen.txt names those that cannot have one.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int N = 8;

__device__ void load(float (&acc)[N], const float *in)
{
	for (int i = 0; i < N; ++i) {
		acc[i] = in[i * 64 + threadIdx.x];
	}
}

__device__ void store(float *out, const float (&acc)[N])
{
	for (int i = 0; i < N; ++i) {
		out[i * 64 + threadIdx.x] = acc[i];
	}
}

__device__ void add(float (&acc)[N], float x)
{
	for (int i = 0; i < N; ++i) {
		acc[i] += x * (float)(i + 1);
	}
}

// The compiler knows nothing of it, so it cannot put the call where its result is used.
__device__ __attribute__((noinline, optnone)) float read(const float *from)
{
	return *from;
}
