// What holds for all data. Each wrong form leaves the same bits on the spec's data: a term times zeros, operands swapped where data
// are alike, a branch that no number takes, bits that these numbers do not have, lanes of one value, a factor that is 1, a NaN that is
// not there. Data that show it are found. What is right is proved, also where both branch on data; what is fused is said, and what is the
// same for real numbers, which are finite: a NaN or an infinity that leaves other bits is said beside it.
//
// REQUIRES: compiler
// RUN: sed 's/define WRONG 0/define WRONG 1/' %s > %t.wrong.hip
// RUN: sed 's/define OTHERWISE 0/define OTHERWISE 1/' %s > %t.other.hip
// RUN: %unphi verify %s %t.other.hip --on isa --all-data --spec %S/Inputs/witness.verify.yaml --compiler %compiler -q --format json \
// RUN:   -- -w > %t.other.json || true
// RUN: python3 %S/Inputs/witness.py %t.other.json right
// RUN: %unphi verify %s %t.wrong.hip --on isa --all-data --spec %S/Inputs/witness.verify.yaml --compiler %compiler -q --format json \
// RUN:   -- -w > %t.wrong.json || true
// RUN: python3 %S/Inputs/witness.py %t.wrong.json wrong
//
// RUN: sed 's/kernel: .*/kernel: right_softmax/' %S/Inputs/witness.verify.yaml > %t.yaml
// RUN: %exits 1 %unphi verify %s %t.other.hip --on isa --all-data --spec %t.yaml --compiler %compiler -q --allow-recontraction -- -w | %FileCheck %s --check-prefix REALS
// RUN: %unphi verify %s %t.other.hip --on isa --all-data --spec %t.yaml --compiler %compiler -q --allow-reassociation -- -w | grep 'equal as real numbers'
// REALS: equal as real numbers (of finite numbers; for data that order and decide like the case's, {{[0-9]+}} times; chance of an error below 2^-{{[0-9]+}}, exponentials taken for random; {{[0-9]+}} symbols
#include <hip/hip_runtime.h>
#define WRONG 0
#define OTHERWISE 0
#define ARGS const float *a, const float *b, const float *zero, const float *one, float *out, float alpha, int n
#define HEAD const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t; (void)t; (void)n;

__global__ void dropped(ARGS)
{
	HEAD
	float x = a[i] * one[i];
	if (!WRONG) { x += b[i] * zero[i]; }
	out[i] = x;
}

__global__ void swapped(ARGS)
{
	HEAD
	out[i] = WRONG ? one[i] - one[i ^ 1] : one[i ^ 1] - one[i];
}

__global__ void branches(ARGS)
{
	HEAD
	float x = a[i];
	if (WRONG && x > 5) { x = 5; }
	out[i] = x;
}

__global__ void bits(ARGS)
{
	HEAD
	out[i] = __uint_as_float(__float_as_uint(one[i]) & (WRONG ? 0xffff0000u : 0xffffffffu)) + a[i];
}

__global__ void lanes(ARGS)
{
	HEAD
	out[i] = a[i] + __shfl_xor(one[i], WRONG ? 2 : 1);
}

__global__ void factor(ARGS)
{
	HEAD
	out[i] = WRONG ? a[i] : a[i] * alpha;
}

__global__ void nan(ARGS)
{
	HEAD
	out[i] = (WRONG ? !(a[i] <= 0) : a[i] > 0) ? a[i] : 0;
}

__global__ void shared(ARGS)
{
	HEAD
	__shared__ float tile[64];
	tile[t] = a[i];
	__syncthreads();
	float s = 0;
	for (int k = 0; k < n; k++) { s += tile[(t + k) % 64] * (WRONG && k == 3 ? one[(i + 1) % 64] : one[i]); }
	out[i] = s;
}

__global__ void right_order(ARGS)
{
	HEAD
#if OTHERWISE
	float y = b[i];
	float x = a[i];
#else
	float x = a[i];
	float y = b[i];
#endif
	float s = x;
	for (int k = 0; k < n; k++) { s = s * y + x; }
	out[i] = s;
}

__global__ void right_branch(ARGS)
{
	HEAD
	float x = a[i], y;
#if OTHERWISE
	__shared__ float tile[64];
	tile[t] = b[i];
	__syncthreads();
	y = tile[t];
	if (x > 0) { for (int k = 0; k < n; k++) { y *= x; } } else { y = x; }
#else
	if (x > 0) { y = b[i]; for (int k = 0; k < n; k++) { y *= x; } } else { y = x; }
#endif
	out[i] = y;
}

__global__ void right_fused(ARGS)
{
	HEAD
	float p;
	{
#if OTHERWISE
#pragma clang fp contract(off)
#endif
		p = a[i] * b[i] + one[i];
	}
	out[i] = p;
}

__global__ void finite(ARGS)
{
	HEAD
	float x = a[i];
	if (OTHERWISE) { x = isinf(x) ? 0 : x; }
	out[i] = OTHERWISE ? b[i] * 0 + x : x;
}

/* One pass with rescaled sums; or the largest first, sums from the end. Wrong: without the last term. */
__global__ void right_softmax(ARGS)
{
	HEAD
	const float *p = a + t % 8 * 16;
	float top = -INFINITY, sum = 0;
	if (OTHERWISE || WRONG) {
		for (int k = 0; k < 16; k++) { top = fmaxf(top, p[k]); }
		for (int k = 15 - WRONG; k >= 0; k--) { sum += __expf(p[k] - top); }
	} else {
		for (int k = 0; k < 16; k++) {
			float m = fmaxf(top, p[k]);
			sum = sum * __expf(top - m) + __expf(p[k] - m);
			top = m;
		}
	}
	out[i] = __expf(p[t % 16] - top) / sum;
}

__device__ float kept[64];

__global__ void variable(ARGS)
{
	HEAD
	float x = kept[t];
	kept[t] = (WRONG ? a[i] : a[i] * b[i]) * zero[i] + one[i];
	out[i] = x;
}

/* Atomics on floats, also by compare-and-swap, and what they find; lanes that keep theirs close up. */
__global__ void atomic(ARGS)
{
	HEAD
	__shared__ float sums[4];
	if (t < 4) { sums[t] = 0; }
	__syncthreads();
	atomicAdd(&sums[t % 4], a[i] * zero[(WRONG ? t + 1 : t) % 64]);
	__syncthreads();
	if (t < 4) { out[t] = atomicExch(&out[t + 8 * blockIdx.x + 8], sums[t]); }
	int *p = (int *)&out[100], old = *p, was;
	do { was = old; old = atomicCAS(p, was, __float_as_int(__int_as_float(was) + one[i])); } while (old != was);
}

__global__ void closed_up(ARGS)
{
	HEAD
	unsigned long long kept = __ballot(a[i] > 0 && (!WRONG || a[i] < 5));
	unsigned before = __builtin_amdgcn_mbcnt_hi(kept >> 32, __builtin_amdgcn_mbcnt_lo((unsigned)kept, 0));
	out[i] = before + one[i];
}

__global__ void undecided(ARGS)
{
	HEAD
	unsigned x = __float_as_uint(a[i]);
	out[i] = __uint_as_float(OTHERWISE ? (x + 1) * (x - 1) : x * x - 1);
}

// A product with its operands swapped, through a matrix operation: only a NaN has other bits.
__global__ void nan_bits(ARGS)
{
	HEAD
	typedef float f32x4 __attribute__((ext_vector_type(4)));
	float p;
#if OTHERWISE
	asm("v_mul_f32 %0, %1, %2" : "=v"(p) : "v"(a[i]), "v"(b[i]));
#else
	asm("v_mul_f32 %0, %1, %2" : "=v"(p) : "v"(b[i]), "v"(a[i]));
#endif
	const f32x4 sum = {p, p, p, p};
	const f32x4 r = __builtin_amdgcn_mfma_f32_16x16x4f32(a[i], one[i], sum, 0, 0, 0);
	out[i] = r.x + r.y;
}
