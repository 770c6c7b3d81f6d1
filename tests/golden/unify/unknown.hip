// Products of numbers that no instance knows round alike after unify, also where they depend on what differs (from_memory,
// later, element), and so do those of constants that share the place of a macro (macro). A number that only some instances
// know does not (some).
//
// RUN: %unphi rewrite %s --target gfx90a --strategy unify -o %t.hip -- -nogpuinc > %t.txt
// RUN: %FileCheck %s < %t.txt
//
// CHECK: 5 merges at or over the threshold, 4 rewritten
// CHECK: unify (plain): {{.*}} in from_memory
// CHECK: unify (plain): {{.*}} in later
// CHECK: unify (plain): {{.*}} in element
// CHECK: unify (plain): {{.*}} in macro
// CHECK: in some: kept as it is: 's * 0.1f' may be a rounded constant in an arm

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
typedef float f4 __attribute__((ext_vector_type(4)));
#define EITHER(x) ((x) > 2 ? 3 : 5)


template <bool First> __device__ void from_memory_step(f4 (&acc)[16], const float *b, float q)
{
	float s = First ? b[1] : b[2];
	for (int i = 0; i < 16; i++) {
		acc[i][0] += q * (s * 0.1f + b[i]);
	}
}

__global__ void from_memory(const float *b, f4 *out, int n)
{
	f4 acc[16] = {};
	if (n > 2) {
		from_memory_step<true>(acc, b, b[n]);
	} else {
		from_memory_step<false>(acc, b, b[n]);
	}
	for (int i = 0; i < 16; i++) {
		out[i] = acc[i];
	}
}

template <bool First> __device__ void later_step(f4 (&acc)[16], const float *b, float q)
{
	float s = 3;
	s = First ? b[1] : b[2];
	for (int i = 0; i < 16; i++) {
		acc[i][0] += q * (s * 0.1f + b[i]);
	}
}

__global__ void later(const float *b, f4 *out, int n)
{
	f4 acc[16] = {};
	if (n > 2) {
		later_step<true>(acc, b, b[n]);
	} else {
		later_step<false>(acc, b, b[n]);
	}
	for (int i = 0; i < 16; i++) {
		out[i] = acc[i];
	}
}

template <bool First> __device__ void element_step(f4 (&acc)[16], const float *b)
{
	for (int i = 0; i < 16; i++) {
		acc[i][0] += First ? b[i] : b[i + 1];
	}
}

__global__ void element(const float *b, f4 *out, int n)
{
	f4 acc[16] = {};
	if (n > 2) {
		element_step<true>(acc, b);
	} else {
		element_step<false>(acc, b);
	}
	float sum = 0;
	for (int i = 0; i < 16; i++) {
		sum = sum * 3 + acc[i][0] * 0.3f;
		out[i] = acc[i] + sum;
	}
}

template <bool First> __device__ void macro_step(f4 (&acc)[16], const float *b, int n, float q)
{
	const float s = EITHER(n);
	for (int i = 0; i < 16; i++) {
		acc[i][0] += q * (s * 0.1f + b[i]);
		acc[i][1] += First ? b[1] : b[2];
	}
}

__global__ void macro(const float *b, f4 *out, int n)
{
	f4 acc[16] = {};
	if (n > 2) {
		macro_step<true>(acc, b, n, b[n]);
	} else {
		macro_step<false>(acc, b, n, b[n]);
	}
	for (int i = 0; i < 16; i++) {
		out[i] = acc[i];
	}
}

template <bool First> __device__ void some_step(f4 (&acc)[16], const float *b, float q)
{
	float s = 3;
	if (First) {
		s = b[1];
	}
	for (int i = 0; i < 16; i++) {
		acc[i][0] += q * (s * 0.1f + b[i]);
	}
}

__global__ void some(const float *b, f4 *out, int n)
{
	f4 acc[16] = {};
	if (n > 2) {
		some_step<true>(acc, b, b[n]);
	} else {
		some_step<false>(acc, b, b[n]);
	}
	for (int i = 0; i < 16; i++) {
		out[i] = acc[i];
	}
}
