#pragma once
/* __hip_bfloat16 and __hip_bfloat162: computed in float, each operation rounds. */
#pragma GCC system_header
#include <hip/hip_runtime.h>

struct __hip_bfloat16_raw {
	unsigned short x;
};

struct __hip_bfloat16 {
	unsigned short __x;
	__hip_bfloat16() = default;
	__hip_bfloat16(const __hip_bfloat16_raw &r) : __x(r.x)
	{
	}
	__hip_bfloat16(float x) : __x(unphi::float_to_bf16(x))
	{
	}
	__hip_bfloat16(double x) : __x(unphi::float_to_bf16((float)x))
	{
	}
	__hip_bfloat16(int x) : __x(unphi::float_to_bf16((float)x))
	{
	}
	__hip_bfloat16(unsigned x) : __x(unphi::float_to_bf16((float)x))
	{
	}
	operator float() const
	{
		return unphi::bf16_to_float(__x);
	}
	operator __hip_bfloat16_raw() const
	{
		return __hip_bfloat16_raw{__x};
	}
	__hip_bfloat16 operator-() const
	{
		return __hip_bfloat16_raw{(unsigned short)(__x ^ 0x8000)};
	}
};

struct alignas(4) __hip_bfloat162 {
	__hip_bfloat16 x;
	__hip_bfloat16 y;
	__hip_bfloat162() = default;
	__hip_bfloat162(__hip_bfloat16 a, __hip_bfloat16 b) : x(a), y(b)
	{
	}
	__hip_bfloat162 operator-() const
	{
		return __hip_bfloat162(-x, -y);
	}
};

#define UNPHI_BF16_OPERATOR(name, op)                                                              \
	UNPHI_FN(__hip_bfloat16, operator op, (__hip_bfloat16 a, __hip_bfloat16 b),                \
		(float)a op(float) b)                                                              \
	UNPHI_FN(__hip_bfloat162, operator op, (__hip_bfloat162 a, __hip_bfloat162 b),             \
		__hip_bfloat162(a.x op b.x, a.y op b.y))                                           \
	UNPHI_FN(__hip_bfloat16 &, operator op##=, (__hip_bfloat16 & a, __hip_bfloat16 b),         \
		a = a op b)                                                                        \
	UNPHI_FN(__hip_bfloat162 &, operator op##=, (__hip_bfloat162 & a, __hip_bfloat162 b),      \
		a = a op b)                                                                        \
	UNPHI_FN(__hip_bfloat16, __h##name, (__hip_bfloat16 a, __hip_bfloat16 b), a op b)          \
	UNPHI_FN(__hip_bfloat162, __h##name##2, (__hip_bfloat162 a, __hip_bfloat162 b), a op b)
UNPHI_BF16_OPERATOR(add, +)
UNPHI_BF16_OPERATOR(sub, -)
UNPHI_BF16_OPERATOR(mul, *)
UNPHI_BF16_OPERATOR(div, /)
#undef UNPHI_BF16_OPERATOR

#define UNPHI_BF16_COMPARE(name, op)                                                               \
	UNPHI_FN(bool, operator op, (__hip_bfloat16 a, __hip_bfloat16 b), (float)a op(float) b)    \
	UNPHI_FN(bool, __h##name, (__hip_bfloat16 a, __hip_bfloat16 b), (float)a op(float) b)
UNPHI_BF16_COMPARE(eq, ==)
UNPHI_BF16_COMPARE(ne, !=)
UNPHI_BF16_COMPARE(lt, <)
UNPHI_BF16_COMPARE(le, <=)
UNPHI_BF16_COMPARE(gt, >)
UNPHI_BF16_COMPARE(ge, >=)
#undef UNPHI_BF16_COMPARE

UNPHI_FN(__hip_bfloat16, __hfma, (__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c),
	fmaf((float)a, (float)b, (float)c))
UNPHI_FN(__hip_bfloat162, __hfma2, (__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c),
	__hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)))
UNPHI_FN(__hip_bfloat16, __hneg, (__hip_bfloat16 a), -a)
UNPHI_FN(__hip_bfloat16, __habs, (__hip_bfloat16 a),
	__hip_bfloat16_raw{(unsigned short)(a.__x & 0x7fff)})
UNPHI_FN(__hip_bfloat16, __hmax, (__hip_bfloat16 a, __hip_bfloat16 b), fmaxf((float)a, (float)b))
UNPHI_FN(__hip_bfloat16, __hmin, (__hip_bfloat16 a, __hip_bfloat16 b), fminf((float)a, (float)b))
UNPHI_FN(bool, __hisnan, (__hip_bfloat16 a), a != a)

UNPHI_FN(__hip_bfloat16, __float2bfloat16, (float x), x)
UNPHI_FN(__hip_bfloat16, __float2bfloat16_rn, (float x), x)
UNPHI_FN(__hip_bfloat16, __double2bfloat16, (double x), x)
UNPHI_FN(float, __bfloat162float, (__hip_bfloat16 x), x)
UNPHI_FN(__hip_bfloat162, __floats2bfloat162_rn, (float x, float y), __hip_bfloat162(x, y))
UNPHI_FN(__hip_bfloat162, __float22bfloat162_rn, (float2 x), __hip_bfloat162(x.x, x.y))
UNPHI_FN(float2, __bfloat1622float2, (__hip_bfloat162 x), float2((float)x.x, (float)x.y))
UNPHI_FN(__hip_bfloat162, __bfloat162bfloat162, (__hip_bfloat16 x), __hip_bfloat162(x, x))
UNPHI_FN(__hip_bfloat162, __halves2bfloat162, (__hip_bfloat16 x, __hip_bfloat16 y),
	__hip_bfloat162(x, y))
UNPHI_FN(__hip_bfloat16, __low2bfloat16, (__hip_bfloat162 x), x.x)
UNPHI_FN(__hip_bfloat16, __high2bfloat16, (__hip_bfloat162 x), x.y)
UNPHI_FN(short, __bfloat16_as_short, (__hip_bfloat16 x), (short)x.__x)
UNPHI_FN(unsigned short, __bfloat16_as_ushort, (__hip_bfloat16 x), x.__x)
UNPHI_FN(__hip_bfloat16, __short_as_bfloat16, (short x), __hip_bfloat16_raw{(unsigned short)x})
UNPHI_FN(__hip_bfloat16, __ushort_as_bfloat16, (unsigned short x), __hip_bfloat16_raw{x})
