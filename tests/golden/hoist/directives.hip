// What another compilation of the text (the host's, another GPU's, a debug build) sees otherwise is
// not taken apart by the callee split: it would keep its whole call, and the wide part would run
// behind it all the same. Nor is a friend's body: its parts could not read what is private.
//
// RUN: %unphi rewrite %s --verbose --target gfx90a --strategy hoist:split -o %t.hip -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: cmp %s %t.hip

#include <hip/hip_runtime.h>

struct tile {
	float v[64];
};

template <bool First> __device__ void step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}
__device__ void whole(tile &t, float *p)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] -= p[i];
	}
}

// CHECK: 64 chained VGPRs in in_arm
// CHECK: hoist: not legal (clause 22): a preprocessor directive stands inside: #if {{.*}}SMALL
__global__ void in_arm(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
#if defined(SMALL)
		whole(acc, p);
#else
		step<true>(acc, p);
#endif
	} else {
		step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in around_arm
// CHECK: hoist: not legal (clause 22): a preprocessor directive stands inside: #ifndef SMALL
__global__ void around_arm(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		step<true>(acc, p);
#ifndef SMALL
	} else {
		step<false>(acc, p);
#endif
	}
	p[0] = acc.v[c];
}

// CHECK: 64 chained VGPRs in around_condition
// CHECK: hoist: not legal (clause 22): a preprocessor directive stands inside: #ifdef SMALL
__global__ void around_condition(float *p, int c)
{
	tile acc = {};
	if (
#ifdef SMALL
		c > 0 &&
#endif
		c > 1) {
		step<true>(acc, p);
	} else {
		step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

#ifdef SMALL
template <bool First> __device__ void either_step(tile &t, float *p) { whole(t, p); }
#else
template <bool First> __device__ void either_step(tile &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}
#endif

// CHECK: 64 chained VGPRs in around_callee
// CHECK: hoist: not legal (clause 22): 'either_step' cannot be split: it is under an #if that does not hold the merge
__global__ void around_callee(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		either_step<true>(acc, p);
	} else {
		either_step<false>(acc, p);
	}
	p[0] = acc.v[c];
}

template <bool First> __device__ void next(tile &t, float *p)
{
#ifdef SMALL
	whole(t, p);
#endif
	step<First>(t, p);
}

// CHECK: 64 chained VGPRs in passed_on
// CHECK: hoist: not legal (clause 22): 'next' cannot be split: a preprocessor directive stands inside
__global__ void passed_on(float *p, int c)
{
	tile acc = {};
	if (c > 1) {
		next<true>(acc, p);
	} else {
		next<false>(acc, p);
	}
	p[0] = acc.v[c];
}

class hidden {
	float v[64];

public:
	__device__ float at(int c) const { return v[c]; }
	template <bool First> friend __device__ void friend_step(hidden &t, float *p);
};
template <bool First> __device__ void friend_step(hidden &t, float *p)
{
	float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}

// CHECK: 64 chained VGPRs in of_friend
// CHECK: hoist: not legal (clause 22): 'friend_step' cannot be split: it is a friend of a class, and its parts would be none
__global__ void of_friend(float *p, int c)
{
	hidden acc = {};
	if (c > 1) {
		friend_step<true>(acc, p);
	} else {
		friend_step<false>(acc, p);
	}
	p[0] = acc.at(c);
}
