// Floating point formats of 8 bits and less, and the 16-bit functions missing in the host's
// libraries.
#include <unphi/number.h>

#include <math.h>

namespace unphi
{

namespace
{

struct layout {
	int mantissa; // bits
	int bias;
	int sign;     // its bit
	int highest;  // code of the largest number
	int overflow; // code of larger numbers, without the sign
	int nan;      // likewise
	bool fnuz;    // only the sign bit set is the NaN
};

layout layout_of(f8 format, bool fnuz)
{
	if (fnuz) {
		return format == f8::e4m3 ? layout{3, 8, 0x80, 0x7f, 0x80, 0x80, true}
					  : layout{2, 16, 0x80, 0x7f, 0x80, 0x80, true};
	}
	return format == f8::e4m3 ? layout{3, 7, 0x80, 0x7e, 0x7f, 0x7f, false}
				  : layout{2, 15, 0x80, 0x7b, 0x7c, 0x7f, false};
}

layout layout_of(mx format)
{
	switch (format) {
	case mx::fp8:
	case mx::bf8:
		return layout_of(format == mx::fp8 ? f8::e4m3 : f8::e5m2, false);
	case mx::fp6:
		return {3, 1, 0x20, 0x1f, 0x1f, 0x1f, false};
	case mx::bf6:
		return {2, 3, 0x20, 0x1f, 0x1f, 0x1f, false};
	default:
		return {1, 1, 8, 7, 7, 7, false};
	}
}

// below: number of random bits below the format's last place; -1: round to nearest.
int encode(double x, const layout &l, bool saturate, int below, uint32_t random)
{
	const int sign = signbit(x) ? l.sign : 0;
	if (x != x) {
		return l.fnuz ? l.nan : l.nan | sign;
	}
	const double size = fabs(x);
	int code = l.overflow;
	if (!isinf(x)) {
		int exponent = size == 0 ? 1 - l.bias : ilogb(size);
		exponent = exponent < 1 - l.bias ? 1 - l.bias : exponent;
		double steps = ldexp(size, l.mantissa - exponent);
		if (below >= 0) {
			steps = floor(steps + ldexp((double)(random >> (32 - below)), -below));
		} else {
			steps = rint(steps);
		}
		const double most = (exponent + l.bias - 1) * (double)(1 << l.mantissa) + steps;
		code = most > l.highest ? l.highest + 1 : (int)most;
	}
	if (code > l.highest || isinf(x)) {
		code = saturate ? l.highest : l.overflow;
		if (l.fnuz && code == l.sign) {
			return code;
		}
	}
	return l.fnuz && code == 0 ? 0 : code | sign;
}

double decode(int bits, const layout &l)
{
	const int code = bits & (l.sign - 1);
	const int exponent = code >> l.mantissa;
	const int mantissa = code & ((1 << l.mantissa) - 1);
	const bool infinite = code == l.overflow && l.overflow != l.nan;
	if (l.fnuz ? bits == l.sign : code > l.highest && !infinite) {
		return NAN;
	}
	const double size =
		infinite	? INFINITY
		: exponent == 0 ? ldexp(mantissa, 1 - l.bias - l.mantissa)
				: ldexp(mantissa | 1 << l.mantissa, exponent - l.bias - l.mantissa);
	return bits & l.sign ? -size : size;
}

struct table {
	float value[2][2][256];
	table()
	{
		for (int i = 0; i < 256; ++i) {
			for (int fnuz = 0; fnuz < 2; ++fnuz) {
				value[0][fnuz][i] = (float)decode(i, layout_of(f8::e4m3, fnuz));
				value[1][fnuz][i] = (float)decode(i, layout_of(f8::e5m2, fnuz));
			}
		}
	}
};

} // namespace

const float (&f8_values(f8 format, bool fnuz))[256]
{
	static const table all;
	return all.value[format == f8::e5m2][fnuz];
}

float f8_to_float(uint8_t bits, f8 format, bool fnuz)
{
	return f8_values(format, fnuz)[bits];
}

uint8_t float_to_f8(float x, f8 format, bool fnuz, bool saturate)
{
	return (uint8_t)encode(x, layout_of(format, fnuz), saturate, -1, 0);
}

uint8_t float_to_f8_random(float x, uint32_t random, f8 format, bool fnuz)
{
	const layout l = layout_of(format, fnuz);
	return (uint8_t)encode(x, l, false, 23 - l.mantissa, random);
}

int mx_bits(mx format)
{
	return format == mx::fp4 ? 4 : format == mx::fp6 || format == mx::bf6 ? 6 : 8;
}

double mx_to_double(int code, mx format)
{
	return decode(code, layout_of(format));
}

int double_to_mx(double x, mx format)
{
	return encode(x, layout_of(format), false, -1, 0);
}

int double_to_mx_random(double x, int places, uint32_t random, mx format)
{
	const layout l = layout_of(format);
	return encode(x, l, false, places - l.mantissa, random);
}

int mx_get(const void *from, int i, mx format)
{
	const int bits = mx_bits(format);
	const uint8_t *byte = (const uint8_t *)from + i * bits / 8;
	const int at = i * bits % 8;
	const int both = at + bits > 8 ? byte[0] | byte[1] << 8 : byte[0];
	return both >> at & ((1 << bits) - 1);
}

void mx_put(void *to, int i, mx format, int code)
{
	const int bits = mx_bits(format);
	for (int b = 0; b < bits; ++b) {
		uint8_t *byte = (uint8_t *)to + (i * bits + b) / 8;
		const int at = (i * bits + b) % 8;
		*byte = (uint8_t)((*byte & ~(1 << at)) | (code >> b & 1) << at);
	}
}

double e8m0(int code)
{
	return code == 0xff ? (double)NAN : ldexp(1.0, code - 127);
}

} // namespace unphi

// Called by clang's code for 16-bit numbers. libgcc has the first two since version 13, libm has no
// sqrtf16.
extern "C" {

#if __clang_major__ >= 17
__attribute__((weak)) __bf16 __truncsfbf2(float x)
{
	const unsigned bits = __builtin_bit_cast(unsigned, x);
	const unsigned up = 0x7fff + (bits >> 16 & 1);
	const unsigned short rounded =
		(unsigned short)(x != x ? bits >> 16 | 0x40 : (bits + up) >> 16);
	return __builtin_bit_cast(__bf16, rounded);
}

// Through a float rounded to odd, so that the second rounding is right.
__attribute__((weak)) __bf16 __truncdfbf2(double x)
{
	const float near = (float)x;
	unsigned bits = __builtin_bit_cast(unsigned, near);
	if (x == x && near != x) {
		bits -= __builtin_fabs((double)near) > __builtin_fabs(x);
		bits |= 1;
	}
	return __truncsfbf2(__builtin_bit_cast(float, bits));
}
#endif

__attribute__((weak)) _Float16 sqrtf16(_Float16 x)
{
	return (_Float16)sqrtf((float)x);
}
}
