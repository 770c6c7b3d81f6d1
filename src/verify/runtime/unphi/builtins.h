#pragma once
/*
 * The scalar __builtin_amdgcn_ functions that are not cross-lane and not matrix operations. The
 * approximate functions (rcpf, exp2f) compute exact results here.
 */
#pragma GCC system_header
#include <unphi/buffer.h>
#include <unphi/atomic.h>
#include <unphi/math.h>
#include <unphi/matrix.h>
#include <unphi/scaled.h>

#define UNPHI_INDEX(dim)                                                                           \
	UNPHI_FN(unsigned, __builtin_amdgcn_workitem_id_##dim, (), threadIdx.dim)                  \
	UNPHI_FN(unsigned, __builtin_amdgcn_workgroup_id_##dim, (), blockIdx.dim)                  \
	UNPHI_FN(unsigned short, __builtin_amdgcn_workgroup_size_##dim, (),                        \
		(unsigned short)blockDim.dim)                                                      \
	UNPHI_FN(unsigned, __builtin_amdgcn_grid_size_##dim, (), gridDim.dim *blockDim.dim)
UNPHI_INDEX(x)
UNPHI_INDEX(y)
UNPHI_INDEX(z)
#undef UNPHI_INDEX
UNPHI_FN(unsigned, __builtin_amdgcn_wavefrontsize, (), unphi::wave_size())

#define clock64() ((long long)unphi::tick())
#define wall_clock64() ((long long)unphi::tick())
#define __clock64() ((long long)unphi::tick())
#define __builtin_amdgcn_s_memtime() unphi::tick()
#define __builtin_amdgcn_s_memrealtime() unphi::tick()
#define __builtin_readcyclecounter() unphi::tick()

UNPHI_FN(float, __builtin_amdgcn_rcpf, (float x), 1.0f / x)
UNPHI_FN(double, __builtin_amdgcn_rcp, (double x), 1.0 / x)
UNPHI_FN(_Float16, __builtin_amdgcn_rcph, (_Float16 x), (_Float16)(1.0f / (float)x))
UNPHI_FN(float, __builtin_amdgcn_rsqf, (float x), 1.0f / sqrtf(x))
UNPHI_FN(double, __builtin_amdgcn_rsq, (double x), 1.0 / sqrt(x))
UNPHI_FN(_Float16, __builtin_amdgcn_rsqh, (_Float16 x), (_Float16)(1.0f / sqrtf((float)x)))
UNPHI_FN(float, __builtin_amdgcn_sqrtf, (float x), sqrtf(x))
UNPHI_FN(double, __builtin_amdgcn_sqrt, (double x), sqrt(x))
UNPHI_FN(_Float16, __builtin_amdgcn_sqrth, (_Float16 x), (_Float16)sqrtf((float)x))
UNPHI_FN(float, __builtin_amdgcn_exp2f, (float x), exp2f(x))
UNPHI_FN(float, __builtin_amdgcn_logf, (float x), log2f(x))
/* The argument counts revolutions, not radians. */
UNPHI_FN(float, __builtin_amdgcn_sinf, (float x), (float)sin((double)x * (2 * M_PI)))
UNPHI_FN(float, __builtin_amdgcn_cosf, (float x), (float)cos((double)x * (2 * M_PI)))
UNPHI_FN(float, __builtin_amdgcn_fractf, (float x),
	isfinite(x) ? fminf(x - floorf(x), 0x1.fffffep-1f) : x - x)
UNPHI_FN(double, __builtin_amdgcn_fract, (double x),
	isfinite(x) ? fmin(x - floor(x), 0x1.fffffffffffffp-1) : x - x)
UNPHI_FN(float, __builtin_amdgcn_ldexpf, (float x, int n), ldexpf(x, n))
UNPHI_FN(double, __builtin_amdgcn_ldexp, (double x, int n), ldexp(x, n))
UNPHI_INLINE float __builtin_amdgcn_frexp_mantf(float x)
{
	int n;
	return frexpf(x, &n);
}
UNPHI_INLINE double __builtin_amdgcn_frexp_mant(double x)
{
	int n;
	return frexp(x, &n);
}
UNPHI_INLINE int __builtin_amdgcn_frexp_expf(float x)
{
	int n = 0;
	(void)frexpf(x, &n);
	return isfinite(x) ? n : 0;
}
UNPHI_INLINE int __builtin_amdgcn_frexp_exp(double x)
{
	int n = 0;
	(void)frexp(x, &n);
	return isfinite(x) ? n : 0;
}
/* If an operand is a NaN, the result is the minimum of the others. */
UNPHI_FN(float, __builtin_amdgcn_fmed3f, (float a, float b, float c),
	a != a || b != b || c != c ? fminf(fminf(a, b), c)
				   : fmaxf(fminf(fmaxf(a, b), c), fminf(a, b)))
UNPHI_FN(_Float16, __builtin_amdgcn_fmed3h, (_Float16 a, _Float16 b, _Float16 c),
	(_Float16)__builtin_amdgcn_fmed3f((float)a, (float)b, (float)c))
UNPHI_FN(float, __builtin_amdgcn_fmul_legacy, (float a, float b), a == 0 || b == 0 ? 0.0f : a * b)
namespace unphi
{
/* least: the smallest normal number */
UNPHI_INLINE bool is_of(int classes, double x, bool quiet, double least)
{
	const bool minus = __builtin_signbit(x);
	int is;
	if (x != x) {
		is = quiet ? 1 : 0;
	} else if (__builtin_isinf(x)) {
		is = minus ? 2 : 9;
	} else if (x == 0) {
		is = minus ? 5 : 6;
	} else if (__builtin_fabs(x) < least) {
		is = minus ? 4 : 7;
	} else {
		is = minus ? 3 : 8;
	}
	return classes >> is & 1;
}
} // namespace unphi
UNPHI_FN(bool, __builtin_amdgcn_class, (double x, int classes),
	unphi::is_of(classes, x, __builtin_bit_cast(unsigned long long, x) >> 51 & 1, 0x1p-1022))
UNPHI_FN(bool, __builtin_amdgcn_classf, (float x, int classes),
	unphi::is_of(classes, x, __builtin_bit_cast(unsigned, x) >> 22 & 1, 0x1p-126))
UNPHI_FN(bool, __builtin_amdgcn_classh, (_Float16 x, int classes),
	unphi::is_of(classes, (double)x, __builtin_bit_cast(unsigned short, x) >> 9 & 1, 0x1p-14))

/* Bits and bytes. */
UNPHI_FN(unsigned, __builtin_amdgcn_ubfe, (unsigned x, unsigned at, unsigned n),
	__bitextract_u32(x, at, n))
UNPHI_INLINE int __builtin_amdgcn_sbfe(int x, unsigned at, unsigned n)
{
	at &= 31;
	n &= 31;
	if (n == 0) {
		return 0;
	}
	return at + n < 32 ? (int)((unsigned)x << (32 - n - at)) >> (32 - n) : x >> at;
}
UNPHI_FN(unsigned, __builtin_amdgcn_alignbit, (unsigned hi, unsigned lo, unsigned n),
	(unsigned)(((unsigned long long)hi << 32 | lo) >> (n & 31)))
UNPHI_FN(unsigned, __builtin_amdgcn_alignbyte, (unsigned hi, unsigned lo, unsigned n),
	(unsigned)(((unsigned long long)hi << 32 | lo) >> ((n & 3) * 8)))
UNPHI_INLINE unsigned __builtin_amdgcn_perm(unsigned hi, unsigned lo, unsigned selectors)
{
	const unsigned long long both = (unsigned long long)hi << 32 | lo;
	unsigned r = 0;
	for (int i = 0; i < 4; ++i) {
		const unsigned s = selectors >> 8 * i & 0xff;
		unsigned byte = 0xff;
		if (s < 8) {
			byte = (unsigned)(both >> s * 8) & 0xff;
		} else if (s < 12) {
			byte = both >> ((s - 8) * 16 + 15) & 1 ? 0xff : 0;
		} else if (s == 12) {
			byte = 0;
		}
		r |= byte << 8 * i;
	}
	return r;
}
namespace unphi
{
UNPHI_FN(unsigned, apart, (unsigned a, unsigned b), a > b ? a - b : b - a)
/* masked: a byte of b that is 0 adds nothing. */
UNPHI_INLINE unsigned sad(unsigned a, unsigned b, bool masked)
{
	unsigned sum = 0;
	for (int i = 0; i < 32; i += 8) {
		const unsigned of = b >> i & 0xff;
		sum += masked && of == 0 ? 0 : apart(a >> i & 0xff, of);
	}
	return sum;
}
/* Four sums of 16 bits; each next sum starts one byte further in a. */
UNPHI_INLINE unsigned long long sads(
	unsigned long long a, unsigned b, unsigned long long c, bool masked)
{
	unsigned long long d = 0;
	for (int i = 0; i < 4; i++) {
		d |= ((sad((unsigned)(a >> 8 * i), b, masked) + (c >> 16 * i)) & 0xffff) << 16 * i;
	}
	return d;
}
} // namespace unphi
UNPHI_FN(unsigned, __builtin_amdgcn_sad_u8, (unsigned a, unsigned b, unsigned sum),
	unphi::sad(a, b, false) + sum)
UNPHI_FN(unsigned, __builtin_amdgcn_msad_u8, (unsigned a, unsigned b, unsigned sum),
	unphi::sad(a, b, true) + sum)
UNPHI_FN(unsigned, __builtin_amdgcn_sad_hi_u8, (unsigned a, unsigned b, unsigned sum),
	(unphi::sad(a, b, false) << 16) + sum)
UNPHI_FN(unsigned, __builtin_amdgcn_sad_u16, (unsigned a, unsigned b, unsigned sum),
	unphi::apart(a & 0xffff, b & 0xffff) + unphi::apart(a >> 16, b >> 16) + sum)
UNPHI_FN(unsigned long, __builtin_amdgcn_qsad_pk_u16_u8,
	(unsigned long a, unsigned b, unsigned long c), unphi::sads(a, b, c, false))
UNPHI_FN(unsigned long, __builtin_amdgcn_mqsad_pk_u16_u8,
	(unsigned long a, unsigned b, unsigned long c), unphi::sads(a, b, c, true))
UNPHI_INLINE unsigned __builtin_amdgcn_lerp(unsigned a, unsigned b, unsigned round)
{
	unsigned r = 0;
	for (int i = 0; i < 32; i += 8) {
		r |= ((a >> i & 0xff) + (b >> i & 0xff) + (round >> i & 1)) >> 1 << i;
	}
	return r;
}

/* Dot products: products added with k ascending, in the result's type, not fused. */
namespace unphi
{
UNPHI_INLINE int dot_field(int x, int i, int bits, bool is_signed)
{
	const int field = x >> (i * bits) & ((1 << bits) - 1);
	return is_signed && field >> (bits - 1) ? field - (1 << bits) : field;
}
UNPHI_INLINE int dot(
	bool a_signed, int a, bool b_signed, int b, int c, int bits, bool clamp, bool result_signed)
{
	long long sum = result_signed ? c : (long long)(unsigned)c;
	for (int i = 0; i < 32 / bits; ++i) {
		sum += (long long)dot_field(a, i, bits, a_signed) * dot_field(b, i, bits, b_signed);
	}
	if (clamp && result_signed) {
		sum = sum < INT_MIN ? INT_MIN : sum > INT_MAX ? INT_MAX : sum;
	} else if (clamp) {
		sum = sum > UINT_MAX ? UINT_MAX : sum;
	}
	return (int)sum;
}
} // namespace unphi
UNPHI_FN(int, __builtin_amdgcn_sdot4, (int a, int b, int c, bool clamp),
	unphi::dot(true, a, true, b, c, 8, clamp, true))
UNPHI_FN(unsigned, __builtin_amdgcn_udot4, (unsigned a, unsigned b, unsigned c, bool clamp),
	(unsigned)unphi::dot(false, (int)a, false, (int)b, (int)c, 8, clamp, false))
UNPHI_FN(int, __builtin_amdgcn_sudot4, (bool as, int a, bool bs, int b, int c, bool clamp),
	unphi::dot(as, a, bs, b, c, 8, clamp, true))
UNPHI_FN(int, __builtin_amdgcn_sdot8, (int a, int b, int c, bool clamp),
	unphi::dot(true, a, true, b, c, 4, clamp, true))
UNPHI_FN(unsigned, __builtin_amdgcn_udot8, (unsigned a, unsigned b, unsigned c, bool clamp),
	(unsigned)unphi::dot(false, (int)a, false, (int)b, (int)c, 4, clamp, false))
UNPHI_FN(int, __builtin_amdgcn_sudot8, (bool as, int a, bool bs, int b, int c, bool clamp),
	unphi::dot(as, a, bs, b, c, 4, clamp, true))
UNPHI_FN(int, __builtin_amdgcn_sdot2, (unphi::v2s a, unphi::v2s b, int c, bool clamp),
	unphi::dot(true, __builtin_bit_cast(int, a), true, __builtin_bit_cast(int, b), c, 16, clamp,
		true))
UNPHI_INLINE float __builtin_amdgcn_fdot2(unphi::v2h a, unphi::v2h b, float c, bool clamp)
{
	c += (float)a[0] * (float)b[0];
	c += (float)a[1] * (float)b[1];
	return clamp ? fminf(fmaxf(c, 0.0f), 1.0f) : c;
}
UNPHI_INLINE float __builtin_amdgcn_fdot2_f32_bf16(unphi::v2s a, unphi::v2s b, float c, bool clamp)
{
	c += unphi::bf16_to_float((uint16_t)a[0]) * unphi::bf16_to_float((uint16_t)b[0]);
	c += unphi::bf16_to_float((uint16_t)a[1]) * unphi::bf16_to_float((uint16_t)b[1]);
	return clamp ? fminf(fmaxf(c, 0.0f), 1.0f) : c;
}

/* Conversions. */
namespace unphi
{
/* Rounds towards zero. */
UNPHI_INLINE _Float16 cut_to_half(float x)
{
	_Float16 h = (_Float16)x;
	if (fabsf((float)h) > fabsf(x)) {
		h = __builtin_bit_cast(_Float16, (uint16_t)(__builtin_bit_cast(uint16_t, h) - 1));
	}
	return h;
}
UNPHI_FN(int, put_byte, (int old, uint8_t byte, int at),
	(int)(((unsigned)old & ~(0xffu << 8 * at)) | (unsigned)byte << 8 * at))
UNPHI_INLINE int put_pair(int old, float a, float b, bool high, f8 format)
{
	const int at = high ? 2 : 0;
	old = put_byte(old, float_to_f8(a, format, UNPHI_FNUZ), at);
	return put_byte(old, float_to_f8(b, format, UNPHI_FNUZ), at + 1);
}
UNPHI_FN(float, get_f8, (int x, int at, f8 format),
	f8_to_float((uint8_t)((unsigned)x >> 8 * at), format, UNPHI_FNUZ))
UNPHI_INLINE v2f get_pair(int x, bool high, f8 format)
{
	const int at = high ? 2 : 0;
	return v2f{get_f8(x, at, format), get_f8(x, at + 1, format)};
}
} // namespace unphi
typedef _Float16 unphi_half2 __attribute__((ext_vector_type(2)));
typedef short unphi_short2 __attribute__((ext_vector_type(2)));
typedef unsigned short unphi_ushort2 __attribute__((ext_vector_type(2)));
UNPHI_FN(unphi_half2, __builtin_amdgcn_cvt_pkrtz, (float a, float b),
	unphi_half2{unphi::cut_to_half(a), unphi::cut_to_half(b)})
UNPHI_FN(unphi_short2, __builtin_amdgcn_cvt_pk_i16, (int a, int b),
	unphi_short2{(short)max(-32768, min(a, 32767)), (short)max(-32768, min(b, 32767))})
UNPHI_FN(unphi_ushort2, __builtin_amdgcn_cvt_pk_u16, (unsigned a, unsigned b),
	unphi_ushort2{(unsigned short)min(a, 65535u), (unsigned short)min(b, 65535u)})
UNPHI_INLINE unphi_short2 __builtin_amdgcn_cvt_pknorm_i16(float a, float b)
{
	const float x = rintf(a != a ? 0.0f : fminf(fmaxf(a, -1.0f), 1.0f) * 32767.0f);
	const float y = rintf(b != b ? 0.0f : fminf(fmaxf(b, -1.0f), 1.0f) * 32767.0f);
	return unphi_short2{(short)x, (short)y};
}
UNPHI_INLINE unphi_ushort2 __builtin_amdgcn_cvt_pknorm_u16(float a, float b)
{
	const float x = rintf(fminf(fmaxf(a, 0.0f), 1.0f) * 65535.0f);
	const float y = rintf(fminf(fmaxf(b, 0.0f), 1.0f) * 65535.0f);
	return unphi_ushort2{(unsigned short)x, (unsigned short)y};
}
UNPHI_INLINE unsigned __builtin_amdgcn_cvt_pk_u8_f32(float x, unsigned at, unsigned old)
{
	const float clamped = fminf(fmaxf(rintf(x), 0.0f), 255.0f);
	return (unsigned)unphi::put_byte((int)old, (uint8_t)clamped, (int)(at & 3));
}
UNPHI_FN(float, __builtin_amdgcn_cvt_off_f32_i4, (int x),
	(float)((x & 15) - (x & 8 ? 16 : 0)) / 16.0f)
UNPHI_FN(int, __builtin_amdgcn_cvt_pk_fp8_f32, (float a, float b, int old, bool high),
	unphi::put_pair(old, a, b, high, unphi::f8::e4m3))
UNPHI_FN(int, __builtin_amdgcn_cvt_pk_bf8_f32, (float a, float b, int old, bool high),
	unphi::put_pair(old, a, b, high, unphi::f8::e5m2))
UNPHI_FN(int, __builtin_amdgcn_cvt_sr_fp8_f32, (float x, int random, int old, int at),
	unphi::put_byte(old,
		unphi::float_to_f8_random(x, (uint32_t)random, unphi::f8::e4m3, UNPHI_FNUZ), at))
UNPHI_FN(int, __builtin_amdgcn_cvt_sr_bf8_f32, (float x, int random, int old, int at),
	unphi::put_byte(old,
		unphi::float_to_f8_random(x, (uint32_t)random, unphi::f8::e5m2, UNPHI_FNUZ), at))
UNPHI_FN(
	float, __builtin_amdgcn_cvt_f32_fp8, (int x, int at), unphi::get_f8(x, at, unphi::f8::e4m3))
UNPHI_FN(
	float, __builtin_amdgcn_cvt_f32_bf8, (int x, int at), unphi::get_f8(x, at, unphi::f8::e5m2))
UNPHI_FN(unphi::v2f, __builtin_amdgcn_cvt_pk_f32_fp8, (int x, bool high),
	unphi::get_pair(x, high, unphi::f8::e4m3))
UNPHI_FN(unphi::v2f, __builtin_amdgcn_cvt_pk_f32_bf8, (int x, bool high),
	unphi::get_pair(x, high, unphi::f8::e5m2))

/* Loads and stores with a cache hint. clang itself has the generic forms. */
#define UNPHI_HINTED(name)                                                                         \
	template <class T> UNPHI_INLINE T __ld##name(const T *p)                                   \
	{                                                                                          \
		return *p;                                                                         \
	}
UNPHI_HINTED(g)
UNPHI_HINTED(ca)
UNPHI_HINTED(cg)
UNPHI_HINTED(cs)
UNPHI_HINTED(cv)
UNPHI_HINTED(lu)
#undef UNPHI_HINTED
#define UNPHI_HINTED(name)                                                                         \
	template <class T> UNPHI_INLINE void __st##name(T *p, unphi::same<T> x)                    \
	{                                                                                          \
		*p = x;                                                                            \
	}
UNPHI_HINTED(cg)
UNPHI_HINTED(cs)
UNPHI_HINTED(wb)
UNPHI_HINTED(wt)
#undef UNPHI_HINTED
