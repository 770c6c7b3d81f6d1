/* The rows of ops.def as functions and a table. */
#include "isa/table.h"

#include <math.h>
#include <string.h>

/* A product and a sum that the kernel rounds apart must not be one here. */

static float real(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof(f));
	return f;
}

static uint32_t BITS(float f)
{
	uint32_t bits;
	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

static int32_t I24(uint32_t x)
{
	return (int32_t)(x << 8) >> 8;
}

/* V_MAX_F32: of a NaN and a number the number, and +0 above -0. */
static float larger(float x, float y)
{
	if (isnan(x) || isnan(y)) {
		return isnan(x) ? y : x;
	}
	return x > y || (x == y && !signbit(x)) ? x : y;
}

static float smaller(float x, float y)
{
	if (isnan(x) || isnan(y)) {
		return isnan(x) ? y : x;
	}
	return x < y || (x == y && signbit(x)) ? x : y;
}

#define A s->a
#define B s->b
#define D s->d
#define SCC s->scc
#define SALU(name, dw, aw, bw, ...)                                                                \
	static void x_##name(struct isa_salu *s)                                                   \
	{                                                                                          \
		__VA_ARGS__;                                                                       \
	}
#define SOPK(name, ...) SALU(name, 32, 32, 32, __VA_ARGS__)
#define SCMP(name, w, ...) SALU(name, 0, w, w, SCC = (__VA_ARGS__))
#define VALU(...)
#define VALUF(...)
#define FMAC(...)
#define WIDE(...)
#define VCMP(...)
#define VCMPF(...)
#define CARRY(...)
#define PK32(...)
#define SPECIAL(...)
#define MEMORY(...)
#include "isa/ops.def"
#undef A
#undef B
#undef D
#undef SCC
#undef SALU
#undef SOPK
#undef SCMP
#undef VALU
#undef VALUF
#undef FMAC
#undef WIDE
#undef VCMP
#undef VCMPF
#undef CARRY

#define A a[i]
#define B b[i]
#define C c[i]
#define FA real(a[i])
#define FB real(b[i])
#define FC real(c[i])
#define IN (in >> i & 1)
#define SALU(...)
#define SOPK(...)
#define SCMP(...)
#define EACH_LANE for (int i = 0; i < ISA_LANES; i++)
#define VALU(name, n, ...)                                                                         \
	static void x_##name(                                                                      \
		uint32_t *restrict d, const uint32_t *a, const uint32_t *b, const uint32_t *c)     \
	{                                                                                          \
		(void)b, (void)c;                                                                  \
		EACH_LANE                                                                          \
		{                                                                                  \
			d[i] = (__VA_ARGS__);                                                      \
		}                                                                                  \
	}
#define VALUF(name, n, ...) VALU(name, n, BITS(__VA_ARGS__))
#define FMAC(name, ...) VALU(name, 3, BITS(__VA_ARGS__))
#define WIDE(name, dw, aw, bw, cw, ...)                                                            \
	static void x_##name(                                                                      \
		uint64_t *restrict d, const uint64_t *a, const uint64_t *b, const uint64_t *c)     \
	{                                                                                          \
		(void)b, (void)c;                                                                  \
		EACH_LANE                                                                          \
		{                                                                                  \
			d[i] = (__VA_ARGS__);                                                      \
		}                                                                                  \
	}
#define VCMP(name, ...)                                                                            \
	static uint64_t x_##name(const uint32_t *a, const uint32_t *b)                             \
	{                                                                                          \
		uint64_t mask = 0;                                                                 \
		EACH_LANE                                                                          \
		{                                                                                  \
			mask |= (uint64_t)(__VA_ARGS__) << i;                                      \
		}                                                                                  \
		return mask;                                                                       \
	}
#define VCMPF(name, ...) VCMP(name, __VA_ARGS__)
#define CARRY(name, n, ...)                                                                        \
	static uint64_t x_##name(                                                                  \
		uint32_t *restrict d, const uint32_t *a, const uint32_t *b, uint64_t in)           \
	{                                                                                          \
		uint64_t mask = 0;                                                                 \
		(void)in;                                                                          \
		EACH_LANE                                                                          \
		{                                                                                  \
			uint64_t wide = (__VA_ARGS__);                                             \
			d[i] = (uint32_t)wide;                                                     \
			mask |= (wide >> 32 & 1) << i;                                             \
		}                                                                                  \
		return mask;                                                                       \
	}
#include "isa/ops.def"
#undef SALU
#undef SOPK
#undef SCMP
#undef VALU
#undef VALUF
#undef FMAC
#undef WIDE
#undef VCMP
#undef VCMPF
#undef CARRY
#undef PK32
#undef SPECIAL
#undef MEMORY

#define SALU(name_, dw, aw, bw, ...)                                                               \
	{.name = #name_,                                                                           \
		.form = ISA_SALU,                                                                  \
		.operands = (bw) ? 3 : 2,                                                          \
		.bits = {dw, aw, bw},                                                              \
		.salu = x_##name_},
#define SOPK(name_, ...)                                                                           \
	{.name = #name_, .form = ISA_SOPK, .operands = 2, .bits = {32, 32, 32}, .salu = x_##name_},
#define SCMP(name_, w, ...)                                                                        \
	{.name = #name_, .form = ISA_SCMP, .operands = 2, .bits = {w, w}, .salu = x_##name_},
#define VECTOR(name_, form_, n, member)                                                            \
	{.name = #name_,                                                                           \
		.form = form_,                                                                     \
		.operands = n,                                                                     \
		.bits = {32, 32, 32, 32},                                                          \
		.member = x_##name_},
#define VALU(name, n, ...) VECTOR(name, ISA_VALU, n, valu)
#define VALUF(name, n, ...) VECTOR(name, ISA_VALUF, n, valu)
#define FMAC(name, ...) VECTOR(name, ISA_FMAC, 3, valu)
#define VCMP(name, ...) VECTOR(name, ISA_VCMP, 3, cmp)
#define VCMPF(name, ...) VECTOR(name, ISA_VCMPF, 3, cmp)
#define CARRY(name, n, ...) VECTOR(name, ISA_CARRY, n, carry)
#define WIDE(name_, dw, aw, bw, cw, ...)                                                           \
	{.name = #name_,                                                                           \
		.form = ISA_WIDE,                                                                  \
		.operands = (cw)   ? 4                                                             \
			    : (bw) ? 3                                                             \
				   : 2,                                                            \
		.bits = {dw, aw, bw, cw},                                                          \
		.wide = x_##name_},
#define PK32(name_, n, of) {.name = #name_, .form = ISA_PK32, .operands = n, .valu = x_##of},
#define SPECIAL(name_, n, what)                                                                    \
	{.name = #name_, .form = ISA_SPECIAL, .operands = n, .special = what},
#define MEMORY(form_, name_, space_, n, bytes, elements, stride, sign_)                            \
	{.name = #name_,                                                                           \
		.form = form_,                                                                     \
		.operands = n,                                                                     \
		.space = space_,                                                                   \
		.bits = {bytes, elements, stride},                                                 \
		.sign = sign_},
#define UNPHI_MFMA(name_, M, N, K, count, TA, TB, TC, VA, VB, VD)                                  \
	{.name = "v_" #name_,                                                                      \
		.form = ISA_SPECIAL,                                                               \
		.operands = 4,                                                                     \
		.special = ISA_MFMA,                                                               \
		.matrix = {M, N, K, count, #TA, #TB, #TC}},
#define UNPHI_SMFMAC(...)
#define UNPHI_WMMA(...)
#define UNPHI_WMMA_HALF(...)
#define UNPHI_WMMA_INT(...)
static const struct isa_row rows[] = {
#include "isa/ops.def"
#include "verify/runtime/unphi/matrix_ops.h"
};

/* gfx942 writes v_mfma_f32_16x16x16_f16 for what gfx90a calls v_mfma_f32_16x16x16f16. */
static bool is_row(const struct isa_row *r, struct str name)
{
	size_t at = 0;
	if (r->special != ISA_MFMA) {
		return str_is(name, r->name);
	}
	for (const char *p = r->name; *p; p++) {
		if (at < name.n && name.p[at] == '_' && *p != '_') {
			at++;
		}
		if (at == name.n || name.p[at++] != *p) {
			return false;
		}
	}
	return at == name.n;
}

const struct isa_row *isa_row_find(struct str mnemonic)
{
	struct str name = mnemonic;
	if (str_ends(name, "_e32") || str_ends(name, "_e64")) {
		name.n -= 4;
	} else if (str_ends(name, "_sdwa")) {
		name.n -= 5;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (is_row(&rows[i], name)) {
			return &rows[i];
		}
	}
	return NULL;
}
