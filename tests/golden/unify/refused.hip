// Each kernel violates one clause of unify: the report names it, and not a byte changes.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy unify -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

template <bool P> __device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : -x;
	}
}

// CHECK: 64 chained VGPRs in more
// CHECK-NEXT: unify: not legal (clause 1): an arm does more, or less, than to call a function
__global__ void more(float *p, int c)
{
	tile acc = {};
	if (c) {
		add<true>(acc, 1);
		p[2] = 1;
	} else {
		add<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in open
// CHECK-NEXT: unify: not legal (clause 1): on a path none of its arms is taken
__global__ void open(float *p, int c)
{
	tile acc = {};
	if (c == 1) {
		add<true>(acc, 1);
	} else if (c == 2) {
		add<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

#define CHOICE(c)                                                                                  \
	if (c) {                                                                                   \
		add<true>(acc, 1);                                                                 \
	} else {                                                                                   \
		add<false>(acc, 1);                                                                \
	}

// CHECK: 64 chained VGPRs in macro
// CHECK-NEXT: unify: not legal (clause 2): part of it comes from a macro, which is never edited
__global__ void macro(float *p, int c)
{
	tile acc = {};
	CHOICE(c)
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in arguments
// CHECK-NEXT: unify: not legal (clause 3): argument '1' is not the same in all arms
__global__ void arguments(float *p, int c)
{
	tile acc = {};
	if (c) {
		add<true>(acc, 1);
	} else {
		add<false>(acc, 2);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in effect
// CHECK-NEXT: unify: not legal (clause 4): 'c++ > 2' does more than to read
__global__ void effect(float *p, int c)
{
	tile acc = {};
	if (c++ > 2) {
		add<true>(acc, 1);
	} else {
		add<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

template <bool P, bool Q> __device__ inline void twice(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : Q ? 1 : -x;
	}
}

// CHECK: 64 chained VGPRs in asked
// CHECK-NEXT: unify: not legal (clause 4): 'p[1] > 0' would be asked twice, and reads memory
__global__ void asked(float *p, int c)
{
	tile acc = {};
	if (p[1] > 0) {
		twice<true, false>(acc, 1);
	} else {
		twice<false, true>(acc, 1);
	}
	p[0] = acc.v[c];
}

template <int N> __device__ inline void sized(tile &t, float x)
{
	float part[N] = {};
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + part[i % N];
	}
}

// CHECK: 64 chained VGPRs in length
// CHECK-NEXT: unify: not legal (clause 5): 'N' differs between the arms, and is needed at compile time
__global__ void length(float *p, int c)
{
	tile acc = {};
	if (c) {
		sized<2>(acc, 1);
	} else {
		sized<4>(acc, 1);
	}
	p[0] = acc.v[c];
}

template <bool P> __device__ inline void checked(tile &t, float x)
{
	static_assert(P || sizeof(x) == 4, "");
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? x : 1;
	}
}

// CHECK: 64 chained VGPRs in asserted
// CHECK-NEXT: unify: not legal (clause 5): 'P' differs between the arms, and is needed at compile time
__global__ void asserted(float *p, int c)
{
	tile acc = {};
	if (c) {
		checked<true>(acc, 1);
	} else {
		checked<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

template <bool P, typename T> __device__ inline void dead(tile &t, T x)
{
	for (int i = 0; i < 64; i++) {
		if constexpr (P || sizeof(T) == 4) {
			t.v[i] += P ? x : 1;
		} else {
			t.v[i] += x.missing;
		}
	}
}

// CHECK: 64 chained VGPRs in branches
// CHECK-NEXT: unify: not legal (clause 6): an 'if constexpr' of 'dead' has a branch that no instance in the arms compiles
__global__ void branches(float *p, int c)
{
	tile acc = {};
	if (c) {
		dead<true>(acc, p[1]);
	} else {
		dead<false>(acc, p[1]);
	}
	p[0] = acc.v[c];
}

template <int N> __device__ inline void looped(tile &t, float x)
{
	for (int i = 0; i < N; i++) {
		t.v[i] += x;
	}
}

// CHECK: 64 chained VGPRs in unrolled
// CHECK-NEXT: unify: not legal (clause 7): 'N' of 'looped' bounds a loop over an array
__global__ void unrolled(float *p, int c)
{
	tile acc = {};
	if (c) {
		looped<32>(acc, 1);
	} else {
		looped<64>(acc, 1);
	}
	p[0] = acc.v[c];
}

template <bool P> __device__ inline void counted(tile &t, float x)
{
	static __shared__ float last;
	for (int i = 0; i < 64; i++) {
		t.v[i] += P ? last : x;
	}
	last = x;
}

// CHECK: 64 chained VGPRs in storage
// CHECK-NEXT: unify: not legal (clause 8): 'last' is static or shared: each instance has its own
__global__ void storage(float *p, int c)
{
	tile acc = {};
	if (c) {
		counted<true>(acc, 1);
	} else {
		counted<false>(acc, 1);
	}
	p[0] = acc.v[c];
}

template <bool P> __device__ inline void shuffled(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += __shfl_xor(x, P ? 1 : 2);
	}
}

// CHECK: 64 chained VGPRs in lanes
// CHECK-NEXT: unify: not legal (clause {{5|9}})
__global__ void lanes(float *p, int c)
{
	tile acc = {};
	if (threadIdx.x < 3) {
		shuffled<true>(acc, p[threadIdx.x]);
	} else {
		shuffled<false>(acc, p[threadIdx.x]);
	}
	p[threadIdx.x] = acc.v[c];
}

template <bool P> __device__ inline void fused(tile &t, float x, float y)
{
	for (int i = 0; i < 64; i++) {
		float z = x * y;
		if (P) {
			z = x;
		}
		t.v[i] += z;
	}
}

// CHECK: 64 chained VGPRs in contracted
// CHECK-NEXT: unify: not legal (clause 10)
__global__ void contracted(float *p, int c)
{
	tile acc = {};
	if (c) {
		fused<true>(acc, p[1], p[2]);
	} else {
		fused<false>(acc, p[1], p[2]);
	}
	p[0] = acc.v[c];
}
