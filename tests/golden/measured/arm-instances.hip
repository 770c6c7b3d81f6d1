// Arms that call instances of one function, where nothing wide crosses: a note with the size of the code in both forms,
// where that is measured to be less, and nothing by the form alone.
// REQUIRES: clang19
// RUN: %unphi lint %s --target gfx90a --compiler clang++-19 --checks=-*,unphi-arm-instances --measure --export-fixes %t.yaml > %t.txt
// RUN: grep -c 'unphi-arm-instances\]' %t.txt | grep -qx 2 && %FileCheck %s < %t.txt && grep -q 'p, n, at, mode == 0 ? 0 : mode == 1 ? 1 : 2' %t.yaml
// RUN: %unphi lint %s --target gfx90a --compiler clang++-19 --checks=-*,unphi-arm-instances --measure --allow-recontraction | grep -c 'unphi-arm-instances\]' | grep -qx 3
// RUN: test -z "$(%unphi lint %s --target gfx90a --checks=-*,unphi-arm-instances)"
// CHECK: [[@LINE+26]]:2: note: the arms call instances of 'rotate': with one function that takes as arguments what differs, rotates has instructions {{.*}}, issue cycles of the cheapest path {{.*}} (gfx90a) [unphi-arm-instances]
// CHECK: [[@LINE+43]]:2: note: the arms call instances of 'apply': with one function that takes as arguments what differs, activates has instructions
#include <hip/hip_runtime.h>

template <bool IS_NEOX, bool HAS_NORM>
__device__ inline void rotate(float *x, const float *cos, const float *sin, int at)
{
	float norm = 1;
	if constexpr (HAS_NORM) {
		float sum = 0;
		for (int i = 0; i < 16; ++i) {
			sum = fmaf(x[at + i], x[at + i], sum);
		}
		norm = rsqrtf(sum);
	}
#pragma unroll
	for (int i = 0; i < 8; ++i) {
		const int a = IS_NEOX ? i : 2 * i, b = IS_NEOX ? i + 8 : 2 * i + 1;
		const float u = x[at + a] * norm, v = x[at + b] * norm;
		x[at + a] = fmaxf(u * cos[i], v * sin[i]);
		x[at + b] = fminf(v * cos[i], u * sin[i]);
	}
}
__global__ void rotates(float *x, const float *cos, const float *sin, bool is_neox, bool has_norm)
{
	const int at = (blockIdx.x * 256 + threadIdx.x) * 16;
	if (is_neox) {
		has_norm ? rotate<true, true>(x, cos, sin, at) : rotate<true, false>(x, cos, sin, at);
	} else if (has_norm) {
		rotate<false, true>(x, cos, sin, at);
	} else {
		rotate<false, false>(x, cos, sin, at);
	}
}

template <int MODE> __device__ inline void apply(float *p, int n, int at)
{
	for (int i = at; i < at + n; ++i) {
		p[i] = MODE == 0 ? fmaxf(p[i], 0.0f) : MODE == 1 ? p[i] / (1 + expf(-p[i])) : tanhf(p[i]);
	}
}
__global__ void activates(float *p, int n, int mode)
{
	const int at = (blockIdx.x * 256 + threadIdx.x) * n;
	switch (mode) {
	case 0:
		apply<0>(p, n, at);
		break;
	case 1:
		apply<1>(p, n, at);
		break;
	default:
		apply<2>(p, n, at);
	}
}

// the compiler joins these by itself
template <bool B> __device__ inline void small(float *p, int at)
{
	p[at] = B ? p[at] + 1 : p[at] * 2;
}
__global__ void stays(float *p, int mode)
{
	if (mode) {
		small<true>(p, threadIdx.x);
	} else {
		small<false>(p, threadIdx.x);
	}
}

// Only with --allow-recontraction, or flags that turn contraction off: each instance fuses what it does now.
template <bool HAS_NORM> __device__ inline void turn(float *x, const float *cos, const float *sin, int at)
{
	const float norm = HAS_NORM ? rsqrtf(x[at]) : 1.0f;
#pragma unroll
	for (int i = 0; i < 16; ++i) {
		const float u = x[at + i] * norm, v = x[at + i + 16] * norm;
		x[at + i] = u * cos[i] - v * sin[i];
		x[at + i + 16] = v * cos[i] + u * sin[i];
	}
}
__global__ void turns(float *x, const float *cos, const float *sin, bool has_norm)
{
	const int at = (blockIdx.x * 256 + threadIdx.x) * 32;
	if (has_norm) {
		turn<true>(x, cos, sin, at);
	} else {
		turn<false>(x, cos, sin, at);
	}
}
