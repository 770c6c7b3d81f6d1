/* The rows of scalar.def, vector.def, atomic.def and other.def as functions and a table. */
#include "isa/table.h"

#include <stdio.h>
#include <string.h>

#include "isa/number.h"
#include "isa/rows.h"

int32_t isa_add_clamp(uint32_t a, int32_t b)
{
	int64_t sum = (int64_t)(int32_t)a + b;
	return sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : (int32_t)sum;
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

#define MIN(x, y) ((x) < (y) ? (x) : (y))
#define MAX(x, y) ((x) > (y) ? (x) : (y))

/* Comparisons of floats a and b, for X(name, condition). */
#define FLOAT_CONDITIONS(X)                                                                        \
	X(lt, a < b)                                                                               \
	X(eq, a == b)                                                                              \
	X(le, a <= b)                                                                              \
	X(gt, a > b)                                                                               \
	X(lg, a > b || a < b)                                                                      \
	X(ge, a >= b)                                                                              \
	X(o, a == a && b == b)                                                                     \
	X(u, a != a || b != b)                                                                     \
	X(nge, !(a >= b))                                                                          \
	X(nlg, !(a > b || a < b))                                                                  \
	X(ngt, !(a > b))                                                                           \
	X(nle, !(a <= b))                                                                          \
	X(neq, !(a == b))                                                                          \
	X(nlt, !(a < b))

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
#define SCMPF(how, ...)                                                                            \
	SALU(s_cmp_##how##_f32, 0, 32, 32, float a = isa_f32((uint32_t)A);                         \
		float b = isa_f32((uint32_t)B); SCC = (__VA_ARGS__))                               \
	SALU(s_cmp_##how##_f16, 0, 32, 32, float a = HA; float b = HB; SCC = (__VA_ARGS__))
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
#define SCMPF(how, ...) SCMP(s_cmp_##how##_f32, 32, 32) SCMP(s_cmp_##how##_f16, 32, 32)
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
#define ATOMIC_ROW(name_, space_, n, bytes, fn, what_, returns_, compares)                         \
	{.name = name_,                                                                            \
		.form = ISA_ATOMIC,                                                                \
		.operands = n,                                                                     \
		.space = space_,                                                                   \
		.bits = {bytes, compares},                                                         \
		.returns = returns_,                                                               \
		.atomic = fn,                                                                      \
		.what = what_},
/* n does not count the result, which glc or sc0 adds (LDS has its own rows). Only LDS has a
 * separate comparand. */
#define ATOMICS(name, lds, bytes, compares)                                                        \
	ATOMIC_ROW("global_atomic_" #name, ISA_GLOBAL, 3, bytes, x_atomic_##name, #name, false,    \
		compares)                                                                          \
	ATOMIC_ROW(                                                                                \
		"flat_atomic_" #name, ISA_FLAT, 2, bytes, x_atomic_##name, #name, false, compares) \
	ATOMIC_ROW("buffer_atomic_" #name, ISA_BUFFER, 4, bytes, x_atomic_##name, #name, false,    \
		compares)                                                                          \
	ATOMIC_ROW("ds_" #lds, ISA_LDS, 2 + (compares), bytes, x_atomic_##name, #name, false,      \
		compares)                                                                          \
	ATOMIC_ROW("ds_" #lds "_rtn", ISA_LDS, 3 + (compares), bytes, x_atomic_##name, #name,      \
		true, compares)
#define ATOMIC(name, lds, bytes, ...) ATOMICS(name, lds, bytes, 0)
#define ATOMIC_COMPARE(name, lds, bytes, ...) ATOMICS(name, lds, bytes, 1)
#define ATOMIC_STORE(name, lds, bytes)                                                             \
	ATOMIC_ROW("ds_" #lds, ISA_LDS, 3, bytes, x_atomic_##name, #name, false, 2)                \
	ATOMIC_ROW("ds_" #lds "_rtn", ISA_LDS, 4, bytes, x_atomic_##name, #name, true, 2)
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

/* gfx942's name of gfx90a's v_mfma_f32_32x32x4f16 is v_mfma_f32_32x32x4_2b_f16. For bf16 only the
 * _1k variant exists there. */
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
		isa_is_scaled(r) ? "f8f6f4" : m->a); /* the one without scales */
	if (!map_has(out, str_of(name))) {
		map_set(out, str_of(name), (uintptr_t)r);
	}
}

static void add_row(struct map *out, const struct isa_row *r)
{
	struct str name = str_of(r->name);
	map_set(out, name, (uintptr_t)r);
	if (r->form == ISA_SPECIAL) {
		add_newer_name(out, r);
	}
}

/* The row "ds_add_u32_rtn" is written "ds_add_rtn_u32". */
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
