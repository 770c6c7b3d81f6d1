#pragma once
/*
 * HIP's mathematical functions, computed by the host's libm. The bits differ from the device's, but
 * are the same before and after a rewrite. They are macros where glibc has a function of the same
 * name.
 */
#pragma GCC system_header
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <unphi/wave.h>

/* Minimum and maximum of mixed types, as HIP overloads them. */
#define UNPHI_MIN_MAX(T)                                                                           \
	UNPHI_FN(constexpr T, min, (T a, T b), b < a ? b : a)                                      \
	UNPHI_FN(constexpr T, max, (T a, T b), a < b ? b : a)
UNPHI_MIN_MAX(int)
UNPHI_MIN_MAX(unsigned)
UNPHI_MIN_MAX(long)
UNPHI_MIN_MAX(unsigned long)
UNPHI_MIN_MAX(long long)
UNPHI_MIN_MAX(unsigned long long)
#undef UNPHI_MIN_MAX
#define UNPHI_MIN_MAX(A, B, T)                                                                     \
	UNPHI_FN(constexpr T, min, (A a, B b), min((T)a, (T)b))                                    \
	UNPHI_FN(constexpr T, max, (A a, B b), max((T)a, (T)b))                                    \
	UNPHI_FN(constexpr T, min, (B a, A b), min((T)a, (T)b))                                    \
	UNPHI_FN(constexpr T, max, (B a, A b), max((T)a, (T)b))
UNPHI_MIN_MAX(int, unsigned, unsigned)
UNPHI_MIN_MAX(int, long, long)
UNPHI_MIN_MAX(int, unsigned long, unsigned long)
UNPHI_MIN_MAX(unsigned, unsigned long, unsigned long)
UNPHI_MIN_MAX(unsigned, long, long)
UNPHI_MIN_MAX(int, long long, long long)
UNPHI_MIN_MAX(int, unsigned long long, unsigned long long)
UNPHI_MIN_MAX(unsigned, unsigned long long, unsigned long long)
#undef UNPHI_MIN_MAX
UNPHI_FN(float, min, (float a, float b), fminf(a, b))
UNPHI_FN(float, max, (float a, float b), fmaxf(a, b))
#define UNPHI_MIN_MAX(A, B)                                                                        \
	UNPHI_FN(double, min, (A a, B b), fmin(a, b))                                              \
	UNPHI_FN(double, max, (A a, B b), fmax(a, b))
UNPHI_MIN_MAX(double, double)
UNPHI_MIN_MAX(double, float)
UNPHI_MIN_MAX(float, double)
#undef UNPHI_MIN_MAX

UNPHI_FN(float, rsqrtf, (float x), (float)(1.0 / sqrt((double)x)))
UNPHI_FN(double, rsqrt, (double x), 1.0 / sqrt(x))
UNPHI_FN(float, rsqrt, (float x), 1.0f / sqrtf(x))
UNPHI_FN(float, rcbrtf, (float x), 1.0f / cbrtf(x))
UNPHI_FN(double, rcbrt, (double x), 1.0 / cbrt(x))
UNPHI_FN(float, rhypotf, (float x, float y), 1.0f / hypotf(x, y))
UNPHI_FN(double, rhypot, (double x, double y), 1.0 / hypot(x, y))
UNPHI_FN(float, norm3df, (float x, float y, float z), sqrtf(x *x + y * y + z * z))
UNPHI_FN(float, rnorm3df, (float x, float y, float z), 1.0f / norm3df(x, y, z))
UNPHI_FN(float, norm4df, (float x, float y, float z, float w), sqrtf(x *x + y * y + z * z + w * w))
UNPHI_FN(float, rnorm4df, (float x, float y, float z, float w), 1.0f / norm4df(x, y, z, w))
UNPHI_FN(double, norm3d, (double x, double y, double z), sqrt(x *x + y * y + z * z))
UNPHI_FN(double, norm4d, (double x, double y, double z, double w),
	sqrt(x *x + y * y + z * z + w * w))
UNPHI_FN(float, sinpif, (float x), (float)sin((double)x *M_PI))
UNPHI_FN(float, cospif, (float x), (float)cos((double)x *M_PI))
UNPHI_FN(double, sinpi, (double x), sin(x *M_PI))
UNPHI_FN(double, cospi, (double x), cos(x *M_PI))
UNPHI_INLINE void sincospif(float x, float *s, float *c)
{
	*s = sinpif(x);
	*c = cospif(x);
}
UNPHI_FN(float, erfcxf, (float x), (float)(exp((double)x *x) * erfc((double)x)))
UNPHI_FN(double, erfcx, (double x), exp(x *x) * erfc(x))
UNPHI_FN(float, normcdff, (float x), (float)(0.5 * erfc(-(double)x * M_SQRT1_2)))
UNPHI_FN(double, normcdf, (double x), 0.5 * erfc(-x * M_SQRT1_2))
UNPHI_FN(float, fdividef, (float x, float y), x / y)
UNPHI_FN(float, powif, (float x, int n), (float)pow((double)x, n))
UNPHI_FN(double, powi, (double x, int n), pow(x, n))
/* Like HIP's, it returns a NaN for a NaN. */
UNPHI_FN(float, __saturatef, (float x), x < 0 ? 0.0f : x > 1 ? 1.0f : x)

namespace unphi
{
UNPHI_FN(float, divide, (float x, float y), x / y)
/* The fast forms compute in the steps of HIP's headers (__clang_hip_math.h) and device library,
 * so that they differ from the exact ones, as they do on the device. */
UNPHI_FN(float, fast_exp, (float x), exp2f(x * 0x1.715476p+0f))
UNPHI_FN(float, fast_exp10, (float x), exp2f(x * 0x1.a934f0p+1f))
UNPHI_FN(float, fast_log, (float x), log2f(x) * 0x1.62e430p-1f)
UNPHI_FN(float, fast_log10, (float x), log2f(x) * 0x1.344136p-2f)
/* The instruction counts revolutions, hence 1 / (2 pi). */
UNPHI_FN(float, fast_sin, (float x), (float)sin((double)(x * 0x1.45f306p-3f) * (2 * M_PI)))
UNPHI_FN(float, fast_cos, (float x), (float)cos((double)(x * 0x1.45f306p-3f) * (2 * M_PI)))
UNPHI_FN(float, fast_tan, (float x), fast_sin(x) * (1.0f / fast_cos(x)))
UNPHI_INLINE void sine_cosine(float x, float *s, float *c)
{
	*s = fast_sin(x);
	*c = fast_cos(x);
}
} // namespace unphi

#define __expf(x) unphi::fast_exp(x)
#define __exp2f(x) exp2f(x)
#define __exp10f(x) unphi::fast_exp10(x)
#define __logf(x) unphi::fast_log(x)
#define __log2f(x) log2f(x)
#define __log10f(x) unphi::fast_log10(x)
#define __powf(x, y) powf(x, y)
#define __sinf(x) unphi::fast_sin(x)
#define __cosf(x) unphi::fast_cos(x)
#define __tanf(x) unphi::fast_tan(x)
#define __sincosf(x, s, c) unphi::sine_cosine(x, s, c)
#define __fdividef(x, y) unphi::divide(x, y)
#define __frsqrt_rn(x) rsqrtf(x)

/* Arithmetic with the rounding mode in the name. All modes round to nearest here. */
#define UNPHI_ROUNDED(prefix, T, suffix, root, fused)                                              \
	UNPHI_FN(T, __##prefix##add_##suffix, (T a, T b), a + b)                                   \
	UNPHI_FN(T, __##prefix##sub_##suffix, (T a, T b), a - b)                                   \
	UNPHI_FN(T, __##prefix##mul_##suffix, (T a, T b), a *b)                                    \
	UNPHI_FN(T, __##prefix##div_##suffix, (T a, T b), a / b)                                   \
	UNPHI_FN(T, __##prefix##rcp_##suffix, (T a), 1 / a)                                        \
	UNPHI_FN(T, __##prefix##sqrt_##suffix, (T a), root(a))
UNPHI_ROUNDED(f, float, rn, sqrtf, fmaf)
UNPHI_ROUNDED(f, float, rz, sqrtf, fmaf)
UNPHI_ROUNDED(f, float, ru, sqrtf, fmaf)
UNPHI_ROUNDED(f, float, rd, sqrtf, fmaf)
UNPHI_ROUNDED(d, double, rn, sqrt, fma)
#undef UNPHI_ROUNDED
UNPHI_FN(float, __fmaf_rn, (float a, float b, float c), fmaf(a, b, c))
UNPHI_FN(double, __fma_rn, (double a, double b, double c), fma(a, b, c))

/* Bits. */
UNPHI_FN(int, __float_as_int, (float x), __builtin_bit_cast(int, x))
UNPHI_FN(unsigned, __float_as_uint, (float x), __builtin_bit_cast(unsigned, x))
UNPHI_FN(float, __int_as_float, (int x), __builtin_bit_cast(float, x))
UNPHI_FN(float, __uint_as_float, (unsigned x), __builtin_bit_cast(float, x))
UNPHI_FN(long long, __double_as_longlong, (double x), __builtin_bit_cast(long long, x))
UNPHI_FN(double, __longlong_as_double, (long long x), __builtin_bit_cast(double, x))
UNPHI_FN(double, __hiloint2double, (int hi, int lo),
	__longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo)))
UNPHI_FN(int, __double2hiint, (double x), (int)(__double_as_longlong(x) >> 32))
UNPHI_FN(int, __double2loint, (double x), (int)__double_as_longlong(x))

namespace unphi
{
/* Like the device, clamps a value out of range and turns a NaN into 0. */
template <class T, class F> UNPHI_INLINE T to_integer(F x)
{
	const T lowest = std::is_signed<T>::value ? (T)((T)1 << (sizeof(T) * CHAR_BIT - 1)) : (T)0;
	const T highest = (T)~lowest;
	if (!(x == x)) {
		return 0;
	}
	if ((double)x <= (double)lowest) {
		return lowest;
	}
	if ((double)x >= (double)highest) {
		return highest;
	}
	return (T)x;
}
} // namespace unphi
#define UNPHI_CONVERT(F, name, T, to)                                                              \
	UNPHI_FN(T, __##name##2##to##_rn, (F x), unphi::to_integer<T>(rint(x)))                    \
	UNPHI_FN(T, __##name##2##to##_rz, (F x), unphi::to_integer<T>(trunc(x)))                   \
	UNPHI_FN(T, __##name##2##to##_ru, (F x), unphi::to_integer<T>(ceil(x)))                    \
	UNPHI_FN(T, __##name##2##to##_rd, (F x), unphi::to_integer<T>(floor(x)))                   \
	UNPHI_FN(F, __##to##2##name##_rn, (T x), (F)x)
UNPHI_CONVERT(float, float, int, int)
UNPHI_CONVERT(float, float, unsigned, uint)
UNPHI_CONVERT(float, float, long long, ll)
UNPHI_CONVERT(float, float, unsigned long long, ull)
UNPHI_CONVERT(double, double, int, int)
UNPHI_CONVERT(double, double, unsigned, uint)
UNPHI_CONVERT(double, double, long long, ll)
UNPHI_CONVERT(double, double, unsigned long long, ull)
#undef UNPHI_CONVERT
UNPHI_FN(float, __double2float_rn, (double x), (float)x)

/* Integers. */
UNPHI_FN(int, __popc, (unsigned x), __builtin_popcount(x))
UNPHI_FN(int, __popcll, (unsigned long long x), __builtin_popcountll(x))
UNPHI_FN(int, __clz, (int x), x ? __builtin_clz((unsigned)x) : 32)
UNPHI_FN(int, __clzll, (long long x), x ? __builtin_clzll((unsigned long long)x) : 64)
UNPHI_FN(int, __ffs, (int x), __builtin_ffs(x))
UNPHI_FN(int, __ffsll, (long long x), __builtin_ffsll(x))
UNPHI_FN(int, __ffsll, (unsigned long long x), __builtin_ffsll((long long)x))
UNPHI_FN(int, __ffsll, (unsigned long x), __builtin_ffsll((long long)x))
UNPHI_FN(unsigned, __brev, (unsigned x), __builtin_bitreverse32(x))
UNPHI_FN(unsigned long long, __brevll, (unsigned long long x), __builtin_bitreverse64(x))
UNPHI_FN(int, __mulhi, (int a, int b), (int)((long long)a *b >> 32))
UNPHI_FN(unsigned, __umulhi, (unsigned a, unsigned b), (unsigned)((unsigned long long)a *b >> 32))
UNPHI_FN(long long, __mul64hi, (long long a, long long b), (long long)((__int128)a *b >> 64))
UNPHI_FN(unsigned long long, __umul64hi, (unsigned long long a, unsigned long long b),
	(unsigned long long)((unsigned __int128)a *b >> 64))
UNPHI_FN(int, __mul24, (int a, int b),
	(int)((unsigned)((int)((unsigned)a << 8) >> 8) * (unsigned)((int)((unsigned)b << 8) >> 8)))
UNPHI_FN(unsigned, __umul24, (unsigned a, unsigned b), (a & 0xffffff) * (b & 0xffffff))
UNPHI_FN(unsigned, __sad, (int a, int b, unsigned c),
	(a > b ? (unsigned)a - (unsigned)b : (unsigned)b - (unsigned)a) + c)
UNPHI_FN(unsigned, __usad, (unsigned a, unsigned b, unsigned c), (a > b ? a - b : b - a) + c)
UNPHI_FN(int, __hadd, (int a, int b), (int)(((long long)a + b) >> 1))
UNPHI_FN(int, __rhadd, (int a, int b), (int)(((long long)a + b + 1) >> 1))
UNPHI_FN(unsigned, __uhadd, (unsigned a, unsigned b), (unsigned)(((unsigned long long)a + b) >> 1))
UNPHI_FN(unsigned, __urhadd, (unsigned a, unsigned b),
	(unsigned)(((unsigned long long)a + b + 1) >> 1))
UNPHI_INLINE unsigned __byte_perm(unsigned a, unsigned b, unsigned selectors)
{
	const unsigned long long both = (unsigned long long)b << 32 | a;
	unsigned r = 0;
	for (int i = 0; i < 4; ++i) {
		r |= (unsigned)(both >> ((selectors >> 4 * i & 7) * 8) & 0xff) << 8 * i;
	}
	return r;
}
UNPHI_FN(unsigned, __funnelshift_l, (unsigned lo, unsigned hi, unsigned n),
	(unsigned)((((unsigned long long)hi << 32 | lo) << (n & 31)) >> 32))
UNPHI_FN(unsigned, __funnelshift_r, (unsigned lo, unsigned hi, unsigned n),
	(unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31)))
UNPHI_FN(unsigned, __funnelshift_lc, (unsigned lo, unsigned hi, unsigned n),
	n >= 32 ? lo : __funnelshift_l(lo, hi, n))
UNPHI_FN(unsigned, __funnelshift_rc, (unsigned lo, unsigned hi, unsigned n),
	n >= 32 ? hi : __funnelshift_r(lo, hi, n))
UNPHI_INLINE unsigned __bitextract_u32(unsigned x, unsigned at, unsigned n)
{
	at &= 31;
	n &= 31;
	return n ? x >> at & ((1u << n) - 1) : 0;
}
UNPHI_INLINE unsigned __bitinsert_u32(unsigned x, unsigned y, unsigned at, unsigned n)
{
	at &= 31;
	n &= 31;
	const unsigned mask = n ? (1u << n) - 1 : ~0u;
	return (x & ~(mask << at)) | ((y & mask) << at);
}
