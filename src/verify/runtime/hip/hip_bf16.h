#ifndef UNPHI_HIP_BF16_H
#define UNPHI_HIP_BF16_H
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
	UNPHI_INLINE __hip_bfloat16 operator op(__hip_bfloat16 a, __hip_bfloat16 b)                \
	{                                                                                          \
		return (float)a op(float) b;                                                       \
	}                                                                                          \
	UNPHI_INLINE __hip_bfloat162 operator op(__hip_bfloat162 a, __hip_bfloat162 b)             \
	{                                                                                          \
		return __hip_bfloat162(a.x op b.x, a.y op b.y);                                    \
	}                                                                                          \
	UNPHI_INLINE __hip_bfloat16 &operator op##=(__hip_bfloat16 & a, __hip_bfloat16 b)          \
	{                                                                                          \
		return a = a op b;                                                                 \
	}                                                                                          \
	UNPHI_INLINE __hip_bfloat162 &operator op##=(__hip_bfloat162 & a, __hip_bfloat162 b)       \
	{                                                                                          \
		return a = a op b;                                                                 \
	}                                                                                          \
	UNPHI_INLINE __hip_bfloat16 __h##name(__hip_bfloat16 a, __hip_bfloat16 b)                  \
	{                                                                                          \
		return a op b;                                                                     \
	}                                                                                          \
	UNPHI_INLINE __hip_bfloat162 __h##name##2(__hip_bfloat162 a, __hip_bfloat162 b)            \
	{                                                                                          \
		return a op b;                                                                     \
	}
UNPHI_BF16_OPERATOR(add, +)
UNPHI_BF16_OPERATOR(sub, -)
UNPHI_BF16_OPERATOR(mul, *)
UNPHI_BF16_OPERATOR(div, /)
#undef UNPHI_BF16_OPERATOR

#define UNPHI_BF16_COMPARE(name, op)                                                               \
	UNPHI_INLINE bool operator op(__hip_bfloat16 a, __hip_bfloat16 b)                          \
	{                                                                                          \
		return (float)a op(float) b;                                                       \
	}                                                                                          \
	UNPHI_INLINE bool __h##name(__hip_bfloat16 a, __hip_bfloat16 b)                            \
	{                                                                                          \
		return (float)a op(float) b;                                                       \
	}
UNPHI_BF16_COMPARE(eq, ==)
UNPHI_BF16_COMPARE(ne, !=)
UNPHI_BF16_COMPARE(lt, <)
UNPHI_BF16_COMPARE(le, <=)
UNPHI_BF16_COMPARE(gt, >)
UNPHI_BF16_COMPARE(ge, >=)
#undef UNPHI_BF16_COMPARE

UNPHI_INLINE __hip_bfloat16 __hfma(__hip_bfloat16 a, __hip_bfloat16 b, __hip_bfloat16 c)
{
	return fmaf((float)a, (float)b, (float)c);
}
UNPHI_INLINE __hip_bfloat162 __hfma2(__hip_bfloat162 a, __hip_bfloat162 b, __hip_bfloat162 c)
{
	return __hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
UNPHI_INLINE __hip_bfloat16 __hneg(__hip_bfloat16 a)
{
	return -a;
}
UNPHI_INLINE __hip_bfloat16 __habs(__hip_bfloat16 a)
{
	return __hip_bfloat16_raw{(unsigned short)(a.__x & 0x7fff)};
}
UNPHI_INLINE __hip_bfloat16 __hmax(__hip_bfloat16 a, __hip_bfloat16 b)
{
	return fmaxf((float)a, (float)b);
}
UNPHI_INLINE __hip_bfloat16 __hmin(__hip_bfloat16 a, __hip_bfloat16 b)
{
	return fminf((float)a, (float)b);
}
UNPHI_INLINE bool __hisnan(__hip_bfloat16 a)
{
	return a != a;
}

UNPHI_INLINE __hip_bfloat16 __float2bfloat16(float x)
{
	return x;
}
UNPHI_INLINE __hip_bfloat16 __float2bfloat16_rn(float x)
{
	return x;
}
UNPHI_INLINE __hip_bfloat16 __double2bfloat16(double x)
{
	return x;
}
UNPHI_INLINE float __bfloat162float(__hip_bfloat16 x)
{
	return x;
}
UNPHI_INLINE __hip_bfloat162 __floats2bfloat162_rn(float x, float y)
{
	return __hip_bfloat162(x, y);
}
UNPHI_INLINE __hip_bfloat162 __float22bfloat162_rn(float2 x)
{
	return __hip_bfloat162(x.x, x.y);
}
UNPHI_INLINE float2 __bfloat1622float2(__hip_bfloat162 x)
{
	return float2((float)x.x, (float)x.y);
}
UNPHI_INLINE __hip_bfloat162 __bfloat162bfloat162(__hip_bfloat16 x)
{
	return __hip_bfloat162(x, x);
}
UNPHI_INLINE __hip_bfloat162 __halves2bfloat162(__hip_bfloat16 x, __hip_bfloat16 y)
{
	return __hip_bfloat162(x, y);
}
UNPHI_INLINE __hip_bfloat16 __low2bfloat16(__hip_bfloat162 x)
{
	return x.x;
}
UNPHI_INLINE __hip_bfloat16 __high2bfloat16(__hip_bfloat162 x)
{
	return x.y;
}
UNPHI_INLINE short __bfloat16_as_short(__hip_bfloat16 x)
{
	return (short)x.__x;
}
UNPHI_INLINE unsigned short __bfloat16_as_ushort(__hip_bfloat16 x)
{
	return x.__x;
}
UNPHI_INLINE __hip_bfloat16 __short_as_bfloat16(short x)
{
	return __hip_bfloat16_raw{(unsigned short)x};
}
UNPHI_INLINE __hip_bfloat16 __ushort_as_bfloat16(unsigned short x)
{
	return __hip_bfloat16_raw{x};
}
#endif
