#pragma once
/*
 * Arithmetic of the instructions: bits and values of f16, bf16, f32, f64 and 8-bit formats.
 * Internal to src/isa. Rounding is to nearest even, unless a name says otherwise.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define ISA_SAME_BITS(name, to, from)                                                              \
	static inline to name(from x)                                                              \
	{                                                                                          \
		to y;                                                                              \
		memcpy(&y, &x, sizeof(y));                                                         \
		return y;                                                                          \
	}
ISA_SAME_BITS(isa_f32, float, uint32_t)
ISA_SAME_BITS(isa_f32_bits, uint32_t, float)
ISA_SAME_BITS(isa_f64, double, uint64_t)
ISA_SAME_BITS(isa_f64_bits, uint64_t, double)

/* Without branches, so that a loop over lanes is vectorized. A NaN keeps its bits. */
static inline float isa_f16(uint32_t half)
{
	uint32_t sign = (half & 0x8000) << 16;
	uint32_t rest = half & 0x7fff;
	uint32_t small = isa_f32_bits((float)(int32_t)rest * 0x1p-24f);
	uint32_t normal = (rest + (112u << 10)) << 13;
	uint32_t special = 0x7f800000 | (rest & 0x3ff) << 13;
	uint32_t bits = rest < 0x400 ? small : rest >= 0x7c00 ? special : normal;
	return isa_f32(bits | sign);
}

static inline uint32_t isa_f16_bits(float f)
{
	uint32_t bits = isa_f32_bits(f);
	uint32_t sign = bits >> 16 & 0x8000;
	uint32_t rest = bits & 0x7fffffff;
	/* adding 0.5 aligns the last bit of a subnormal half with the last bit of the sum */
	uint32_t small = isa_f32_bits(isa_f32(rest < 0x38800000 ? rest : 0) + 0.5f) - 0x3f000000;
	uint32_t normal = (rest - 0x38000000 + 0xfff + (rest >> 13 & 1)) >> 13;
	uint32_t nan = 0x7c00 | (rest >> 13 & 0x3ff) | ((rest >> 13 & 0x3ff) ? 0 : 0x200);
	uint32_t half = rest < 0x38800000 ? small : normal;
	half = rest >= 0x477ff000 ? 0x7c00 : half;
	half = rest > 0x7f800000 ? nan : half;
	return half | sign;
}

/* Toward zero: overflow gives the largest finite number (V_CVT_PKRTZ_F16_F32). */
static inline uint32_t isa_f16_bits_toward_zero(float f)
{
	uint32_t bits = isa_f32_bits(f);
	uint32_t sign = bits >> 16 & 0x8000;
	uint32_t rest = bits & 0x7fffffff;
	if (rest >= 0x7f800000) {
		return isa_f16_bits(f);
	}
	if (rest >= 0x47800000) {
		return sign | 0x7bff;
	}
	if (rest >= 0x38800000) {
		return sign | (rest - 0x38000000) >> 13;
	}
	return sign | (uint32_t)(isa_f32(rest) * 0x1p24f);
}

/* A subnormal number of f32 becomes 0, with its sign. */
static inline uint32_t isa_flush_f32(uint32_t bits)
{
	return bits & 0x7f800000 ? bits : bits & 0x80000000;
}

static inline float isa_bf16(uint32_t half)
{
	return isa_f32(half << 16);
}

static inline uint32_t isa_bf16_bits(float f)
{
	uint32_t bits = isa_f32_bits(f);
	uint32_t near = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
	return (bits & 0x7fffffff) > 0x7f800000 ? bits >> 16 | 0x40 : near & 0xffff;
}

/* x * y + z rounded to odd in f32, so that a second rounding to f16 gives the correctly rounded
 * result. x, y, z are f16 values, so the product is exact. */
static inline float isa_fma_odd(float x, float y, float z)
{
	double product = (double)x * (double)y;
	double sum = product + (double)z;
	double back = sum - product;
	double error = (product - (sum - back)) + ((double)z - back);
	uint64_t bits = isa_f64_bits(sum);
	bool inexact = error != 0 && isfinite(sum);
	if (inexact && !(bits & 1)) { /* toward the error */
		bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
	}
	sum = isa_f64(bits);
	float f = (float)sum;
	uint32_t low = isa_f32_bits(f);
	if ((double)f != sum && isfinite(f)) {
		if (fabs((double)f) > fabs(sum)) {
			low--;
		}
		low |= 1;
	}
	return isa_f32(low);
}

#define ISA_IS_SNAN32(bits) (((bits) & 0x7fffffff) > 0x7f800000 && !((bits) & 0x400000))

/* V_MAX_F32, V_MIN_F32 in IEEE mode. first: of two numbers, x is the result. A signalling NaN is
 * returned, made quiet. Of a quiet NaN and a number, the number is returned. */
static inline float isa_one_f32(float x, float y, bool first)
{
	uint32_t a = isa_f32_bits(x);
	uint32_t b = isa_f32_bits(y);
	uint32_t d = first ? a : b;
	d = y != y ? a : d;
	d = x != x && y == y ? b : d;
	d = ISA_IS_SNAN32(b) ? b | 0x400000 : d;
	d = ISA_IS_SNAN32(a) ? a | 0x400000 : d;
	return isa_f32(d);
}

/* +0 is greater than -0. */
static inline float isa_max_f32(float x, float y)
{
	bool above = isa_f32_bits(x) >> 31 < isa_f32_bits(y) >> 31;
	return isa_one_f32(x, y, x > y || (x == y && above));
}

static inline float isa_min_f32(float x, float y)
{
	bool below = isa_f32_bits(x) >> 31 > isa_f32_bits(y) >> 31;
	return isa_one_f32(x, y, x < y || (x == y && below));
}

/* V_MAXIMUM_F32 and V_MINIMUM_F32 of gfx12: a NaN wins. */
static inline float isa_nan_or(float x, float y, float other)
{
	float nan = x != x ? x : y;
	return nan != nan ? isa_f32(isa_f32_bits(nan) | 0x400000) : other;
}

static inline float isa_maximum_f32(float x, float y)
{
	return isa_nan_or(x, y, isa_max_f32(x, y));
}

static inline float isa_minimum_f32(float x, float y)
{
	return isa_nan_or(x, y, isa_min_f32(x, y));
}

static inline double isa_quiet(double x)
{
	return isa_f64(isa_f64_bits(x) | (uint64_t)1 << 51);
}

static inline bool isa_is_snan64(double x)
{
	return x != x && !(isa_f64_bits(x) >> 51 & 1);
}

static inline double isa_one_f64(double x, double y, bool first)
{
	if (isa_is_snan64(x) || isa_is_snan64(y)) {
		return isa_quiet(isa_is_snan64(x) ? x : y);
	}
	if (x != x || y != y) {
		return x != x && y == y ? y : x;
	}
	return first ? x : y;
}

static inline double isa_max_f64(double x, double y)
{
	return isa_one_f64(x, y, x > y || (x == y && !signbit(x)));
}

static inline double isa_min_f64(double x, double y)
{
	return isa_one_f64(x, y, x < y || (x == y && signbit(x)));
}

static inline double isa_maximum_f64(double x, double y)
{
	return x != x || y != y ? isa_quiet(x != x ? x : y) : isa_max_f64(x, y);
}

static inline double isa_minimum_f64(double x, double y)
{
	return x != x || y != y ? isa_quiet(x != x ? x : y) : isa_min_f64(x, y);
}

/* V_MIN_NUM_F32 and V_MAX_NUM_F32 of gfx12: any number wins over any NaN. */
static inline float isa_number_or(float x, float y, float other)
{
	bool both = x != x && y != y;
	return both ? isa_f32(isa_f32_bits(x) | 0x400000) : x != x ? y : y != y ? x : other;
}

static inline float isa_max_num_f32(float x, float y)
{
	return isa_number_or(x, y, isa_max_f32(x, y));
}

static inline float isa_min_num_f32(float x, float y)
{
	return isa_number_or(x, y, isa_min_f32(x, y));
}

static inline double isa_number_or_f64(double x, double y, double other)
{
	bool both = x != x && y != y;
	return both ? isa_quiet(x) : x != x ? y : y != y ? x : other;
}

static inline double isa_max_num_f64(double x, double y)
{
	return isa_number_or_f64(x, y, isa_max_f64(x, y));
}

static inline double isa_min_num_f64(double x, double y)
{
	return isa_number_or_f64(x, y, isa_min_f64(x, y));
}

static inline float isa_med3_num_f32(float x, float y, float z)
{
	if (x != x || y != y || z != z) {
		return isa_min_num_f32(isa_min_num_f32(x, y), z);
	}
	return isa_max_f32(isa_min_f32(x, y), isa_min_f32(isa_max_f32(x, y), z));
}

static inline float isa_med3_f32(float x, float y, float z)
{
	if (x != x || y != y || z != z) {
		return isa_min_f32(isa_min_f32(x, y), z);
	}
	float most = isa_max_f32(isa_max_f32(x, y), z);
	return most == x ? isa_max_f32(y, z) : most == y ? isa_max_f32(x, z) : isa_max_f32(x, y);
}

/* To nearest even, independent of MODE. */
static inline double isa_rndne(double x)
{
	double low = floor(x);
	double part = x - low;
	bool up = part > 0.5 || (part == 0.5 && fmod(low, 2) != 0);
	return copysign(low + (up ? 1 : 0), x);
}

/* x * y + z rounded to odd, so that a second rounding gives the correctly rounded result. */
static inline double isa_fma_odd_f64(double x, double y, double z)
{
	double product = x * y;
	double below = fma(x, y, -product);
	double sum = product + z;
	double back = sum - product;
	double rest = (product - (sum - back)) + (z - back);
	double near = fma(x, y, z);
	long double error = (long double)(sum - near) + (long double)rest + (long double)below;
	uint64_t bits = isa_f64_bits(near);
	if (error != 0 && isfinite(near) && near != 0 && !(bits & 1)) { /* toward the error */
		bits += (error > 0) == (near > 0) ? 1 : (uint64_t)-1;
	}
	return isa_f64(bits);
}

/* Conversions to integers saturate, and a NaN gives 0. */
static inline int32_t isa_to_i32(double x)
{
	return x != x		    ? 0
	       : x >= 2147483647.0  ? INT32_MAX
	       : x <= -2147483648.0 ? INT32_MIN
				    : (int32_t)x;
}

static inline uint32_t isa_to_u32(double x)
{
	return !(x > 0) ? 0 : x >= 4294967295.0 ? UINT32_MAX : (uint32_t)x;
}

static inline double isa_clamp(double x, double low, double high)
{
	return x != x ? 0 : x < low ? low : x > high ? high : x;
}

/* Exponent and mantissa of V_FREXP: 0 and the number itself for infinities and NaNs. */
static inline int32_t isa_frexp_exp(double x)
{
	int e = 0;
	if (!isfinite(x) || x == 0) {
		return 0;
	}
	(void)frexp(x, &e);
	return e;
}

static inline double isa_frexp_mant(double x)
{
	int e;
	return isfinite(x) ? frexp(x, &e) : x;
}

/* x - floor(x), kept below 1 as the documents require. */
static inline float isa_fract_f32(float x)
{
	float r = x - floorf(x);
	return r >= 1.0f ? 0x1.fffffep-1f : r;
}

/* The largest half below 1. */
static inline float isa_fract_f16(float x)
{
	float r = x - floorf(x);
	return r > 0x1.ffcp-1f ? 0x1.ffcp-1f : r;
}

static inline double isa_fract_f64(double x)
{
	double r = x - floor(x);
	return r >= 1.0 ? 0x1.fffffffffffffp-1 : r;
}

/* The angle of V_SIN and V_COS, whose source x is in revolutions. Beyond 256, the limit of the
 * documents, it is 0. */
static inline double isa_radians(double x)
{
	return fabs(x) > 256 ? 0 : remainder(x, 1) * 6.283185307179586;
}

static inline double isa_sin(double x)
{
	return isfinite(x) ? sin(isa_radians(x)) : (double)NAN;
}

static inline double isa_cos(double x)
{
	return isfinite(x) ? cos(isa_radians(x)) : (double)NAN;
}

/* The class of a number as a bit of V_CMP_CLASS's mask. */
static inline uint32_t isa_class_bit(
	bool sign, bool special, bool fraction, bool quiet, bool normal)
{
	if (special && fraction) {
		return quiet ? 2 : 1;
	}
	unsigned from_zero = special ? 3 : normal ? 2 : fraction ? 1 : 0;
	return sign ? 1u << (5 - from_zero) : 1u << (6 + from_zero);
}

static inline uint32_t isa_class_f32(uint32_t x)
{
	uint32_t e = x >> 23 & 0xff;
	return isa_class_bit(x >> 31, e == 0xff, x & 0x7fffff, x & 0x400000, e > 0);
}

static inline uint32_t isa_class_f16(uint32_t x)
{
	uint32_t e = x >> 10 & 0x1f;
	return isa_class_bit(x >> 15 & 1, e == 0x1f, x & 0x3ff, x & 0x200, e > 0);
}

static inline uint32_t isa_class_f64(uint64_t x)
{
	uint64_t e = x >> 52 & 0x7ff;
	return isa_class_bit(x >> 63, e == 0x7ff, x << 12 != 0, x >> 51 & 1, e > 0);
}

static inline uint32_t isa_perm(uint32_t a, uint32_t b, uint32_t sel)
{
	uint64_t data = (uint64_t)a << 32 | b;
	uint32_t d = 0;
	for (int i = 0; i < 32; i += 8) {
		uint32_t s = sel >> i & 0xff;
		uint32_t byte = s >= 13	  ? 0xff
				: s == 12 ? 0
				: s >= 8  ? (data >> (16 * (s - 8) + 15) & 1) * 0xffu
					  : (uint32_t)(data >> 8 * s) & 0xff;
		d |= byte << i;
	}
	return d;
}

/* ---- 8-bit floating point, the same formats as in verify/runtime/unphi/number.h ---- */

/* fnuz: the formats of gfx942. Their bias is greater by 1; they have no infinities and one NaN
 * (0x80). */
static inline float isa_f8(uint32_t code, int mantissa, bool fnuz)
{
	int exponents = 7 - mantissa;
	int bias = (1 << (exponents - 1)) - (fnuz ? 0 : 1);
	int e = (int)(code >> mantissa) & ((1 << exponents) - 1);
	int m = (int)code & ((1 << mantissa) - 1);
	uint32_t sign = (code & 0x80) << 24;
	bool top = e == (1 << exponents) - 1;
	if (fnuz ? code == 0x80 : top && (mantissa == 3 ? m == 7 : m != 0)) {
		return NAN;
	}
	if (!fnuz && mantissa == 2 && top) {
		return isa_f32(sign | 0x7f800000);
	}
	float unit = isa_f32((uint32_t)(128 - bias - mantissa) << 23); /* of a subnormal */
	uint32_t normal = (uint32_t)(e - bias + 127) << 23 | (uint32_t)m << (23 - mantissa);
	return isa_f32(sign | (e ? normal : isa_f32_bits((float)m * unit)));
}

/* To nearest. Overflow gives NaN (or infinity, in formats that have it); with saturate the largest
 * number. */
static inline uint32_t isa_f8_bits(float f, int mantissa, bool fnuz, bool saturate)
{
	uint32_t sign = isa_f32_bits(f) >> 24 & 0x80;
	int exponents = 7 - mantissa;
	int bias = (1 << (exponents - 1)) - (fnuz ? 0 : 1);
	uint32_t nan = fnuz ? 0x80 : sign | 0x7f;
	uint32_t most = fnuz ? 0x7f : mantissa == 3 ? 0x7e : 0x7b;
	uint32_t over = saturate ? most : fnuz ? 0x80 : mantissa == 3 ? 0x7f : 0x7c;
	if (f != f) {
		return nan;
	}
	float x = fabsf(f);
	int e = x == 0 || isinf(x) ? 1 - bias : ilogbf(x);
	e = e < 1 - bias ? 1 - bias : e;
	/* the bits of the mantissa, rounded; a carry goes into the exponent by itself */
	double units = isinf(x) ? 0x1p30 : nearbyint(ldexp((double)x, mantissa - e));
	uint32_t code = (uint32_t)units + ((uint32_t)(e + bias - 1) << mantissa);
	if (code > most) {
		return over == 0x80 ? 0x80 : sign | over;
	}
	return fnuz && code == 0 ? 0 : sign | code;
}
