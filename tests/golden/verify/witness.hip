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
// REALS: equal as real numbers (of finite numbers; for data that order and decide like the case's, {{[0-9]+}} times; chance of an error below 2^-{{[0-9]+}}, exponentials taken for random; argument 7 as in the spec; {{[0-9]+}} symbols
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

/* Attention of one query a lane: rescaled in one pass, or the largest score first. Wrong: without one key. */
__global__ void right_flash(ARGS)
{
	HEAD
	const float *keys = b, *values = zero, q = a[i];
	float top = -INFINITY, sum = 0, acc = 0;
	if (OTHERWISE || WRONG) {
		for (int k = 0; k < 32; k++) { top = fmaxf(top, q * keys[k]); }
		for (int k = WRONG; k < 32; k++) { sum += __expf(q * keys[k] - top); }
		for (int k = WRONG; k < 32; k++) { acc += __expf(q * keys[k] - top) / sum * (values[k] + keys[k + 32]); }
	} else {
		for (int k = 0; k < 32; k++) {
			const float m = fmaxf(top, q * keys[k]), shrink = __expf(top - m), p = __expf(q * keys[k] - m);
			sum = sum * shrink + p;
			acc = acc * shrink + p * (values[k] + keys[k + 32]);
			top = m;
		}
		acc /= sum;
	}
	out[i] = acc;
}

/* A product of matrices by lanes, or by two matrix operations that each have half of k. Wrong: one half is of another row. */
__global__ void right_split(ARGS)
{
	HEAD
	typedef float f32x4 __attribute__((ext_vector_type(4)));
	f32x4 acc = {}, more = {};
	const float *x = a + t % 16 * 8, *y = b + t % 16 * 8;
	if (OTHERWISE || WRONG) {
		acc = __builtin_amdgcn_mfma_f32_16x16x4f32(x[t / 16], y[t / 16], acc, 0, 0, 0);
		more = __builtin_amdgcn_mfma_f32_16x16x4f32(x[4 + t / 16], y[(4 + t / 16 + WRONG) % 8], more, 0, 0, 0);
		acc += more;
	} else {
		for (int e = 0; e < 4; e++) {
			for (int k = 0; k < 8; k++) { acc[e] += a[(t / 16 * 4 + e) * 8 + k] * y[k]; }
		}
	}
	out[i] = acc.x + 2 * acc.y + 3 * acc.z + 4 * acc.w;
}

/* A product by tiles of 4 or of 8 in LDS. Wrong: a tile begins one too late. */
__global__ void right_tiles(ARGS)
{
	HEAD
	constexpr int TILE = OTHERWISE || WRONG ? 8 : 4;
	__shared__ float rows[8][8];
	float acc = 0;
	for (int k0 = 0; k0 < 16; k0 += TILE) {
		if (t < 8 * TILE) { rows[t / TILE][t % TILE] = a[t / TILE * 16 + (k0 + t % TILE + (WRONG && k0)) % 16]; }
		__syncthreads();
		float part = 0;
		for (int k = 0; k < TILE; k++) { part += rows[t / 8][k] * b[t % 8 * 16 + k0 + k]; }
		acc += part;
		__syncthreads();
	}
	out[i] = acc;
}

/* A variance: the mean first, or one pass over squares. Wrong: of one less. */
__global__ void right_variance(ARGS)
{
	HEAD
	const float *p = a + i % 8 * 16;
	float m = 0, s = 0, q = 0;
	for (int k = 0; k < 16; k++) { m += p[k] / 16; }
	for (int k = 0; k < 16; k++) { s += p[k]; q += OTHERWISE || WRONG ? p[k] * p[k] : (p[k] - m) * (p[k] - m); }
	out[i] = OTHERWISE || WRONG ? q / (16 - WRONG) - s * s / 256 : q / 16;
}

/* A scan in steps, or by doubling across lanes. Wrong: one lane is left out. */
__global__ void right_scan(ARGS)
{
	HEAD
	float r = a[i];
	if (OTHERWISE || WRONG) {
		for (int o = 1; o < 64; o *= 2) { const float x = __shfl_up(r, o); if (t >= o + (WRONG && o == 32)) { r += x; } }
	} else {
		for (int k = t - 1; k >= 0; k--) { r += a[i - t + k]; }
	}
	out[i] = r;
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

/* A signalling NaN that meets a number leaves a NaN, a quiet one leaves the number. */
__device__ float quiet(float x)
{
	float r;
	asm("v_max_f32 %0, %1, %1" : "=v"(r) : "v"(x));
	return r;
}

__global__ void signal_median(ARGS)
{
	HEAD
	out[i] = __builtin_amdgcn_fmed3f(WRONG ? -quiet(a[i]) : -a[i], -1.0f, 1.0f);
}

__global__ void signal_bits(ARGS)
{
	HEAD
	const float x = WRONG ? quiet(a[i]) : a[i];
	out[i] = (float)(__float_as_uint(x) & 0x400000u) + b[i];
}

__global__ void signal_most(ARGS)
{
	HEAD
	float r, x = WRONG ? quiet(a[i]) : a[i];
	asm("v_max3_f32 %0, %1, %2, %3" : "=v"(r) : "v"(x), "v"(b[i ^ 2]), "v"(zero[i ^ 4]));
	out[i] = r;
}

__global__ void signal_sum(ARGS)
{
	HEAD
	float x = WRONG ? quiet(a[i]) : a[i];
	out[i] = b[i] > 0 ? -x * one[i] : x + b[i];
}
