// RUN: cp %S/captures.h $(dirname %t)
// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip
// RUN: %S/Inputs/form %unphi hoist:split %s %t.split.hip any
//
// A new name must not be one that code behind its declaration means otherwise, however that comes to it:
// by a macro of this file or another, words that a macro joins, a member of a base, a lambda around it, a
// template's parameter, a function that the argument's namespace brings, or text of another target.

#include "captures.h"

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};

__device__ inline void add(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x + i;
	}
}

__device__ inline void scale(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] * 0.75f - x;
	}
}

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

constexpr int arm = 5;

__global__ void header_macro(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > d) {
		FROM_HEADER(acc);
	} else if (c == d) {
		add(acc, 2);
	} else {
		scale(acc, 3);
	}
	FROM_HEADER(acc);
	store(p, acc);
}

__global__ void joined(float *p, int n, int c, int d)
{
	tile acc = {};
	int JOIN(tak, en) = c + 1;
	int NUMBERED(2) = d;
	if (c > d) {
		add(acc, JOIN(tak, en));
	} else {
		scale(acc, NUMBERED(2));
	}
	store(p, acc);
}

struct derived : base_of_all {
	__device__ void run(tile &acc, int c)
	{
		switch (c) {
		case 1: add(acc, MEMBER); break;
		case 2: scale(acc, MEMBER + 1); break;
		default: add(acc, 4);
		}
	}
};

__global__ void member(float *p, int n, int c, int d)
{
	tile acc = {};
	derived x;
	x.run(acc, c);
	store(p, acc);
}

__global__ void enclosing(float *p, int n, int c, int d)
{
	tile acc = {};
	const bool taken = n > 1;
	const auto run = [&](int e) {
		if (e > d) {
			add(acc, taken ? 3 : 7);
		} else {
			scale(acc, taken ? 5 : 2);
		}
	};
	run(c);
	store(p, acc);
}

template <int taken, typename... arms> __device__ void with_parameters(tile &acc, int c, arms... value)
{
	if (c > taken) {
		add(acc, sizeof...(value));
	} else {
		scale(acc, taken);
	}
}

__global__ void parameters(float *p, int n, int c, int d)
{
	tile acc = {};
	with_parameters<2>(acc, c, n, d);
	store(p, acc);
}

namespace ns {
struct key {
	int k;
};
__device__ inline int taken(key x)
{
	return x.k + 2;
}
}

__global__ void by_argument(float *p, int n, int c, int d)
{
	tile acc = {};
	ns::key x = {n};
	if (c > d) {
		add(acc, taken(x));
	} else {
		scale(acc, 1);
	}
	store(p, acc);
}

__global__ void other_target(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > d) {
		add(acc, 1);
	} else {
		scale(acc, 2);
	}
#ifdef OTHER_TARGET
	add(acc, taken);
#endif
	store(p, acc);
}

__global__ void plain(float *p, int n, int c, int d)
{
	tile acc = {};
	if (c > n) {
		add(acc, 1);
	} else {
		scale(acc, 2);
	}
	store(p, acc);
}

template <bool First> __device__ void step(tile &acc, float by)
{
	const float state = by * 2;
	const float half = First ? state : by;
	for (int i = 0; i < 64; i++) {
		acc.v[i] = acc.v[i] * half + i;
	}
}

typedef int SPLIT_STATE;
constexpr int step_wide = 4;

__global__ void split(float *p, int n, int c, int d)
{
	tile acc = {};
	SPLIT_STATE state = step_wide;
	if (c > d) {
		step<true>(acc, 2);
	} else {
		step<false>(acc, 3);
	}
	add(acc, state);
	store(p, acc);
}

#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {header_macro, joined, member, enclosing, parameters,
	by_argument, other_target, plain, split};
#endif
