// 8-bit floating point formats.
#include <unphi/number.h>

#include <math.h>

namespace unphi
{

namespace
{

struct layout {
	int mantissa; // bits
	int bias;
	int highest;  // code of the largest number
	int nan;      // code
	int overflow; // code, but for the sign
	bool unsigned_nan;
};

layout layout_of(f8 format, bool fnuz)
{
	if (fnuz) {
		return format == f8::e4m3 ? layout{3, 8, 0x7f, 0x80, 0x80, true}
					  : layout{2, 16, 0x7f, 0x80, 0x80, true};
	}
	return format == f8::e4m3 ? layout{3, 7, 0x7e, 0x7f, 0x7f, false}
				  : layout{2, 15, 0x7b, 0x7f, 0x7c, false};
}

uint8_t encode(float x, const layout &l, bool fnuz, bool saturate, bool cut, uint32_t random)
{
	const int sign = signbit(x) ? 0x80 : 0;
	if (x != x) {
		return (uint8_t)(l.unsigned_nan ? l.nan : l.nan | sign);
	}
	const double size = fabs((double)x);
	int code = l.overflow;
	if (!isinf(x)) {
		int exponent = size == 0 ? 1 - l.bias : ilogb(size);
		exponent = exponent < 1 - l.bias ? 1 - l.bias : exponent;
		double steps = ldexp(size, l.mantissa - exponent);
		if (cut) {
			// As many random bits as float has places below this format's.
			const int below = 23 - l.mantissa;
			steps = floor(steps + ldexp((double)(random >> (32 - below)), -below));
		} else {
			steps = rint(steps);
		}
		code = (exponent + l.bias - 1) * (1 << l.mantissa) + (int)steps;
	}
	if (code > l.highest || isinf(x)) {
		code = saturate ? l.highest : l.overflow;
		if (code == 0x80) {
			return 0x80;
		}
	}
	if (fnuz && code == 0) {
		return 0;
	}
	return (uint8_t)(code | sign);
}

float decode(uint8_t bits, f8 format, bool fnuz)
{
	const layout l = layout_of(format, fnuz);
	const int code = bits & 0x7f;
	float size;
	if (fnuz ? bits == 0x80 : code > l.highest && (format == f8::e4m3 || code > 0x7c)) {
		return NAN;
	}
	if (code > l.highest) {
		size = INFINITY;
	} else {
		const int exponent = code >> l.mantissa;
		const int mantissa = code & ((1 << l.mantissa) - 1);
		size = exponent == 0 ? ldexpf((float)mantissa, 1 - l.bias - l.mantissa)
				     : ldexpf((float)(mantissa | 1 << l.mantissa),
					       exponent - l.bias - l.mantissa);
	}
	return bits & 0x80 ? -size : size;
}

struct table {
	float value[2][2][256];
	table()
	{
		for (int i = 0; i < 256; ++i) {
			for (int fnuz = 0; fnuz < 2; ++fnuz) {
				value[0][fnuz][i] = decode((uint8_t)i, f8::e4m3, fnuz);
				value[1][fnuz][i] = decode((uint8_t)i, f8::e5m2, fnuz);
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
	return encode(x, layout_of(format, fnuz), fnuz, saturate, false, 0);
}

uint8_t float_to_f8_random(float x, uint32_t random, f8 format, bool fnuz)
{
	return encode(x, layout_of(format, fnuz), fnuz, false, true, random);
}

} // namespace unphi
