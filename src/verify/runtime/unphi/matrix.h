#pragma once
/*
 * The matrix operations of CDNA (mfma, smfmac; waves of 64), RDNA3 and RDNA4 (wmma, swmmac; waves
 * of 32 and 64).
 *
 * Layout of the operands: as in the ISA documents (matrix.cpp states it). All lanes of the wave
 * must be active; the lane mask has no other effect.
 *
 * Arithmetic: no document defines the order of the sum of a matrix operation. Here each element of
 * D starts as its element of C, and the products are added one after the other, k ascending
 * (smfmac: only the products that exist, in the order of the dense k). Products and sums are
 * rounded to the type of D. If D is f16 or bf16, they are rounded to float, and the sum is rounded
 * to D once, at the end. Nothing is fused. Integers wrap, unless wmma's clamp asks for saturation.
 * Subnormal operands and results are kept. xf32 operands are rounded to 10 bits of mantissa, ties
 * to even. 8-bit floating point: number.h.
 *
 * mfma_scale: a product with both its scales is exact, then rounded to float, then added. If both
 * scale words are 0 in all lanes and both select byte 0, there are no scales: LLVM selects the
 * unscaled operation for these constants (2^-127 squared would underflow). A scale of 0xff is a
 * NaN.
 *
 * cbsz, abid and blgp as in the ISA documents; for f64 from gfx940 on, blgp's three bits negate A,
 * B and C. Where an operation does not have a modifier, a value other than 0 is an error.
 */
#pragma GCC system_header
#include <unphi/crosslane.h>
#include <unphi/number.h>

namespace unphi
{

typedef float s1f;
typedef double s1d;
typedef int s1i;
typedef int64_t s1l;
typedef float v2f __attribute__((vector_size(8)));
typedef float v4f __attribute__((vector_size(16)));
typedef float v8f __attribute__((vector_size(32)));
typedef float v16f __attribute__((vector_size(64)));
typedef float v32f __attribute__((vector_size(128)));
typedef double v4d __attribute__((vector_size(32)));
typedef int v2i __attribute__((vector_size(8)));
typedef int v4i __attribute__((vector_size(16)));
typedef int v8i __attribute__((vector_size(32)));
typedef int v16i __attribute__((vector_size(64)));
typedef int v32i __attribute__((vector_size(128)));
typedef short v2s __attribute__((vector_size(4)));
typedef short v4s __attribute__((vector_size(8)));
typedef short v8s __attribute__((vector_size(16)));
typedef short v16s __attribute__((vector_size(32)));
typedef _Float16 v2h __attribute__((vector_size(4)));
typedef _Float16 v4h __attribute__((vector_size(8)));
typedef _Float16 v8h __attribute__((vector_size(16)));
typedef _Float16 v16h __attribute__((vector_size(32)));
typedef __bf16 v8y __attribute__((vector_size(16)));
typedef __bf16 v16y __attribute__((vector_size(32)));

struct matrix_meeting : meeting {
	const void *a;
	const void *b;
	void *c; /* in: C, out: D */
	int index;
	int cbsz;
	int abid;
	int blgp;
	int a_scale, a_select; /* four E8M0 bytes, and the byte to use */
	int b_scale, b_select;
	bool opsel;
	bool a_signed;
	bool b_signed;
	bool clamp;
	bool fnuz;
	bool gfx940_blgp;
};

#ifndef UNPHI_GFX940_BLGP /* from rules/targets.yaml */
#define UNPHI_GFX940_BLGP 0
#endif

#define UNPHI_MFMA(name, M, N, K, blocks, TA, TB, TC, A, B, D) extern const operation op_##name;
#define UNPHI_MFMA_SCALE(name, M, N, K, A, D) extern const operation op_##name;
#define UNPHI_SMFMAC(name, M, N, K, TA, TB, TC, A, B, D) extern const operation op_##name;
#define UNPHI_WMMA(name, lanes, TA, TC, A, D) extern const operation op_##name;
#define UNPHI_WMMA_HALF(name, lanes, TA, TC, A, D) extern const operation op_##name;
#define UNPHI_WMMA_INT(name, lanes, bits, A, D) extern const operation op_##name;
#define UNPHI_WMMA12(name, lanes, K, TA, TB, TC, A, B, D) extern const operation op_##name;
#define UNPHI_WMMA12_INT(name, lanes, K, bits, A, B, D) extern const operation op_##name;
#define UNPHI_SWMMAC UNPHI_WMMA12
#define UNPHI_SWMMAC_INT UNPHI_WMMA12_INT
#include <unphi/matrix_ops.h>

} // namespace unphi

#define UNPHI_MFMA(name, M, N, K, blocks, TA, TB, TC, A, B, D)                                     \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(                                             \
		unphi::A a, unphi::B b, unphi::D c, int cbsz, int abid, int blgp, UNPHI_AT)        \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c, 0, cbsz, abid, blgp}; \
		m.gfx940_blgp = UNPHI_GFX940_BLGP;                                                 \
		m.fnuz = UNPHI_FNUZ;                                                               \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_MFMA_SCALE(name, M, N, K, A, D)                                                      \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(unphi::A a, unphi::A b, unphi::D c,          \
		int cbsz, int blgp, int a_select, int a_scale, int b_select, int b_scale,          \
		UNPHI_AT)                                                                          \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c, 0, cbsz, 0, blgp};    \
		m.a_scale = a_scale;                                                               \
		m.a_select = a_select;                                                             \
		m.b_scale = b_scale;                                                               \
		m.b_select = b_select;                                                             \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_SMFMAC(name, M, N, K, TA, TB, TC, A, B, D)                                           \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(                                             \
		unphi::A a, unphi::B b, unphi::D c, int index, int cbsz, int abid, UNPHI_AT)       \
	{                                                                                          \
		unphi::matrix_meeting m{                                                           \
			{&unphi::op_##name, at}, &a, &b, &c, index, cbsz, abid, 0};                \
		m.fnuz = UNPHI_FNUZ;                                                               \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_WMMA_HALF(name, lanes, TA, TC, A, D)                                                 \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(                                             \
		unphi::A a, unphi::A b, unphi::D c, bool opsel, UNPHI_AT)                          \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c};                      \
		m.opsel = opsel;                                                                   \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_WMMA12(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(                                             \
		unphi::A a, unphi::B b, unphi::D c, UNPHI_AT)                                      \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c};                      \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_WMMA12_INT(name, lanes, K, bits, A, B, D)                                            \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(bool a_signed, unphi::A a, bool b_signed,    \
		unphi::B b, unphi::D c, bool clamp, UNPHI_AT)                                      \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c};                      \
		m.a_signed = a_signed;                                                             \
		m.b_signed = b_signed;                                                             \
		m.clamp = clamp;                                                                   \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_SWMMAC(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(                                             \
		unphi::A a, unphi::B b, unphi::D c, int index, UNPHI_AT)                           \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c, index};               \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_SWMMAC_INT(name, lanes, K, bits, A, B, D)                                            \
	UNPHI_INLINE unphi::D __builtin_amdgcn_##name(bool a_signed, unphi::A a, bool b_signed,    \
		unphi::B b, unphi::D c, int index, bool clamp, UNPHI_AT)                           \
	{                                                                                          \
		unphi::matrix_meeting m{{&unphi::op_##name, at}, &a, &b, &c, index};               \
		m.a_signed = a_signed;                                                             \
		m.b_signed = b_signed;                                                             \
		m.clamp = clamp;                                                                   \
		unphi::do_meet(m);                                                                 \
		return c;                                                                          \
	}
#define UNPHI_WMMA(name, lanes, TA, TC, A, D) UNPHI_WMMA12(name, lanes, 16, TA, TA, TC, A, A, D)
#define UNPHI_WMMA_INT(name, lanes, bits, A, D) UNPHI_WMMA12_INT(name, lanes, 16, bits, A, A, D)
#include <unphi/matrix_ops.h>
