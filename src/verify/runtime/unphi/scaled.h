#pragma once
/*
 * gfx950's conversions with a scale (number.h: mx), v_cvt_scalef32_*. The scale is the exponent of
 * a float; its fraction and sign are ignored. The product of number and scale is exact, and the
 * result is rounded once. Of several stochastic conversions the first one uses the given random
 * number, and each later one v_prng_b32 of the previous number. Source: the ISA document; for
 * numbers that are too large and for NaNs, the host code of AMD's HIP headers.
 */
#pragma GCC system_header
#include <math.h>
#include <string.h>
#include <unphi/matrix.h>
#include <unphi/number.h>

namespace unphi
{

typedef __bf16 v2y __attribute__((vector_size(4)));
typedef __bf16 v32y __attribute__((vector_size(64)));
typedef _Float16 v32h __attribute__((vector_size(64)));
typedef unsigned v6u __attribute__((vector_size(24)));

template <class T> UNPHI_INLINE T element(const void *from, int i)
{
	T x;
	memcpy(&x, (const char *)from + i * sizeof x, sizeof x);
	return x;
}
template <class T> UNPHI_INLINE void set_element(void *to, int i, T x)
{
	memcpy((char *)to + i * sizeof x, &x, sizeof x);
}

/* The wide types: number of fraction bits, and access to an element of a vector. */
struct wide_f32 {
	static constexpr int places = 23;
	static double get(const void *from, int i)
	{
		return element<float>(from, i);
	}
	static void put(void *to, int i, double x)
	{
		set_element(to, i, (float)x);
	}
};
/* Goes through float, which is exact for every product that does not round to 0 in f16. */
struct wide_f16 {
	static constexpr int places = 10;
	static double get(const void *from, int i)
	{
		return f16_to_float(element<uint16_t>(from, i));
	}
	static void put(void *to, int i, double x)
	{
		set_element(to, i, float_to_f16((float)x));
	}
};
struct wide_bf16 {
	static constexpr int places = 7;
	static double get(const void *from, int i)
	{
		return bf16_to_float(element<uint16_t>(from, i));
	}
	static void put(void *to, int i, double x)
	{
		set_element(to, i, float_to_bf16((float)x));
	}
};

UNPHI_FN(double, scale_by, (float scale),
	e8m0((int)(__builtin_bit_cast(uint32_t, scale) >> 23 & 0xff)))
UNPHI_FN(unsigned, prng, (unsigned x), x << 1 ^ (x >> 31 ? 197u : 0u))

/* Converts n elements of `from`, starting at `first`, to the elements of `to`, starting at
 * to_first. */
template <class W>
UNPHI_INLINE void widen(
	void *to, int to_first, const void *from, int first, int n, mx format, float scale)
{
	for (int i = 0; i < n; ++i) {
		const double x = mx_to_double(mx_get(from, first + i, format), format);
		const double by = scale_by(scale);
		W::put(to, to_first + i, by != by ? copysign(NAN, x) : x * by);
	}
}
template <class W>
UNPHI_INLINE void narrow(void *to, int to_first, int step, const void *from, int n, mx format,
	float scale, const unsigned *random)
{
	unsigned seed = random ? *random : 0;
	for (int i = 0; i < n; ++i) {
		const double x = W::get(from, i);
		const double by = scale_by(scale);
		const double y = by != by ? copysign(NAN, x) : x / by;
		const int code = random ? double_to_mx_random(y, W::places, seed, format)
					: double_to_mx(y, format);
		mx_put(to, to_first + step * i, format, code);
		seed = prng(seed);
	}
}
/* Converts all elements into a new value. */
template <class R, class W, class V>
UNPHI_INLINE R narrow_all(const V &x, int n, mx format, float scale, const unsigned *random)
{
	R r = {};
	narrow<W>(&r, 0, 1, &x, n, format, scale, random);
	return r;
}

} // namespace unphi

#define UNPHI_CVT(name) __builtin_amdgcn_cvt_scalef32_##name

/* T is float, f16 or bf16; ONE, TWO and MANY are its scalar and vector types. */
#define UNPHI_CVT_8(T, ONE, TWO, format)                                                           \
	UNPHI_INLINE unphi::TWO UNPHI_CVT(pk_##T##_##format)(unsigned x, float scale, bool high)   \
	{                                                                                          \
		unphi::TWO r;                                                                      \
		unphi::widen<unphi::wide_##T>(&r, 0, &x, 2 * high, 2, unphi::mx::format, scale);   \
		return r;                                                                          \
	}                                                                                          \
	UNPHI_INLINE int UNPHI_CVT(sr_##format##_##T)(                                             \
		int old, ONE x, unsigned random, float scale, int byte)                            \
	{                                                                                          \
		unphi::narrow<unphi::wide_##T>(                                                    \
			&old, byte, 1, &x, 1, unphi::mx::format, scale, &random);                  \
		return old;                                                                        \
	}
#define UNPHI_CVT_6(T, MANY, format)                                                               \
	UNPHI_INLINE unphi::MANY UNPHI_CVT(pk32_##T##_##format)(unphi::v6u x, float scale)         \
	{                                                                                          \
		unphi::MANY r;                                                                     \
		unphi::widen<unphi::wide_##T>(&r, 0, &x, 0, 32, unphi::mx::format, scale);         \
		return r;                                                                          \
	}                                                                                          \
	UNPHI_FN(unphi::v6u, UNPHI_CVT(sr_pk32_##format##_##T),                                    \
		(unphi::MANY x, unsigned random, float scale),                                     \
		unphi::narrow_all<unphi::v6u, unphi::wide_##T>(                                    \
			x, 32, unphi::mx::format, scale, &random))
#define UNPHI_CVT_4(T, TWO)                                                                        \
	UNPHI_INLINE unphi::TWO UNPHI_CVT(pk_##T##_fp4)(unsigned x, float scale, int byte)         \
	{                                                                                          \
		unphi::TWO r;                                                                      \
		unphi::widen<unphi::wide_##T>(&r, 0, &x, 2 * byte, 2, unphi::mx::fp4, scale);      \
		return r;                                                                          \
	}                                                                                          \
	UNPHI_INLINE unsigned UNPHI_CVT(sr_pk_fp4_##T)(                                            \
		unsigned old, unphi::TWO x, unsigned random, float scale, int byte)                \
	{                                                                                          \
		unphi::narrow<unphi::wide_##T>(                                                    \
			&old, 2 * byte, 1, &x, 2, unphi::mx::fp4, scale, &random);                 \
		return old;                                                                        \
	}
#define UNPHI_CVT_WIDE(T, ONE, TWO, MANY)                                                          \
	UNPHI_CVT_8(T, ONE, TWO, fp8)                                                              \
	UNPHI_CVT_8(T, ONE, TWO, bf8)                                                              \
	UNPHI_CVT_6(T, MANY, fp6)                                                                  \
	UNPHI_CVT_6(T, MANY, bf6)                                                                  \
	UNPHI_CVT_4(T, TWO)
UNPHI_CVT_WIDE(f32, float, v2f, v32f)
UNPHI_CVT_WIDE(f16, _Float16, v2h, v32h)
UNPHI_CVT_WIDE(bf16, __bf16, v2y, v32y)
#undef UNPHI_CVT_WIDE
#undef UNPHI_CVT_8
#undef UNPHI_CVT_6
#undef UNPHI_CVT_4

/* The conversions from a vector of 16-bit elements, and from two vectors of floats. */
#define UNPHI_CVT_16(T, TWO, MANY)                                                                 \
	UNPHI_INLINE unsigned UNPHI_CVT(pk_fp4_##T)(                                               \
		unsigned old, unphi::TWO x, float scale, int byte)                                 \
	{                                                                                          \
		unphi::narrow<unphi::wide_##T>(                                                    \
			&old, 2 * byte, 1, &x, 2, unphi::mx::fp4, scale, nullptr);                 \
		return old;                                                                        \
	}                                                                                          \
	UNPHI_CVT_16_8(T, TWO, fp8)                                                                \
	UNPHI_CVT_16_8(T, TWO, bf8)                                                                \
	UNPHI_CVT_16_6(T, MANY, fp6)                                                               \
	UNPHI_CVT_16_6(T, MANY, bf6)
#define UNPHI_CVT_16_8(T, TWO, format)                                                             \
	UNPHI_INLINE unphi::v2s UNPHI_CVT(pk_##format##_##T)(                                      \
		unphi::v2s old, unphi::TWO x, float scale, bool high)                              \
	{                                                                                          \
		unphi::narrow<unphi::wide_##T>(                                                    \
			&old, 2 * high, 1, &x, 2, unphi::mx::format, scale, nullptr);              \
		return old;                                                                        \
	}
#define UNPHI_CVT_16_6(T, MANY, format)                                                            \
	UNPHI_FN(unphi::v6u, UNPHI_CVT(pk32_##format##_##T), (unphi::MANY x, float scale),         \
		unphi::narrow_all<unphi::v6u, unphi::wide_##T>(                                    \
			x, 32, unphi::mx::format, scale, nullptr))
UNPHI_CVT_16(f16, v2h, v32h)
UNPHI_CVT_16(bf16, v2y, v32y)
#undef UNPHI_CVT_16
#undef UNPHI_CVT_16_8
#undef UNPHI_CVT_16_6

UNPHI_INLINE unsigned UNPHI_CVT(pk_fp4_f32)(unsigned old, float a, float b, float scale, int byte)
{
	const float x[2] = {a, b};
	unphi::narrow<unphi::wide_f32>(&old, 2 * byte, 1, x, 2, unphi::mx::fp4, scale, nullptr);
	return old;
}
#define UNPHI_CVT_F32(format)                                                                      \
	UNPHI_INLINE unphi::v2s UNPHI_CVT(pk_##format##_f32)(                                      \
		unphi::v2s old, float a, float b, float scale, bool high)                          \
	{                                                                                          \
		const float x[2] = {a, b};                                                         \
		unphi::narrow<unphi::wide_f32>(                                                    \
			&old, 2 * high, 1, x, 2, unphi::mx::format, scale, nullptr);               \
		return old;                                                                        \
	}                                                                                          \
	UNPHI_INLINE float UNPHI_CVT(f32_##format)(int x, float scale, int byte)                   \
	{                                                                                          \
		float r;                                                                           \
		unphi::widen<unphi::wide_f32>(&r, 0, &x, byte, 1, unphi::mx::format, scale);       \
		return r;                                                                          \
	}                                                                                          \
	UNPHI_INLINE unphi::v2h UNPHI_CVT(f16_##format)(                                           \
		unphi::v2h old, int x, float scale, int byte, bool high)                           \
	{                                                                                          \
		unphi::widen<unphi::wide_f16>(&old, high, &x, byte, 1, unphi::mx::format, scale);  \
		return old;                                                                        \
	}
UNPHI_CVT_F32(fp8)
UNPHI_CVT_F32(bf8)
#undef UNPHI_CVT_F32
/* The elements of the two operands alternate. */
#define UNPHI_CVT_F32(format)                                                                      \
	UNPHI_INLINE unphi::v6u UNPHI_CVT(2xpk16_##format##_f32)(                                  \
		unphi::v16f a, unphi::v16f b, float scale)                                         \
	{                                                                                          \
		unphi::v6u r = {};                                                                 \
		unphi::narrow<unphi::wide_f32>(                                                    \
			&r, 0, 2, &a, 16, unphi::mx::format, scale, nullptr);                      \
		unphi::narrow<unphi::wide_f32>(                                                    \
			&r, 1, 2, &b, 16, unphi::mx::format, scale, nullptr);                      \
		return r;                                                                          \
	}
UNPHI_CVT_F32(fp6)
UNPHI_CVT_F32(bf6)
#undef UNPHI_CVT_F32
#undef UNPHI_CVT

UNPHI_FN(unsigned, __builtin_amdgcn_prng_b32, (unsigned x), unphi::prng(x))
