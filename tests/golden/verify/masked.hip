// Causal flash attention of one wave a block: full tiles against the diagonal one, whose scores are masked. What the
// clauses on contraction refuse is run: most of it has other bits, so the clauses are right; two forms have the same
// ones, and wait for --allow-unproved (doc/specs.md), which keeps the one that a proof speaks for.
//
// REQUIRES: compiler, all
// RUN: %unphi rewrite %s --verify --on isa --spec %S/Inputs/masked.verify.yaml --target gfx90a --compiler %compiler \
// RUN:   --explain > %t.txt
// RUN: grep "hoist (plain): veto: unequal bits: flash: " %t.txt
// RUN: grep "hoist (split-fenced): veto: equal on all cases, not proved; --allow-unproved would take it if equal for all data: resident waves 1 -> 2" %t.txt
// RUN: grep "split (two loops): veto: equal on all cases, not proved; --allow-unproved would take it if equal for all data: resident waves 1 -> 2" %t.txt
// RUN: %unphi rewrite %s --verify --on isa --spec %S/Inputs/masked.verify.yaml --target gfx90a --compiler %compiler \
// RUN:   --explain --allow-unproved > %t.txt
// RUN: grep "split (two loops): kept: resident waves 1 -> 2, .*; equal for all data" %t.txt
#include <hip/hip_runtime.h>

typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int DIM = 128, BLOCKS = DIM / 32;

__device__ f16x4 fragment(const _Float16 *at, int row, int stride, int step)
{
	const int lane = threadIdx.x % 64;
	return *(const f16x4 *)(at + (row + lane % 32) * stride + step * 8 + lane / 32 * 4);
}

__device__ void update(f32x16 (&acc)[BLOCKS], f32x16 &s, float &top, float &sum, const _Float16 *values, int tokens)
{
	float now = top;
	for (int e = 0; e < 16; ++e) {
		now = fmaxf(now, s[e]);
	}
	now = fmaxf(now, __shfl_xor(now, 32));
	const float shrink = exp2f(top - now);
	top = now;
	sum *= shrink;
	for (int e = 0; e < 16; ++e) {
		s[e] = exp2f(s[e] - now);
		sum += s[e];
	}
	for (int d = 0; d < BLOCKS; ++d) {
		acc[d] *= shrink;
	}
	for (int j = 0; j < 4; ++j) {
		const f16x4 p = {(_Float16)s[j * 4], (_Float16)s[j * 4 + 1], (_Float16)s[j * 4 + 2], (_Float16)s[j * 4 + 3]};
		for (int d = 0; d < BLOCKS; ++d) {
			acc[d] = __builtin_amdgcn_mfma_f32_32x32x8f16(fragment(values, d * 32, tokens, j), p, acc[d], 0, 0, 0);
		}
	}
}

__global__ void __launch_bounds__(64) flash(const _Float16 *__restrict__ queries, const _Float16 *__restrict__ keys,
	const _Float16 *__restrict__ values, float *__restrict__ out, int tokens, float scale)
{
	const int lane = threadIdx.x % 64, row = blockIdx.x * 32;
	f32x16 acc[BLOCKS];
	float top = -1e30f, sum = 0;
	for (int d = 0; d < BLOCKS; ++d) {
		acc[d] = f32x16{};
	}
	for (int token = 0; token < row + 32; token += 32) {
		f32x16 s = {};
		for (int i = 0; i < DIM / 8; ++i) {
			s = __builtin_amdgcn_mfma_f32_32x32x8f16(fragment(keys, token, DIM, i), fragment(queries, row, DIM, i), s, 0, 0, 0);
		}
		if (token < row) {
			for (int e = 0; e < 16; ++e) {
				s[e] = s[e] * scale;
			}
			update(acc, s, top, sum, values + token, tokens);
		} else {
			for (int e = 0; e < 16; ++e) {
				const int at = token + lane / 32 * 4 + e / 4 * 8 + e % 4;
				s[e] = at <= row + lane % 32 ? s[e] * scale : -1e30f;
			}
			update(acc, s, top, sum, values + token, tokens);
		}
	}
	const float factor = 1 / (sum + __shfl_xor(sum, 32));
	for (int d = 0; d < BLOCKS; ++d) {
		for (int e = 0; e < 16; ++e) {
			out[(row + lane % 32) * DIM + d * 32 + lane / 32 * 4 + e / 4 * 8 + e % 4] = acc[d][e] * factor;
		}
	}
}
