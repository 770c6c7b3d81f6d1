#pragma once
/* Functions for the rows of scalar.def, vector.def, atomic.def and other.def. Only table.c includes
 * this. */
#include <math.h>

#include "isa/number.h"
#include "isa/table.h"

static uint64_t reverse(uint64_t x)
{
	uint64_t r = 0;
	for (int i = 0; i < 64; i++) {
		r |= (x >> i & 1) << (63 - i);
	}
	return r;
}

/* A bit field of x. where: offset in its low bits, width from bit 16 on. */
static uint64_t field(uint64_t x, uint64_t where, unsigned bits)
{
	unsigned from = (unsigned)where & (bits - 1);
	unsigned width = (unsigned)(where >> 16) & 0x7f;
	x >>= from;
	return width >= 64 ? x : x & (((uint64_t)1 << width) - 1);
}

static int64_t signed_field(uint64_t x, uint64_t where, unsigned bits)
{
	unsigned from = (unsigned)where & (bits - 1);
	unsigned width = (unsigned)(where >> 16) & 0x7f;
	width = from + width > bits ? bits - from : width;
	return width == 0 ? 0 : (int64_t)(x << (64 - from - width)) >> (64 - width);
}

/* The number of leading bits equal to the sign; -1: all. */
static int32_t sign_bits(int32_t x)
{
	uint32_t y = (uint32_t)(x < 0 ? ~x : x);
	return y ? __builtin_clz(y) : -1;
}

static int32_t sign_bits64(int64_t x)
{
	uint64_t y = (uint64_t)(x < 0 ? ~x : x);
	return y ? __builtin_clzll(y) : -1;
}

/* Fills each group of four bits that has a bit set. */
static uint64_t quads(uint64_t x)
{
	uint64_t any = (x | x >> 1 | x >> 2 | x >> 3) & 0x1111111111111111;
	return any * 15;
}

static uint64_t quad_mask(uint64_t x)
{
	uint64_t r = 0;
	for (int i = 0; i < 16; i++) {
		r |= (uint64_t)((x >> 4 * i & 15) != 0) << i;
	}
	return r;
}

static uint32_t float_result(float f, uint64_t a, uint64_t b)
{
	float x = isa_f32((uint32_t)a);
	if (f == f) {
		return isa_f32_bits(f);
	}
	return x != x					      ? (uint32_t)a | 0x400000
	       : isa_f32((uint32_t)b) != isa_f32((uint32_t)b) ? (uint32_t)b | 0x400000
							      : 0xffc00000;
}

static uint32_t half_result(float f, uint64_t a, uint64_t b)
{
	float x = isa_f16(a & 0xffff);
	float y = isa_f16(b & 0xffff);
	return f == f	? isa_f16_bits(f)
	       : x != x ? ((uint32_t)a & 0xffff) | 0x200
	       : y != y ? ((uint32_t)b & 0xffff) | 0x200
			: 0xfe00;
}

static uint64_t nan_of(uint64_t b, uint64_t c)
{
	float x = isa_f32((uint32_t)b);
	return x != x ? b : c;
}

static uint64_t half_nan_of(uint64_t b, uint64_t c)
{
	float x = isa_f16(b & 0xffff);
	return x != x ? b : c;
}

static int32_t low24(int32_t x)
{
	return (int32_t)((uint32_t)x << 8) >> 8;
}

static uint32_t absdiff(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* masked: bytes of b that are 0 are skipped. */
static uint32_t sad_bytes(uint32_t a, uint32_t b, bool masked)
{
	uint32_t sum = 0;
	for (int i = 0; i < 32; i += 8) {
		uint32_t of = b >> i & 0xff;
		sum += masked && of == 0 ? 0 : absdiff(a >> i & 0xff, of);
	}
	return sum;
}

static uint32_t sad_u8(uint32_t a, uint32_t b)
{
	return sad_bytes(a, b, false);
}

static uint32_t msad_u8(uint32_t a, uint32_t b)
{
	return sad_bytes(a, b, true);
}

static uint32_t sad_u16(uint32_t a, uint32_t b)
{
	return absdiff(a & 0xffff, b & 0xffff) + absdiff(a >> 16, b >> 16);
}

/* Four 16-bit sums, each with the bytes of a shifted by one more. */
static uint64_t sad_packed(uint64_t a, uint32_t b, uint64_t c, bool masked)
{
	uint64_t d = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t sum = sad_bytes((uint32_t)(a >> 8 * i), b, masked) + (c >> 16 * i);
		d |= (sum & 0xffff) << 16 * i;
	}
	return d;
}

static uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t d = 0;
	for (int i = 0; i < 32; i += 8) {
		d |= ((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1 << i;
	}
	return d;
}

static uint32_t put_byte(uint32_t old, uint32_t byte, uint32_t at)
{
	unsigned shift = 8 * (at & 3);
	return (old & ~(0xffu << shift)) | byte << shift;
}

static uint32_t snorm(float x)
{
	return (uint32_t)(int32_t)nearbyint(isa_clamp((double)x, -1, 1) * 32767) & 0xffff;
}

static uint32_t unorm(float x)
{
	return (uint32_t)nearbyint(isa_clamp((double)x, 0, 1) * 65535);
}

static uint32_t sat_u8(int x)
{
	return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x;
}

/* A separately rounded product: volatile keeps the host compiler from contracting it. */
static float PRODUCT(float a, float b)
{
	volatile float p = a * b;
	return p;
}

static uint32_t dot_i8(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 8, true, true);
}

static uint32_t dot_u8(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 8, false, false);
}

static uint32_t dot_i4(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 4, true, true);
}

static uint32_t dot_u4(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 4, false, false);
}

/* An unsigned sum, saturated. */
static uint32_t add_clamp(uint32_t a, uint32_t b)
{
	return a + b < a ? UINT32_MAX : a + b;
}

/* Exact: two products of -32768 have no 32 bits. */
static int64_t dot_i16(uint32_t a, uint32_t b)
{
	return (int64_t)((int16_t)a * (int16_t)b) + (int16_t)(a >> 16) * (int16_t)(b >> 16);
}

static uint64_t dot_u16(uint32_t a, uint32_t b)
{
	return (uint64_t)(a & 0xffff) * (b & 0xffff) + (uint64_t)(a >> 16) * (b >> 16);
}

static float without_subnormal(float x)
{
	return isa_f32(isa_flush_f32(isa_f32_bits(x)));
}

/* In the documents' order: c, plus the low product, plus the high one. Products of halves are exact
 * in f32. Subnormal addends and results are flushed in any mode (LLVM, performFMACombine). */
static float dot_f16(uint32_t a, uint32_t b, float c)
{
	return without_subnormal(without_subnormal(c) +
				 PRODUCT(isa_f16(a & 0xffff), isa_f16(b & 0xffff)) +
				 PRODUCT(isa_f16(a >> 16), isa_f16(b >> 16)));
}

static float dot_bf16(uint32_t a, uint32_t b, float c)
{
	return c + PRODUCT(isa_bf16(a & 0xffff), isa_bf16(b & 0xffff)) +
	       PRODUCT(isa_bf16(a >> 16), isa_bf16(b >> 16));
}

static uint32_t pk_add_f16(uint32_t a, uint32_t b)
{
	return isa_f16_bits(isa_f16(a & 0xffff) + isa_f16(b & 0xffff)) |
	       isa_f16_bits(isa_f16(a >> 16) + isa_f16(b >> 16)) << 16;
}

static uint32_t pk_add_bf16(uint32_t a, uint32_t b)
{
	return isa_bf16_bits(isa_bf16(a & 0xffff) + isa_bf16(b & 0xffff)) |
	       isa_bf16_bits(isa_bf16(a >> 16) + isa_bf16(b >> 16)) << 16;
}

static int exponent32(float x)
{
	return (int)(isa_f32_bits(x) >> 23 & 0xff);
}

static int exponent64(double x)
{
	return (int)(isa_f64_bits(x) >> 52 & 0x7ff);
}

/* V_DIV_FIXUP: a is the approximate quotient, b the denominator, c the numerator. */
static double fixed_up(double a, double b, double c, bool under, bool over, double least)
{
	double sign = signbit(b) != signbit(c) ? -1 : 1;
	if (c != c || b != b) {
		return isa_quiet(c != c ? c : b);
	}
	if ((b == 0 && c == 0) || (isinf(b) && isinf(c))) {
		return isa_f64((uint64_t)0xfff8 << 48);
	}
	if (b == 0 || isinf(c) || over) {
		return sign * INFINITY;
	}
	if (isinf(b) || c == 0) {
		return sign * 0.0;
	}
	if (under) {
		return sign * least;
	}
	/* NaN from finite operands: the steps before overflowed */
	return a != a ? sign * INFINITY : copysign(a, sign);
}

static float div_fixup_f32(float a, float b, float c)
{
	bool under = exponent32(c) - exponent32(b) < -150;
	return (float)fixed_up((double)a, (double)b, (double)c, under, false, 0);
}

static double div_fixup_f64(double a, double b, double c)
{
	bool under = exponent64(c) - exponent64(b) < -1075;
	return fixed_up(a, b, c, under, false, 0);
}

static float div_fixup_f16(float a, float b, float c)
{
	return (float)fixed_up((double)a, (double)b, (double)c, false, false, 0);
}

/* 53 bits of 2 / pi ("CDNA4" and "RDNA3", V_TRIG_PREOP_F64). The larger a is, the more of the
 * leading bits only add whole periods and are skipped. */
static double trig_preop(double a, uint32_t segment)
{
	/* 1201 bits after the point */
	static const uint64_t two_over_pi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
		0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
		0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
		0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
		0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
		0x56033046fc7b0000, 0};
	enum {
		WORDS = sizeof(two_over_pi) / sizeof(two_over_pi[0])
	};
	unsigned exponent = isa_f64_bits(a) >> 52 & 0x7ff;
	unsigned shift = (segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
	unsigned word = shift / 64, bit = shift % 64;
	uint64_t bits = 0;
	if (word + 1 < WORDS) {
		bits = two_over_pi[word] << bit | (bit ? two_over_pi[word + 1] >> (64 - bit) : 0);
	}
	return ldexp((double)(bits >> 11), (exponent >= 1968 ? 75 : -53) - (int)shift);
}
