// What cannot be guarded ifs is refused by the clause of the form that asks for them, and not by the
// number that the same condition has for sequentialize.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:split-fenced -o %t.hip -- -nogpuinc -ffp-contract=off | %FileCheck %s --check-prefix FENCED
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy sequentialize -o %t.hip -- -nogpuinc | %FileCheck %s --check-prefix SEQUENTIALIZE
// FENCED: hoist: not legal (clause 32): a later condition of the chain declares a variable
// SEQUENTIALIZE: sequentialize: not legal (clause 4): a later condition of the chain declares a variable

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f32x4 __attribute__((ext_vector_type(4)));
template <bool F> __device__ void step(f32x4 (&acc)[32], const f32x4 *from, int n)
{
	const float x = from[F ? 0 : n].x;
	for (int i = 0; i < 32; ++i) {
		acc[i] += from[i] * x;
	}
}
__global__ void k(f32x4 *out, const f32x4 *from, int n)
{
	f32x4 acc[32] = {};
	for (int t = 0; t < n; ++t) {
		if (t & 1) {
			step<true>(acc, from, t);
		} else if (int m = n & 2) {
			step<false>(acc, from, m);
		} else {
			step<false>(acc, from, 3);
		}
	}
	for (int i = 0; i < 32; ++i) {
		out[i] = acc[i];
	}
}
