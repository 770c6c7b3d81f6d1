#pragma once
/*
 * Number formats smaller than float. Conversion to float is exact; conversion to the small format
 * rounds to nearest, ties to even. Subnormal numbers are kept.
 *
 * 8-bit formats (fp8 is e4m3, bf8 is e5m2): FNUZ on gfx940 and gfx942 (no infinity, no negative
 * zero, 0x80 is the NaN, bias 8 and 16), OCP elsewhere (bias 7 and 15; e4m3 has no infinity). A
 * number that is too large becomes the NaN (OCP e5m2: infinity), as with MODE.FP16_OVFL = 0.
 */
#pragma GCC system_header
#include <stdint.h>
#include <unphi/wave.h>

#ifndef UNPHI_FNUZ /* from rules/targets.yaml */
#define UNPHI_FNUZ 1
#endif

namespace unphi
{

UNPHI_INLINE float f16_to_float(uint16_t bits)
{
	const uint32_t sign = (uint32_t)(bits & 0x8000) << 16;
	const uint32_t rest = (uint32_t)(bits & 0x7fff) << 13;
	/* Scaling by a power of two corrects the exponent bias, also for subnormals. */
	const float scaled = __builtin_bit_cast(float, rest) * 0x1p112f;
	uint32_t r = __builtin_bit_cast(uint32_t, scaled);
	r = rest >= 0x0f800000 ? rest | 0x7f800000 : r;
	return __builtin_bit_cast(float, r | sign);
}

UNPHI_FN(float, bf16_to_float, (uint16_t bits), __builtin_bit_cast(float, (uint32_t)bits << 16))

UNPHI_INLINE uint16_t float_to_bf16(float x)
{
	const uint32_t bits = __builtin_bit_cast(uint32_t, x);
	if (x != x) {
		return (uint16_t)(bits >> 16 | 0x40);
	}
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

UNPHI_FN(uint16_t, float_to_f16, (float x), __builtin_bit_cast(uint16_t, (_Float16)x))

enum class f8 {
	e4m3,
	e5m2
};

/* The 256 values, indexed by code. */
const float (&f8_values(f8 format, bool fnuz))[256];
float f8_to_float(uint8_t bits, f8 format, bool fnuz);
/* saturate: numbers that are too large become the largest number. */
uint8_t float_to_f8(float x, f8 format, bool fnuz, bool saturate = false);
/* Stochastic rounding: adds random bits below the format's last place, then truncates. */
uint8_t float_to_f8_random(float x, uint32_t random, f8 format, bool fnuz);

/* OCP's formats for numbers with a common scale, by their codes in cbsz and blgp: e4m3, e5m2, and
 * e2m3, e3m2, e2m1, which have neither infinity nor NaN: a number that is too large, or a NaN,
 * becomes the largest. */
enum class mx {
	fp8,
	bf8,
	fp6,
	bf6,
	fp4
};
int mx_bits(mx format);
double mx_to_double(int code, mx format);
int double_to_mx(double x, mx format);
/* Stochastic rounding of x, whose type has `places` fraction bits: adds random bits below the
 * format's last place, then truncates. */
int double_to_mx_random(double x, int places, uint32_t random, mx format);
/* Element i of a packed vector. */
int mx_get(const void *from, int i, mx format);
void mx_put(void *to, int i, mx format, int code);
/* The scale that an E8M0 code stands for: a power of two, or NaN. */
double e8m0(int code);

} // namespace unphi
