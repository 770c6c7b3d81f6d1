/* The rows of scalar.def, vector.def, atomic.def and other.def as functions and a table. */
#include "isa/table.h"

#include <stdio.h>
#include <string.h>

#include "isa/number.h"

/* ---- what the rows call ---- */

static uint64_t reverse(uint64_t x)
{
	uint64_t r = 0;
	for (int i = 0; i < 64; i++) {
		r |= (x >> i & 1) << (63 - i);
	}
	return r;
}

/* Offset in the low bits of where, width from bit 16 on. */
static uint64_t field(uint64_t x, uint64_t where, unsigned bits)
{
	unsigned from = (unsigned)where & (bits - 1);
	unsigned width = (unsigned)(where >> 16) & 0x7f;
	x >>= from;
	return width >= 64 ? x : x & (((uint64_t)1 << width) - 1);
}

static int64_t signed_field(uint64_t x, uint64_t where, unsigned bits)
{
	unsigned from = (unsigned)where & (bits - 1);
	unsigned width = (unsigned)(where >> 16) & 0x7f;
	width = from + width > bits ? bits - from : width;
	return width == 0 ? 0 : (int64_t)(x << (64 - from - width)) >> (64 - width);
}

/* Bits equal to the sign, from the top on; -1 where all are. */
static int32_t sign_bits(int32_t x)
{
	uint32_t y = (uint32_t)(x < 0 ? ~x : x);
	return y ? __builtin_clz(y) : -1;
}

static int32_t sign_bits64(int64_t x)
{
	uint64_t y = (uint64_t)(x < 0 ? ~x : x);
	return y ? __builtin_clzll(y) : -1;
}

/* Each group of four bits that has one set, whole. */
static uint64_t quads(uint64_t x)
{
	uint64_t any = (x | x >> 1 | x >> 2 | x >> 3) & 0x1111111111111111;
	return any * 15;
}

static uint64_t quad_mask(uint64_t x)
{
	uint64_t r = 0;
	for (int i = 0; i < 16; i++) {
		r |= (uint64_t)((x >> 4 * i & 15) != 0) << i;
	}
	return r;
}

static uint32_t float_result(float f, uint64_t a, uint64_t b)
{
	float x = isa_f32((uint32_t)a);
	if (f == f) {
		return isa_f32_bits(f);
	}
	return x != x					      ? (uint32_t)a | 0x400000
	       : isa_f32((uint32_t)b) != isa_f32((uint32_t)b) ? (uint32_t)b | 0x400000
							      : 0xffc00000;
}

static uint32_t half_result(float f, uint64_t a, uint64_t b)
{
	float x = isa_f16(a & 0xffff);
	float y = isa_f16(b & 0xffff);
	return f == f	? isa_f16_bits(f)
	       : x != x ? ((uint32_t)a & 0xffff) | 0x200
	       : y != y ? ((uint32_t)b & 0xffff) | 0x200
			: 0xfe00;
}

static uint64_t nan_of(uint64_t b, uint64_t c)
{
	float x = isa_f32((uint32_t)b);
	return x != x ? b : c;
}

static uint64_t half_nan_of(uint64_t b, uint64_t c)
{
	float x = isa_f16(b & 0xffff);
	return x != x ? b : c;
}

static int32_t low24(int32_t x)
{
	return (int32_t)((uint32_t)x << 8) >> 8;
}

static uint32_t apart(uint32_t a, uint32_t b)
{
	return a > b ? a - b : b - a;
}

/* masked: a byte of b that is 0 stands for none. */
static uint32_t sad_bytes(uint32_t a, uint32_t b, bool masked)
{
	uint32_t sum = 0;
	for (int i = 0; i < 32; i += 8) {
		uint32_t of = b >> i & 0xff;
		sum += masked && of == 0 ? 0 : apart(a >> i & 0xff, of);
	}
	return sum;
}

static uint32_t sad_u8(uint32_t a, uint32_t b)
{
	return sad_bytes(a, b, false);
}

static uint32_t msad_u8(uint32_t a, uint32_t b)
{
	return sad_bytes(a, b, true);
}

static uint32_t sad_u16(uint32_t a, uint32_t b)
{
	return apart(a & 0xffff, b & 0xffff) + apart(a >> 16, b >> 16);
}

/* Four sums of 16 bits, the bytes of a one further each. */
static uint64_t sad_packed(uint64_t a, uint32_t b, uint64_t c, bool masked)
{
	uint64_t d = 0;
	for (int i = 0; i < 4; i++) {
		uint64_t sum = sad_bytes((uint32_t)(a >> 8 * i), b, masked) + (c >> 16 * i);
		d |= (sum & 0xffff) << 16 * i;
	}
	return d;
}

static uint32_t lerp_u8(uint32_t a, uint32_t b, uint32_t c)
{
	uint32_t d = 0;
	for (int i = 0; i < 32; i += 8) {
		d |= ((a >> i & 0xff) + (b >> i & 0xff) + (c >> i & 1)) >> 1 << i;
	}
	return d;
}

static uint32_t put_byte(uint32_t old, uint32_t byte, uint32_t at)
{
	unsigned shift = 8 * (at & 3);
	return (old & ~(0xffu << shift)) | byte << shift;
}

static uint32_t snorm(float x)
{
	return (uint32_t)(int32_t)nearbyint(isa_clamp((double)x, -1, 1) * 32767) & 0xffff;
}

static uint32_t unorm(float x)
{
	return (uint32_t)nearbyint(isa_clamp((double)x, 0, 1) * 65535);
}

static uint32_t sat_u8(int x)
{
	return x < 0 ? 0 : x > 255 ? 255 : (uint32_t)x;
}

/* A product that is rounded on its own, whatever the host's compiler would like to fuse. */
static float PRODUCT(float a, float b)
{
	volatile float p = a * b;
	return p;
}

uint32_t isa_dot(uint32_t a, uint32_t b, unsigned bits, bool a_signed, bool b_signed)
{
	uint32_t top = 1u << (bits - 1);
	uint32_t sum = 0;
	for (unsigned i = 0; i < 32; i += bits) {
		uint32_t x = a >> i & (2 * top - 1);
		uint32_t y = b >> i & (2 * top - 1);
		sum += (a_signed ? (x ^ top) - top : x) * (b_signed ? (y ^ top) - top : y);
	}
	return sum;
}

static uint32_t dot_i8(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 8, true, true);
}

static uint32_t dot_u8(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 8, false, false);
}

static uint32_t dot_i4(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 4, true, true);
}

static uint32_t dot_u4(uint32_t a, uint32_t b)
{
	return isa_dot(a, b, 4, false, false);
}

/* What unsigned numbers add up to, at most all bits. */
static uint32_t add_clamp(uint32_t a, uint32_t b)
{
	return a + b < a ? UINT32_MAX : a + b;
}

static uint32_t dot_i16(uint32_t a, uint32_t b)
{
	return (uint32_t)((int16_t)a * (int16_t)b) +
	       (uint32_t)((int16_t)(a >> 16) * (int16_t)(b >> 16));
}

static float without_subnormal(float x)
{
	return fabsf(x) < 0x1p-126f ? copysignf(0, x) : x;
}

/* As the documents write it: c, plus the low product, plus the high one. Products of halves are
 * exact in f32. A subnormal addend or result is 0 in any mode (LLVM, performFMACombine). */
static float dot_f16(uint32_t a, uint32_t b, float c)
{
	return without_subnormal(without_subnormal(c) +
				 PRODUCT(isa_f16(a & 0xffff), isa_f16(b & 0xffff)) +
				 PRODUCT(isa_f16(a >> 16), isa_f16(b >> 16)));
}

static float dot_bf16(uint32_t a, uint32_t b, float c)
{
	return c + PRODUCT(isa_bf16(a & 0xffff), isa_bf16(b & 0xffff)) +
	       PRODUCT(isa_bf16(a >> 16), isa_bf16(b >> 16));
}

static uint32_t pk_add_f16(uint32_t a, uint32_t b)
{
	return isa_f16_bits(isa_f16(a & 0xffff) + isa_f16(b & 0xffff)) |
	       isa_f16_bits(isa_f16(a >> 16) + isa_f16(b >> 16)) << 16;
}

static uint32_t pk_add_bf16(uint32_t a, uint32_t b)
{
	return isa_bf16_bits(isa_bf16(a & 0xffff) + isa_bf16(b & 0xffff)) |
	       isa_bf16_bits(isa_bf16(a >> 16) + isa_bf16(b >> 16)) << 16;
}

static int exponent32(float x)
{
	return (int)(isa_f32_bits(x) >> 23 & 0xff);
}

static int exponent64(double x)
{
	return (int)(isa_f64_bits(x) >> 52 & 0x7ff);
}

/* V_DIV_FIXUP: a is the quotient so far, b the denominator, c the numerator. */
static double fixed_up(double a, double b, double c, bool under, bool over, double least)
{
	double sign = signbit(b) != signbit(c) ? -1 : 1;
	if (c != c || b != b) {
		return isa_quiet(c != c ? c : b);
	}
	if ((b == 0 && c == 0) || (isinf(b) && isinf(c))) {
		return isa_f64((uint64_t)0xfff8 << 48);
	}
	if (b == 0 || isinf(c) || over) {
		return sign * INFINITY;
	}
	if (isinf(b) || c == 0) {
		return sign * 0.0;
	}
	if (under) {
		return sign * least;
	}
	/* no number of finite ones: the steps before left the range */
	return a != a ? sign * INFINITY : copysign(a, sign);
}

static float div_fixup_f32(float a, float b, float c)
{
	bool under = exponent32(c) - exponent32(b) < -150;
	return (float)fixed_up((double)a, (double)b, (double)c, under, false, 0);
}

static double div_fixup_f64(double a, double b, double c)
{
	bool under = exponent64(c) - exponent64(b) < -1075;
	return fixed_up(a, b, c, under, false, 0);
}

static float div_fixup_f16(float a, float b, float c)
{
	return (float)fixed_up((double)a, (double)b, (double)c, false, false, 0);
}

/* 53 bits of 2 / pi ("CDNA4" and "RDNA3", V_TRIG_PREOP_F64): the more of them make whole numbers of
 * quarters the larger a is. */
static double trig_preop(double a, uint32_t segment)
{
	/* 1201 bits behind the point */
	static const uint64_t two_over_pi[] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0,
		0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0, 0x06492eea09d1921c,
		0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
		0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7,
		0x4f463f669e5fea2d, 0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08,
		0x56033046fc7b0000, 0};
	enum {
		WORDS = sizeof(two_over_pi) / sizeof(two_over_pi[0])
	};
	unsigned exponent = isa_f64_bits(a) >> 52 & 0x7ff;
	unsigned shift = (segment & 31) * 53 + (exponent > 1077 ? exponent - 1077 : 0);
	unsigned word = shift / 64, bit = shift % 64;
	uint64_t bits = 0;
	if (word + 1 < WORDS) {
		bits = two_over_pi[word] << bit | (bit ? two_over_pi[word + 1] >> (64 - bit) : 0);
	}
	return ldexp((double)(bits >> 11), (exponent >= 1968 ? 75 : -53) - (int)shift);
}

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

/* ---- scalar ---- */

#define A s->a
#define B s->b
#define C s->c
#define D s->d
#define SCC s->scc
#define HA isa_f16(A & 0xffff)
#define HB isa_f16(B & 0xffff)
#define HD isa_f16(D & 0xffff)
#define SALU(name, dw, aw, bw, ...)                                                                \
	static void x_##name(struct isa_salu *s)                                                   \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}
#define SALU3(name, ...) SALU(name, 32, 32, 32, __VA_ARGS__)
#define SOPK(name, ...) SALU(name, 32, 32, 32, __VA_ARGS__)
#define SCMP(name, aw, bw, ...) SALU(name, 0, aw, bw, SCC = (__VA_ARGS__))
#define SCMPF(name, ...)                                                                           \
	SALU(name, 0, 32, 32, float a = isa_f32((uint32_t)A); float b = isa_f32((uint32_t)B);      \
		SCC = (__VA_ARGS__))
#define SCMPK(name, ...) SALU(name, 0, 32, 32, SCC = (__VA_ARGS__))
#include "isa/scalar.def"
#undef A
#undef B
#undef C
#undef D
#undef SCC
#undef HA
#undef HB
#undef HD

/* ---- vector: a lane's value of each type ---- */

#define GET_N(p) 0
#define GET_B32(p) p[i]
#define GET_U32(p) p[i]
#define GET_I32(p) (int32_t)p[i]
#define GET_F32(p) isa_f32(p[i])
#define GET_U16(p) (p[i] & 0xffff)
#define GET_I16(p) (int16_t)p[i]
#define GET_F16(p) isa_f16(p[i] & 0xffff)
#define GET_BF16(p) isa_bf16(p[i] & 0xffff)
#define GET_U64(p) (p[i] | (uint64_t)p[i + ISA_LANES] << 32)
#define GET_I64(p) (int64_t)GET_U64(p)
#define GET_F64(p) isa_f64(GET_U64(p))
#define C_N int
#define C_B32 uint32_t
#define C_U32 uint32_t
#define C_I32 int32_t
#define C_F32 float
#define C_U16 uint32_t
#define C_I16 int32_t
#define C_F16 float
#define C_BF16 float
#define C_U64 uint64_t
#define C_I64 int64_t
#define C_F64 double
#define PUT_32(x) d[i] = (uint32_t)(x)
#define PUT_16(x) d[i] = (uint32_t)(x) & 0xffff
#define PUT_64(x)                                                                                  \
	do {                                                                                       \
		uint64_t wide = (x);                                                               \
		d[i] = (uint32_t)wide;                                                             \
		d[i + ISA_LANES] = (uint32_t)(wide >> 32);                                         \
	} while (0)
#define PUT_B32(x) PUT_32(x)
#define PUT_U32(x) PUT_32(x)
#define PUT_I32(x) PUT_32(x)
#define PUT_P16(x) PUT_32(x)
#define PUT_H16(x) PUT_32(x)
#define PUT_U16(x) PUT_16(x)
#define PUT_I16(x) PUT_16(x)
#define PUT_F32(x) d[i] = isa_f32_bits(x)
#define PUT_F16(x) d[i] = isa_f16_bits(x)
#define PUT_BF16(x) d[i] = isa_bf16_bits(x)
#define PUT_U64(x) PUT_64((uint64_t)(x))
#define PUT_I64(x) PUT_64((uint64_t)(x))
#define PUT_F64(x) PUT_64(isa_f64_bits(x))

#define EACH_LANE for (int i = 0; i < ISA_LANES; i++)
#define LANES(name, TD, TA, TB, TC, ...)                                                           \
	static void x_##name(                                                                      \
		uint32_t *restrict d, const uint32_t *pa, const uint32_t *pb, const uint32_t *pc)  \
	{                                                                                          \
		(void)pb, (void)pc;                                                                \
		EACH_LANE                                                                          \
		{                                                                                  \
			C_##TA a = GET_##TA(pa);                                                   \
			C_##TB b = GET_##TB(pb);                                                   \
			C_##TC c = GET_##TC(pc);                                                   \
			(void)a, (void)b, (void)c;                                                 \
			PUT_##TD((__VA_ARGS__));                                                   \
		}                                                                                  \
	}
#define V LANES
#define F LANES
#define M LANES
#define K LANES
#define A(name, TD, TA, TB, TC, ...) LANES(name, TD, TA, TB, TD, __VA_ARGS__)
#define AK A
#define AI A
#define FZ F
#define AZ A
#define CMP(name, TA, TB, ...)                                                                     \
	static uint64_t x_##name(const uint32_t *pa, const uint32_t *pb)                           \
	{                                                                                          \
		uint64_t mask = 0;                                                                 \
		EACH_LANE                                                                          \
		{                                                                                  \
			C_##TA a = GET_##TA(pa);                                                   \
			C_##TB b = GET_##TB(pb);                                                   \
			(void)a;                                                                   \
			mask |= (uint64_t)((__VA_ARGS__) ? 1 : 0) << i;                            \
		}                                                                                  \
		return mask;                                                                       \
	}
#define CMPB CMP
#define ABITS pa[i]
#define CARRY(name, n, ...)                                                                        \
	static uint64_t x_##name(                                                                  \
		uint32_t *restrict d, const uint32_t *pa, const uint32_t *pb, uint64_t mask_in)    \
	{                                                                                          \
		uint64_t mask = 0;                                                                 \
		EACH_LANE                                                                          \
		{                                                                                  \
			uint32_t a = pa[i];                                                        \
			uint32_t b = pb[i];                                                        \
			uint32_t in = mask_in >> i & 1;                                            \
			(void)in;                                                                  \
			uint64_t wide = (__VA_ARGS__);                                             \
			d[i] = (uint32_t)wide;                                                     \
			mask |= (wide >> 32 & 1) << i;                                             \
		}                                                                                  \
		return mask;                                                                       \
	}
#define ATOMIC(name, lds, bytes, ...)                                                              \
	static uint64_t x_atomic_##name(uint64_t old, uint64_t data, uint64_t compare)             \
	{                                                                                          \
		(void)old, (void)compare;                                                          \
		if ((bytes) == 4) {                                                                \
			old = (uint32_t)old;                                                       \
			data = (uint32_t)data;                                                     \
		}                                                                                  \
		return (__VA_ARGS__);                                                              \
	}
#define ATOMIC_COMPARE ATOMIC
#define ATOMIC_STORE(...)
#include "isa/atomic.def"
#include "isa/vector.def"

/* ---- the table ---- */

#undef SALU
#undef SALU3
#undef SOPK
#undef SCMP
#undef SCMPF
#undef SCMPK
#undef V
#undef F
#undef M
#undef K
#undef A
#undef AK
#undef AI
#undef FZ
#undef AZ
#undef CMP
#undef CMPB
#undef CARRY
#undef ATOMIC
#undef ATOMIC_STORE
#undef ATOMIC_COMPARE

#define COUNT(TA, TB, TC) (1 + (ISA_##TA != ISA_N) + (ISA_##TB != ISA_N) + (ISA_##TC != ISA_N))
#define SALU(name_, dw, aw, bw, ...)                                                               \
	{.name = #name_,                                                                           \
		.form = ISA_SALU,                                                                  \
		.operands = (bw) ? 3 : 2,                                                          \
		.bits = {dw, aw, bw},                                                              \
		.salu = x_##name_},
#define SALU3(name_, ...)                                                                          \
	{.name = #name_,                                                                           \
		.form = ISA_SALU,                                                                  \
		.operands = 4,                                                                     \
		.bits = {32, 32, 32, 32},                                                          \
		.salu = x_##name_},
#define SOPK(name_, ...)                                                                           \
	{.name = #name_, .form = ISA_SOPK, .operands = 2, .bits = {32, 16}, .salu = x_##name_},
#define SCMP(name_, aw, bw, ...)                                                                   \
	{.name = #name_, .form = ISA_SCMP, .operands = 2, .bits = {aw, bw}, .salu = x_##name_},
#define SCMPF(name_, ...) SCMP(name_, 32, 32)
#define SCMPK(name_, ...) SCMP(name_, 32, 16)
#define VECTOR(name_, flags_, TD, TA, TB, TC)                                                      \
	{.name = #name_,                                                                           \
		.form = ISA_VALU,                                                                  \
		.operands = COUNT(TA, TB, TC),                                                     \
		.type = {ISA_##TD, ISA_##TA, ISA_##TB, ISA_##TC},                                  \
		.flags = flags_,                                                                   \
		.lanes = x_##name_},
#define V(name, TD, TA, TB, TC, ...) VECTOR(name, 0, TD, TA, TB, TC)
#define F(name, TD, TA, TB, TC, ...) VECTOR(name, ISA_ARITHMETIC, TD, TA, TB, TC)
#define M(name, TD, TA, TB, TC, ...) VECTOR(name, ISA_FLUSHES, TD, TA, TB, TC)
#define K(name, TD, TA, TB, TC, ...) VECTOR(name, ISA_ARITHMETIC | ISA_KEEPS_HALF, TD, TA, TB, TC)
#define A(name, TD, TA, TB, TC, ...) VECTOR(name, ISA_ARITHMETIC | ISA_ACCUMULATES, TD, TA, TB, TC)
#define AK(name, TD, TA, TB, TC, ...)                                                              \
	VECTOR(name, ISA_ARITHMETIC | ISA_ACCUMULATES | ISA_KEEPS_HALF, TD, TA, TB, TC)
#define AI(name, TD, TA, TB, TC, ...) VECTOR(name, ISA_ACCUMULATES, TD, TA, TB, TC)
#define FZ(name, TD, TA, TB, TC, ...)                                                              \
	VECTOR(name, ISA_ARITHMETIC | ISA_NO_SUBNORMALS, TD, TA, TB, TC)
#define AZ(name, TD, TA, TB, TC, ...)                                                              \
	VECTOR(name, ISA_ARITHMETIC | ISA_ACCUMULATES | ISA_NO_SUBNORMALS, TD, TA, TB, TC)
#define COMPARE(name_, flags_, TA, TB)                                                             \
	{.name = #name_,                                                                           \
		.form = ISA_VCMP,                                                                  \
		.operands = 3,                                                                     \
		.type = {ISA_N, ISA_##TA, ISA_##TB},                                               \
		.flags = flags_,                                                                   \
		.cmp = x_##name_},
#define CMP(name, TA, TB, ...) COMPARE(name, ISA_FLUSHES, TA, TB)
#define CMPB(name, TA, TB, ...) COMPARE(name, 0, TA, TB)
#define CARRY(name_, n, ...)                                                                       \
	{.name = #name_,                                                                           \
		.form = ISA_CARRY,                                                                 \
		.operands = n,                                                                     \
		.type = {ISA_U32, ISA_U32, ISA_U32},                                               \
		.carry = x_##name_},
#define PK(name_, n, T, of)                                                                        \
	{.name = #name_,                                                                           \
		.form = ISA_PK16,                                                                  \
		.operands = n,                                                                     \
		.type = {ISA_##T, ISA_##T, ISA_##T, (n) == 4 ? ISA_##T : ISA_N},                   \
		.flags = ISA_##T == ISA_F16 ? ISA_ARITHMETIC : 0,                                  \
		.lanes = x_##of},
#define PK32(name_, n, of)                                                                         \
	{.name = #name_,                                                                           \
		.form = ISA_PK32,                                                                  \
		.operands = n,                                                                     \
		.type = {ISA_F32, ISA_F32, ISA_F32, (n) == 4 ? ISA_F32 : ISA_N},                   \
		.flags = ISA_ARITHMETIC,                                                           \
		.lanes = x_##of},
#define MIX(name_, half)                                                                           \
	{.name = #name_,                                                                           \
		.form = ISA_MIX,                                                                   \
		.operands = 4,                                                                     \
		.type = {(half) ? ISA_F16 : ISA_F32, ISA_F32, ISA_F32, ISA_F32},                   \
		.flags = ISA_ARITHMETIC,                                                           \
		.lanes = x_v_fma_f32,                                                              \
		.number = half},
#define SPECIAL(name_, n, what, number_, TD, TA, TB, TC)                                           \
	{.name = #name_,                                                                           \
		.form = ISA_SPECIAL,                                                               \
		.operands = n,                                                                     \
		.special = what,                                                                   \
		.number = number_,                                                                 \
		.flags = (what) == ISA_DIV_SCALE || (what) == ISA_DIV_FMAS ? ISA_FLUSHES : 0,      \
		.type = {ISA_##TD, ISA_##TA, ISA_##TB, ISA_##TC}},
#define MEMORY(form_, name_, space_, n, bytes, elements, stride, sign_, half_)                     \
	{.name = #name_,                                                                           \
		.form = form_,                                                                     \
		.operands = n,                                                                     \
		.space = space_,                                                                   \
		.bits = {bytes, elements, stride},                                                 \
		.sign = sign_,                                                                     \
		.half = half_},
#define ATOMIC_ROW(name_, space_, n, bytes, fn, returns_, compares)                                \
	{.name = name_,                                                                            \
		.form = ISA_ATOMIC,                                                                \
		.operands = n,                                                                     \
		.space = space_,                                                                   \
		.bits = {bytes, compares},                                                         \
		.returns = returns_,                                                               \
		.atomic = fn},
/* Operands without the result, which glc or sc0 adds for all but LDS; what is compared is an
 * operand of its own in LDS alone. */
#define ATOMICS(name, lds, bytes, compares)                                                        \
	ATOMIC_ROW("global_atomic_" #name, ISA_GLOBAL, 3, bytes, x_atomic_##name, false, compares) \
	ATOMIC_ROW("flat_atomic_" #name, ISA_FLAT, 2, bytes, x_atomic_##name, false, compares)     \
	ATOMIC_ROW("buffer_atomic_" #name, ISA_BUFFER, 4, bytes, x_atomic_##name, false, compares) \
	ATOMIC_ROW("ds_" #lds, ISA_LDS, 2 + (compares), bytes, x_atomic_##name, false, compares)   \
	ATOMIC_ROW("ds_" #lds "_rtn", ISA_LDS, 3 + (compares), bytes, x_atomic_##name, true,       \
		compares)
#define ATOMIC(name, lds, bytes, ...) ATOMICS(name, lds, bytes, 0)
#define ATOMIC_COMPARE(name, lds, bytes, ...) ATOMICS(name, lds, bytes, 1)
#define ATOMIC_STORE(name, lds, bytes)                                                             \
	ATOMIC_ROW("ds_" #lds, ISA_LDS, 3, bytes, x_atomic_##name, false, 2)                       \
	ATOMIC_ROW("ds_" #lds "_rtn", ISA_LDS, 4, bytes, x_atomic_##name, true, 2)
#define UNPHI_MFMA(name_, M_, N_, K_, count, TA, TB, TC, VA, VB, VD)                               \
	{.name = "v_" #name_,                                                                      \
		.form = ISA_SPECIAL,                                                               \
		.operands = 4,                                                                     \
		.special = ISA_MFMA,                                                               \
		.matrix = {M_, N_, K_, count, #TA, #TB, #TC}},
#define UNPHI_MFMA_SCALE(name_, M_, N_, K_, VA, VD)                                                \
	{.name = "v_" #name_,                                                                      \
		.form = ISA_SPECIAL,                                                               \
		.operands = 6,                                                                     \
		.special = ISA_MFMA,                                                               \
		.matrix = {M_, N_, K_, 1, "mx", "mx", "f32"}},
#define UNPHI_SMFMAC(name_, M_, N_, K_, TA, TB, TC, VA, VB, VD)                                    \
	{.name = "v_" #name_,                                                                      \
		.form = ISA_SPECIAL,                                                               \
		.operands = 4,                                                                     \
		.special = ISA_SMFMAC,                                                             \
		.matrix = {M_, N_, K_, 1, #TA, #TB, #TC}},
#define UNPHI_WMMA_ROW(name_, lanes_, TA, TC)                                                      \
	{.name = "v_" #name_,                                                                      \
		.form = ISA_SPECIAL,                                                               \
		.operands = 4,                                                                     \
		.special = ISA_WMMA,                                                               \
		.number = lanes_,                                                                  \
		.matrix = {16, 16, 16, 1, TA, TA, TC}},
#define UNPHI_WMMA12_ROW(name_, special_, lanes_, K_, TA, TB, TC)                                  \
	{.name = "v_" #name_,                                                                      \
		.form = ISA_SPECIAL,                                                               \
		.operands = 4,                                                                     \
		.special = special_,                                                               \
		.number = lanes_,                                                                  \
		.matrix = {16, 16, K_, 1, TA, TB, TC, true}},
#define UNPHI_WMMA12(name, lanes, K, TA, TB, TC, A_, B_, D_)                                       \
	UNPHI_WMMA12_ROW(name, ISA_WMMA, lanes, K, #TA, #TB, #TC)
#define UNPHI_WMMA12_INT(name, lanes, K, bits, A_, B_, D_)                                         \
	UNPHI_WMMA12_ROW(name, ISA_WMMA, lanes, K, "iu" #bits, "iu" #bits, "i32")
#define UNPHI_SWMMAC(name, lanes, K, TA, TB, TC, A_, B_, D_)                                       \
	UNPHI_WMMA12_ROW(name, ISA_SWMMAC, lanes, K, #TA, #TB, #TC)
#define UNPHI_SWMMAC_INT(name, lanes, K, bits, A_, B_, D_)                                         \
	UNPHI_WMMA12_ROW(name, ISA_SWMMAC, lanes, K, "iu" #bits, "iu" #bits, "i32")
#define UNPHI_WMMA(name, lanes, TA, TC, A_, D_) UNPHI_WMMA_ROW(name, lanes, #TA, #TC)
#define UNPHI_WMMA_HALF(name, lanes, TA, TC, A_, D_) UNPHI_WMMA_ROW(name, lanes, #TA, #TC)
#define UNPHI_WMMA_INT(name, lanes, bits, A_, D_) UNPHI_WMMA_ROW(name, lanes, "iu" #bits, "i32")
static const struct isa_row rows[] = {
#include "isa/atomic.def"
#include "isa/other.def"
#include "isa/scalar.def"
#include "isa/vector.def"
#include "verify/runtime/unphi/matrix_ops.h"
};

static const struct {
	const char *name;
	const char *of;
} aliases[] = {
#define ALIAS(name_, of_) {#name_, #of_},
#include "isa/alias.def"
};

unsigned isa_type_regs(enum isa_type t)
{
	return t == ISA_U64 || t == ISA_I64 || t == ISA_F64 ? 2 : 1;
}

bool isa_is_scaled(const struct isa_row *r)
{
	return r->matrix.a && strcmp(r->matrix.a, "mx") == 0;
}

/* gfx942 writes v_mfma_f32_32x32x4_2b_f16 for what gfx90a calls v_mfma_f32_32x32x4f16, and of the
 * two of bf16 the one with _1k is left. */
static void add_newer_name(struct map *out, const struct isa_row *r)
{
	const struct isa_matrix *m = &r->matrix;
	char name[64];
	char blocks[16] = "";
	if (r->special != ISA_MFMA || strcmp(m->a, m->b) != 0) {
		return;
	}
	if (strcmp(m->a, "bf16") == 0 && !str_ends(str_of(r->name), "_1k")) {
		return;
	}
	if (m->blocks > 1) {
		snprintf(blocks, sizeof(blocks), "_%db", m->blocks);
	}
	snprintf(name, sizeof(name), "v_mfma_%s_%dx%dx%d%s_%s", m->c, m->m, m->n, m->k, blocks,
		isa_is_scaled(r) ? "f8f6f4" : m->a); /* that one without scales */
	if (!map_has(out, str_of(name))) {
		map_set(out, str_of(name), (uintptr_t)r);
	}
}

/* wmma is written without the wave's size. */
static void add_row(struct map *out, const struct isa_row *r)
{
	struct str name = str_of(r->name);
	map_set(out, name, (uintptr_t)r);
	if (r->form == ISA_SPECIAL) {
		add_newer_name(out, r);
	}
}

/* "ds_add_rtn_u32" is written for a row "ds_add_u32_rtn". */
static void add_rtn(struct map *out, const struct isa_row *r)
{
	struct str stem = str_of(r->name);
	char name[64];
	if (!str_ends(stem, "_rtn")) {
		return;
	}
	stem.n -= 4;
	size_t last = stem.n;
	while (last > 0 && stem.p[last - 1] != '_') {
		last--;
	}
	snprintf(
		name, sizeof(name), "%.*srtn_%s", (int)last, stem.p, str_sub(stem, last, stem.n).p);
	name[strlen(name) - 4] = '\0'; /* the row's own _rtn */
	map_set(out, str_of(name), (uintptr_t)r);
}

void isa_rows(struct map *out)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		add_row(out, &rows[i]);
		add_rtn(out, &rows[i]);
	}
	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++) {
		uintptr_t row = map_get(out, str_of(aliases[i].of), 0);
		if (row) {
			map_set(out, str_of(aliases[i].name), row);
		}
	}
}
