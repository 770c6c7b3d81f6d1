#pragma once
/* __half and __half2 over _Float16; each operation rounds. Functions of libm are computed in
 * float. */
#pragma GCC system_header
#include <hip/hip_runtime.h>

struct __half_raw {
	union {
		_Float16 data;
		unsigned short x;
	};
};

struct __half {
	union {
		_Float16 data;
		unsigned short __x;
	};
	__half() = default;
	constexpr __half(_Float16 x) : data(x)
	{
	}
	constexpr __half(const __half_raw &x) : data(x.data)
	{
	}
	constexpr __half(float x) : data((_Float16)x)
	{
	}
	constexpr __half(double x) : data((_Float16)x)
	{
	}
	constexpr __half(int x) : data((_Float16)x)
	{
	}
	constexpr __half(unsigned x) : data((_Float16)x)
	{
	}
	constexpr __half(long long x) : data((_Float16)x)
	{
	}
	constexpr __half(unsigned long long x) : data((_Float16)x)
	{
	}
	constexpr operator _Float16() const
	{
		return data;
	}
	constexpr operator float() const
	{
		return (float)data;
	}
	operator __half_raw() const
	{
		__half_raw r;
		r.data = data;
		return r;
	}
	explicit constexpr operator bool() const
	{
		return data != (_Float16)0;
	}
	explicit constexpr operator int() const
	{
		return (int)data;
	}
	constexpr __half operator-() const
	{
		return __half((_Float16)-data);
	}
	constexpr __half operator+() const
	{
		return *this;
	}
};
typedef __half half;

struct __half2 {
	union {
		unphi_half2 data;
		struct {
			__half x;
			__half y;
		};
	};
	__half2() = default;
	constexpr __half2(__half a, __half b) : x(a), y(b)
	{
	}
	constexpr explicit __half2(__half a) : x(a), y(a)
	{
	}
	__half2 operator-() const
	{
		return __half2(-x, -y);
	}
};
typedef __half2 half2;

UNPHI_FN(__half2, make_half2, (__half x, __half y), __half2(x, y))

#define UNPHI_HALF_OPERATOR(op)                                                                    \
	UNPHI_FN(__half, operator op, (__half a, __half b), __half((_Float16)(a.data op b.data)))  \
	UNPHI_FN(__half2, operator op, (__half2 a, __half2 b), __half2(a.x op b.x, a.y op b.y))    \
	UNPHI_FN(__half &, operator op##=, (__half & a, __half b), a = a op b)                     \
	UNPHI_FN(__half2 &, operator op##=, (__half2 & a, __half2 b), a = a op b)
UNPHI_HALF_OPERATOR(+)
UNPHI_HALF_OPERATOR(-)
UNPHI_HALF_OPERATOR(*)
UNPHI_HALF_OPERATOR(/)
#undef UNPHI_HALF_OPERATOR

/* Comparisons: name, operator; the second form is true for unordered operands, too. */
#define UNPHI_HALF_COMPARE(name, op)                                                               \
	UNPHI_FN(bool, operator op, (__half a, __half b), a.data op b.data)                        \
	UNPHI_FN(bool, __h##name, (__half a, __half b), a.data op b.data)                          \
	UNPHI_FN(bool, __h##name##u, (__half a, __half b),                                         \
		a.data != a.data || b.data != b.data || a.data op b.data)                          \
	UNPHI_FN(__half2, __h##name##2, (__half2 a, __half2 b),                                    \
		__half2(__half((float)(a.x.data op b.x.data)),                                     \
			__half((float)(a.y.data op b.y.data))))                                    \
	UNPHI_FN(bool, __hb##name##2, (__half2 a, __half2 b),                                      \
		(a.x.data op b.x.data) && (a.y.data op b.y.data))
UNPHI_HALF_COMPARE(eq, ==)
UNPHI_HALF_COMPARE(ne, !=)
UNPHI_HALF_COMPARE(lt, <)
UNPHI_HALF_COMPARE(le, <=)
UNPHI_HALF_COMPARE(gt, >)
UNPHI_HALF_COMPARE(ge, >=)
#undef UNPHI_HALF_COMPARE

namespace unphi
{
/* Like the device's clamp, turns a NaN into 0. */
UNPHI_FN(float, clamp_half, (float x), x >= 0 ? x > 1 ? 1.0f : x : 0.0f)
} // namespace unphi
#define UNPHI_HALF_ARITHMETIC(name, op)                                                            \
	UNPHI_FN(__half, __h##name, (__half a, __half b), a op b)                                  \
	UNPHI_FN(__half, __h##name##_rn, (__half a, __half b), a op b)                             \
	UNPHI_FN(__half, __h##name##_sat, (__half a, __half b),                                    \
		__half(unphi::clamp_half((float)(a op b))))                                        \
	UNPHI_FN(__half2, __h##name##2, (__half2 a, __half2 b), a op b)
UNPHI_HALF_ARITHMETIC(add, +)
UNPHI_HALF_ARITHMETIC(sub, -)
UNPHI_HALF_ARITHMETIC(mul, *)
UNPHI_HALF_ARITHMETIC(div, /)
#undef UNPHI_HALF_ARITHMETIC

/* The product is exact in float; the sum is rounded to float and then to half. */
UNPHI_FN(__half, __hfma, (__half a, __half b, __half c),
	__half((_Float16)fmaf((float)a.data, (float)b.data, (float)c.data)))
UNPHI_FN(__half2, __hfma2, (__half2 a, __half2 b, __half2 c),
	__half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)))
UNPHI_FN(__half, __hneg, (__half a), -a)
UNPHI_FN(__half2, __hneg2, (__half2 a), -a)
UNPHI_FN(__half, __habs, (__half a), __half(fabsf((float)a.data)))
UNPHI_FN(__half2, __habs2, (__half2 a), __half2(__habs(a.x), __habs(a.y)))
UNPHI_FN(__half, __hmax, (__half a, __half b), __half(fmaxf((float)a.data, (float)b.data)))
UNPHI_FN(__half, __hmin, (__half a, __half b), __half(fminf((float)a.data, (float)b.data)))
UNPHI_FN(__half2, __hmax2, (__half2 a, __half2 b), __half2(__hmax(a.x, b.x), __hmax(a.y, b.y)))
UNPHI_FN(__half2, __hmin2, (__half2 a, __half2 b), __half2(__hmin(a.x, b.x), __hmin(a.y, b.y)))
UNPHI_FN(bool, __hisnan, (__half a), a.data != a.data)
UNPHI_FN(int, __hisinf, (__half a), isinf((float)a.data) ? (a.data < (_Float16)0 ? -1 : 1) : 0)

#define UNPHI_HALF_MATH(name, expression)                                                          \
	UNPHI_INLINE __half h##name(__half a)                                                      \
	{                                                                                          \
		const float x = (float)a.data;                                                     \
		return __half((float)(expression));                                                \
	}                                                                                          \
	UNPHI_FN(__half2, h2##name, (__half2 a), __half2(h##name(a.x), h##name(a.y)))
UNPHI_HALF_MATH(exp, expf(x))
UNPHI_HALF_MATH(exp2, exp2f(x))
UNPHI_HALF_MATH(exp10, pow(10.0, x))
UNPHI_HALF_MATH(log, logf(x))
UNPHI_HALF_MATH(log2, log2f(x))
UNPHI_HALF_MATH(log10, log10f(x))
UNPHI_HALF_MATH(sqrt, sqrtf(x))
UNPHI_HALF_MATH(rsqrt, 1.0f / sqrtf(x))
UNPHI_HALF_MATH(rcp, 1.0f / x)
UNPHI_HALF_MATH(sin, sinf(x))
UNPHI_HALF_MATH(cos, cosf(x))
UNPHI_HALF_MATH(floor, floorf(x))
UNPHI_HALF_MATH(ceil, ceilf(x))
UNPHI_HALF_MATH(trunc, truncf(x))
UNPHI_HALF_MATH(rint, rintf(x))
#undef UNPHI_HALF_MATH

/* Conversions. */
UNPHI_FN(__half, __float2half, (float x), __half(x))
UNPHI_FN(__half, __float2half_rn, (float x), __half(x))
UNPHI_FN(__half, __float2half_rz, (float x), __half(unphi::cut_to_half(x)))
UNPHI_FN(__half, __double2half, (double x), __half(x))
UNPHI_FN(float, __half2float, (__half x), (float)x.data)
UNPHI_FN(__half2, __float2half2_rn, (float x), __half2(__half(x), __half(x)))
UNPHI_FN(__half2, __floats2half2_rn, (float x, float y), __half2(__half(x), __half(y)))
UNPHI_FN(__half2, __float22half2_rn, (float2 x), __half2(__half(x.x), __half(x.y)))
UNPHI_FN(float2, __half22float2, (__half2 x), float2(__half2float(x.x), __half2float(x.y)))
UNPHI_FN(__half2, __half2half2, (__half x), __half2(x, x))
UNPHI_FN(__half2, __halves2half2, (__half x, __half y), __half2(x, y))
UNPHI_FN(__half, __low2half, (__half2 x), x.x)
UNPHI_FN(__half, __high2half, (__half2 x), x.y)
UNPHI_FN(float, __low2float, (__half2 x), __half2float(x.x))
UNPHI_FN(float, __high2float, (__half2 x), __half2float(x.y))
UNPHI_FN(__half2, __low2half2, (__half2 x), __half2(x.x, x.x))
UNPHI_FN(__half2, __high2half2, (__half2 x), __half2(x.y, x.y))
UNPHI_FN(__half2, __lowhigh2highlow, (__half2 x), __half2(x.y, x.x))
UNPHI_FN(__half2, __lows2half2, (__half2 x, __half2 y), __half2(x.x, y.x))
UNPHI_FN(__half2, __highs2half2, (__half2 x, __half2 y), __half2(x.y, y.y))
UNPHI_FN(short, __half_as_short, (__half x), __builtin_bit_cast(short, x))
UNPHI_FN(unsigned short, __half_as_ushort, (__half x), __builtin_bit_cast(unsigned short, x))
UNPHI_FN(__half, __short_as_half, (short x), __builtin_bit_cast(__half, x))
UNPHI_FN(__half, __ushort_as_half, (unsigned short x), __builtin_bit_cast(__half, x))
#define UNPHI_HALF_INTEGER(T, name)                                                                \
	UNPHI_FN(T, __half2##name##_rn, (__half x), unphi::to_integer<T>(rintf((float)x.data)))    \
	UNPHI_FN(T, __half2##name##_rz, (__half x), unphi::to_integer<T>(truncf((float)x.data)))   \
	UNPHI_FN(T, __half2##name##_ru, (__half x), unphi::to_integer<T>(ceilf((float)x.data)))    \
	UNPHI_FN(T, __half2##name##_rd, (__half x), unphi::to_integer<T>(floorf((float)x.data)))   \
	UNPHI_FN(__half, __##name##2half_rn, (T x), __half((double)x))
UNPHI_HALF_INTEGER(int, int)
UNPHI_HALF_INTEGER(unsigned, uint)
UNPHI_HALF_INTEGER(short, short)
UNPHI_HALF_INTEGER(unsigned short, ushort)
UNPHI_HALF_INTEGER(long long, ll)
UNPHI_HALF_INTEGER(unsigned long long, ull)
#undef UNPHI_HALF_INTEGER
