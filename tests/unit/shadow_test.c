/* Terms: what is folded, renamed or left out holds for all values, tried by the rows themselves;
 * and two programs side by side. */
#include "isa/shadow.h"
#include "isa/witness.h"
#include "snippet_isa.h"

static uint64_t state = 1;

static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state * 0x9e3779b97f4a7c15u;
}

/* Numbers that matter, and any. */
static uint32_t number(void)
{
	static const uint32_t some[] = {0, 1, 8, 16, 24, 0xff, 0xffff, 0x7fff, 0x80000000,
		0x7fffffff, 0xffffffff, 0x3f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffff0000,
		0x07060302};
	uint64_t r = next_random();
	return r % 3 ? (uint32_t)(r >> 32) : some[(r >> 8) % (sizeof(some) / sizeof(some[0]))];
}

static void each_row(void (*try)(const struct isa_row *r))
{
	struct map rows = {0};
	isa_rows(&rows);
	for (size_t i = 0; i < rows.n; i++) {
		try((const struct isa_row *)rows.entry[i].value);
	}
	map_release(&rows);
}

static const struct isa_row *row_named(const char *name)
{
	struct map rows = {0};
	isa_rows(&rows);
	uintptr_t row = map_get(&rows, str_of(name), 0);
	map_release(&rows);
	return (const struct isa_row *)row;
}

static bool is_16(enum isa_type t)
{
	return t == ISA_U16 || t == ISA_I16 || t == ISA_F16 || t == ISA_BF16;
}

/* A row's result of these sources in lane 0; 64 bits where it has them. */
static uint64_t computed(
	const struct isa_row *r, const uint32_t *a, const uint32_t *b, const uint32_t *c)
{
	if (r->salu) {
		struct isa_salu s = {.a = a[0], .b = b[0], .c = c[0]};
		r->salu(&s);
		return r->bits[0] == 32 ? (uint32_t)s.d : s.d;
	}
	uint32_t in[3][ISA_BUFFER_WORDS] = {{0}}, d[ISA_BUFFER_WORDS] = {0};
	const uint32_t *from[] = {a, b, c};
	for (unsigned i = 0; i < 3; i++) {
		in[i][0] = is_16((enum isa_type)r->type[i + 1]) ? from[i][0] & 0xffff : from[i][0];
		in[i][ISA_LANES] = from[i][1];
	}
	r->lanes(d, in[0], in[1], in[2]);
	return d[0] |
	       (isa_type_regs((enum isa_type)r->type[0]) == 2 ? (uint64_t)d[ISA_LANES] << 32 : 0);
}

/* ---- folds ---- */

static struct terms terms;

static uint32_t value_of(const struct slot s[4], const uint32_t *symbol)
{
	uint32_t x = 0;
	for (unsigned k = 0; k < 4; k++) {
		uint32_t byte = 0;
		for (unsigned i = 0; i < 3; i++) {
			bool own = s[k].of && s[k].of == term_symbol(&terms, i, 0, 4);
			byte = own ? symbol[i] >> 8 * s[k].at & 0xff : byte;
		}
		x |= (uint32_t)((byte & s[k].keep) ^ s[k].flip) << 8 * k;
	}
	return x;
}

static unsigned folds;

static void try_fold(const struct isa_row *r)
{
	enum fold how = fold_of(r->name);
	bool wide = r->salu ? r->bits[0] == 64 : isa_type_regs((enum isa_type)r->type[0]) == 2;
	unsigned n = r->operands - 1u;
	if (how == FOLD_NONE || wide) {
		return;
	}
	for (unsigned i = 0; i < 4000; i++) {
		uint32_t x[3][2] = {{number()}, {number()}, {number()}};
		uint32_t symbol[3];
		struct slot s[3][4], d[4];
		unsigned symbols = (unsigned)next_random() >> 8 & 7;
		for (unsigned k = 0; k < 3; k++) {
			bool is_symbol = k < n && symbols >> k & 1;
			symbol[k] = x[k][0];
			bool half = !r->salu && is_16((enum isa_type)r->type[k + 1]);
			x[k][0] = k < n ? x[k][0] : 0;
			term_slots(s[k], &terms, is_symbol ? term_symbol(&terms, k, 0, 4) : 0,
				x[k][0]);
			if (half) {
				s[k][2] = s[k][3] = slot_constant(0);
			}
		}
		if (fold(d, how, s[0], s[1], s[2])) {
			uint64_t should = computed(r, x[0], x[1], x[2]);
			if ((uint32_t)should != value_of(d, symbol)) {
				fail_msg("%s(%#x, %#x, %#x) is %#x and folds to %#x", r->name,
					x[0][0], x[1][0], x[2][0], (uint32_t)should,
					value_of(d, symbol));
			}
			folds++;
		}
	}
}

static void test_folds_hold(void **unused)
{
	(void)unused;
	terms_init(&terms, arena);
	each_row(try_fold);
	assert_true(folds > 20000);
	terms_release(&terms);
}

/* ---- rows by other rows ---- */

/* A NaN of these is set once a row has run, by its sources. */
static bool same_number(const struct isa_row *r, uint64_t x, uint64_t y)
{
	uint64_t top = r->type[0] == ISA_F16   ? 0x7c00
		       : r->type[0] == ISA_F32 ? 0x7f800000
		       : r->type[0] == ISA_F64 ? (uint64_t)0x7ff << 52
					       : UINT64_MAX;
	uint64_t bits = r->type[0] == ISA_F16	? 0x7fff
			: r->type[0] == ISA_F32 ? 0x7fffffff
						: UINT64_MAX >> 1;
	return x == y || (top != UINT64_MAX && (x & bits) > top && (y & bits) > top);
}

static unsigned renamed;

static void try_name(const struct isa_row *r)
{
	const char *name = fold_name(r->name);
	const struct isa_row *as = row_named(name);
	unsigned commutes = fold_commutes(name);
	if (!r->lanes || (strcmp(name, r->name) == 0 && !commutes)) {
		return;
	}
	assert_non_null(as);
	unsigned flags = ISA_ARITHMETIC | ISA_FLUSHES | ISA_NO_SUBNORMALS;
	assert_int_equal(r->flags & flags, as->flags & flags);
	for (unsigned i = 0; i < 4000; i++) {
		uint32_t x[3][2];
		for (unsigned k = 0; k < 3; k++) {
			x[k][0] = number();
			x[k][1] = number();
		}
		assert_true(same_number(
			r, computed(r, x[0], x[1], x[2]), computed(as, x[0], x[1], x[2])));
		if (commutes >= 2) {
			assert_int_equal(
				computed(as, x[0], x[1], x[2]), computed(as, x[1], x[0], x[2]));
		}
		if (commutes == 3) {
			assert_int_equal(
				computed(as, x[0], x[1], x[2]), computed(as, x[2], x[0], x[1]));
		}
	}
	renamed++;
}

static void test_rows_by_others(void **unused)
{
	(void)unused;
	each_row(try_name);
	assert_true(renamed > 30);
}

static bool compared(const struct isa_row *r, const uint32_t x[2][2], bool swap)
{
	uint32_t a[ISA_BUFFER_WORDS] = {0}, b[ISA_BUFFER_WORDS] = {0};
	a[0] = x[swap][0];
	b[0] = x[!swap][0];
	a[ISA_LANES] = x[swap][1];
	b[ISA_LANES] = x[!swap][1];
	struct isa_salu s = {.a = r->bits[0] == 64 ? a[0] | (uint64_t)a[ISA_LANES] << 32 : a[0],
		.b = r->bits[1] == 64 ? b[0] | (uint64_t)b[ISA_LANES] << 32 : b[0]};
	if (r->salu) {
		r->salu(&s);
	}
	return r->salu ? s.scc : r->cmp(a, b) & 1;
}

static void try_compare(const struct isa_row *r)
{
	struct fold_compare by;
	if ((r->form != ISA_VCMP && r->form != ISA_SCMP) || strncmp(r->name, "s_cmpk", 6) == 0) {
		return;
	}
	fold_compare(&by, r->name);
	const struct isa_row *as = row_named(by.name);
	assert_non_null(as);
	for (unsigned i = 0; i < 2000; i++) {
		uint32_t x[2][2] = {{number(), number()}, {number(), number()}};
		if (i % 4 == 0) {
			memcpy(x[1], x[0], sizeof(x[0]));
		}
		assert_int_equal(compared(r, x, false), compared(as, x, by.swap) != by.negate);
		if (by.commutes) {
			assert_int_equal(compared(as, x, false), compared(as, x, true));
		}
	}
}

static void test_comparisons_by_others(void **unused)
{
	(void)unused;
	each_row(try_compare);
}

/* ---- what scalar rows read and write beside their operands ---- */

static void try_scalar(const struct isa_row *r)
{
	bool reads_d = false, reads_scc = false, sets_scc = false;
	if (!r->salu) {
		return;
	}
	for (unsigned i = 0; i < 3000; i++) {
		struct isa_salu s = {.a = number() | (uint64_t)number() << 32,
			.b = number() | (uint64_t)number() << 32,
			.c = number(),
			.d = number(),
			.scc = i & 1};
		if (r->bits[0] == 32 || r->form == ISA_SCMP) {
			s.a &= r->bits[r->form == ISA_SALU] == 64 ? UINT64_MAX : UINT32_MAX;
			s.b &= UINT32_MAX;
		}
		struct isa_salu x = s, other_d = s, other_scc = s;
		other_d.d = number();
		other_scc.scc = !s.scc;
		r->salu(&x);
		r->salu(&other_d);
		r->salu(&other_scc);
		bool has_d = r->form != ISA_SCMP;
		reads_d |= (has_d && x.d != other_d.d && other_d.d != s.d) || x.scc != other_d.scc;
		sets_scc |= x.scc != s.scc || other_scc.scc == s.scc;
		reads_scc |= has_d && x.d != other_scc.d;
	}
	if (reads_d != shadow_row_reads_d(r->name) || reads_scc != shadow_row_reads_scc(r->name) ||
		sets_scc == shadow_row_keeps_scc(r->name)) {
		fail_msg("%s: reads d %d, reads SCC %d, sets SCC %d", r->name, reads_d, reads_scc,
			sets_scc);
	}
}

static void test_scalar_rows(void **unused)
{
	(void)unused;
	each_row(try_scalar);
}

/* ---- two programs ---- */

#define LOAD                                                                                       \
	"\ts_load_dwordx2 s[40:41], s[0:1], 0x0\n\tv_lshlrev_b32_e32 v8, 2, v0\n"                  \
	"\tglobal_load_dword v1, v8, s[40:41]\n\tglobal_load_dword v2, v8, s[40:41] offset:256\n"  \
	"\tglobal_load_dword v3, v8, s[40:41] offset:512\n\ts_waitcnt vmcnt(0)\n"
#define STORE "\tglobal_store_dword v8, v9, s[40:41] offset:768\n\ts_endpgm\n"

static struct isa_witness witness;

/* 64 lanes over 256 floats. */
static enum isa_verdict judged(const char *x, const char *y)
{
	static uint32_t buffer[2][256];
	static uint8_t symbols[1024];
	const uint8_t *all[] = {symbols};
	uint64_t arguments[2] = {0x10000, 7};
	struct isa_memory memory[2];
	struct isa_launch l[2];
	struct isa_program p[2];
	for (unsigned i = 0; i < 2; i++) {
		const char *body = arena_printf(arena, LOAD "%s" STORE, i ? y : x);
		for (unsigned k = 0; k < 256; k++) {
			buffer[i][k] = 0x3f800000 + (k << 16);
			symbols[4 * k] = 4;
		}
		memory[i] = (struct isa_memory){
			0x10000, sizeof(buffer[i]), (unsigned char *)buffer[i], false, STR("")};
		l[i] = (struct isa_launch){.grid = {1, 1, 1},
			.block = {64, 1, 1},
			.arguments = (const unsigned char *)arguments,
			.argument_bytes = 12,
			.memory = &memory[i],
			.memories = 1,
			.symbols = all,
			.steps_most = 10000};
		assert_int_equal(read_body(&p[i], body), 0);
	}
	const struct isa_program *const both[] = {&p[0], &p[1]};
	const struct isa_launch *const launches[] = {&l[0], &l[1]};
	isa_witness(&witness, arena, both, launches);
	return witness.verdict;
}

#define FP4                                                                                        \
	"\tv_mov_b32_e32 v20, v1\n\tv_mov_b32_e32 v24, v2\n\tv_mov_b32_e32 v120, v3\n"             \
	"\tv_mov_b32_e32 v30, 0x7f\n\tv_mov_b32_e32 v31, 0x80\n"
#define MX(a, c, sa, sb)                                                                           \
	"\tv_mfma_scale_f32_16x16x128_f8f6f4 v[10:13], v[" a "20:" a "23], v[24:27], " c ", " sa   \
	", " sb " op_sel_hi:[0,0,0] cbsz:4 blgp:4\n\tv_mov_b32_e32 v9, v10\n"

#define SUMS                                                                                       \
	"\tv_add_f32_e32 v25, v1, v2\n\tv_mul_f32_e32 v26, v2, v3\n\tv_sub_f32_e32 v27, v1, v3\n"
#define LARGEST(a, b, c)                                                                           \
	SUMS "\tv_max_f32_e64 v28, " a ", " b "\n"                                                 \
	     "\tv_max_f32_e64 v9, v28, " c "\n"

/* The largest or smallest of three does not depend on order and grouping, apart from a NaN's bits,
 * if no source is a signalling NaN. */
static void test_extremes(void **unused)
{
	(void)unused;
	static const char *const names[][2] = {{"v_max_f32", "v_max3_f32"},
		{"v_min_f32", "v_min3_f32"}, {"v_max_num_f32", "v_max3_num_f32"},
		{"v_min_num_f32", "v_min3_num_f32"}};
	static const uint32_t number_of[] = {0, 0x80000000, 1, 0x80000001, 0x3f800000, 0xbf800000,
		0x7f800000, 0xff800000, 0x7fc00000, 0xffc12345};
	enum {
		N = sizeof(number_of) / sizeof(number_of[0])
	};
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		const struct isa_row *two = row_named(names[k][0]), *three = row_named(names[k][1]);
		assert_true(two && three);
		for (size_t i = 0; i < N * N * N; i++) {
			uint32_t a[2] = {number_of[i % N]}, b[2] = {number_of[i / N % N]},
				 c[2] = {number_of[i / N / N]}, inner[2] = {0};
			uint32_t x = (uint32_t)computed(three, a, b, c);
			inner[0] = (uint32_t)computed(two, c, a, a);
			uint32_t y = (uint32_t)computed(two, b, inner, a);
			bool nans = (x & 0x7fffffff) > 0x7f800000 && (y & 0x7fffffff) > 0x7f800000;
			if (x != y && !nans) {
				fail_msg("%s of 0x%x 0x%x 0x%x: 0x%x, and 0x%x by %s", names[k][1],
					a[0], b[0], c[0], x, y, names[k][0]);
			}
		}
	}
}

static void test_judges(void **unused)
{
	(void)unused;
	static const struct {
		enum isa_verdict verdict;
		const char *x, *y;
	} pair[] = {{ISA_EQUAL, "\tv_add_f32_e32 v9, v1, v2\n", "\tv_add_f32_e32 v9, v1, v2\n"},
		{ISA_EQUAL, "\tv_mov_b32_e32 v9, v3\n\tv_fmac_f32_e32 v9, v1, v2\n",
			"\tv_fma_f32 v9, v1, v2, v3\n"},
		{ISA_EQUAL,
			"\tv_pk_fma_f32 v[10:11], v[1:2], v[1:2], v[2:3]\n\tv_mov_b32_e32 v9, "
			"v11\n",
			"\tv_fma_f32 v9, v2, v2, v3\n"},
		{ISA_EQUAL, "\tv_xor_b32_e32 v4, 0x80000000, v1\n\tv_add_f32_e32 v9, v4, v2\n",
			"\tv_add_f32_e64 v9, -v1, v2\n"},
		{ISA_EQUAL, "\tv_lshrrev_b32_e32 v4, 16, v1\n\tv_lshl_or_b32 v9, v4, 16, 5\n",
			"\tv_and_or_b32 v9, v1, 0xffff0000, 5\n"},
		{ISA_EQUAL_BUT_NANS, "\tv_add_f32_e32 v9, v1, v2\n",
			"\tv_add_f32_e32 v9, v2, v1\n"},
		{ISA_EQUAL_BUT_NANS, "\tv_sub_f32_e32 v9, v1, v2\n",
			"\tv_add_f32_e64 v9, v1, -v2\n"},
		{ISA_EQUAL_BUT_NANS, "\tv_max_f32_e32 v4, v1, v1\n\tv_mul_f32_e32 v9, v4, v2\n",
			"\tv_mul_f32_e32 v9, v2, v1\n"},
		{ISA_EQUAL_BUT_NANS, LARGEST("v25", "v26", "v27"), LARGEST("v27", "v25", "v26")},
		{ISA_EQUAL_BUT_NANS, LARGEST("v25", "v26", "-v27"),
			SUMS "\tv_max3_f32 v28, v26, -v27, v26\n\tv_max_f32_e32 v9, v25, v28\n"},
		{ISA_EQUAL_BUT_NANS, LARGEST("v25", "v26", "v27"),
			SUMS "\tv_max_f32_e32 v26, v26, v26\n\tv_max_f32_e32 v28, v26, v25\n"
			     "\tv_max_f32_e32 v28, v28, v28\n\tv_max_f32_e32 v9, v27, v28\n"},
		/* another number, not the largest of these data; maybe a signalling NaN */
		{ISA_EQUAL_AS_REALS, LARGEST("v25", "v26", "-v27"), LARGEST("v25", "v26", "v27")},
		{ISA_EQUAL_AS_REALS, LARGEST("v25", "v26", "v27"), LARGEST("v25", "v26", "v26")},
		{ISA_EQUAL_AS_REALS, LARGEST("v25", "v26", "v1"), LARGEST("v1", "v25", "v26")},
		{ISA_EQUAL_BUT_FUSED, "\tv_mul_f32_e32 v4, v1, v2\n\tv_add_f32_e32 v9, v3, v4\n",
			"\tv_fma_f32 v9, v1, v2, v3\n"},
		{ISA_EQUAL_BUT_FUSED, "\tv_mul_f32_e32 v4, v1, v2\n\tv_sub_f32_e32 v9, v3, v4\n",
			"\tv_fma_f32 v9, -v1, v2, v3\n"},
		{ISA_NOT_EQUAL, "\tv_sub_f32_e32 v9, v1, v2\n", "\tv_sub_f32_e32 v9, v2, v1\n"},
		/* roundings apart */
		{ISA_EQUAL_AS_REALS, "\tv_mad_f32 v9, v1, v2, v3\n",
			"\tv_fma_f32 v9, v1, v2, v3\n"},
		{ISA_EQUAL_AS_REALS, "\tv_add_f32_e32 v4, v1, v2\n\tv_mul_f32_e32 v9, v4, v3\n",
			"\tv_mul_f32_e32 v4, v3, v2\n\tv_fma_f32 v9, v1, v3, v4\n"},
		{ISA_EQUAL_AS_REALS,
			"\tv_exp_f32_e32 v4, v1\n\tv_exp_f32_e32 v5, v2\n"
			"\tv_mul_f32_e32 v9, v4, v5\n",
			"\tv_add_f32_e32 v4, v2, v1\n\tv_exp_f32_e32 v9, v4\n"},
		{ISA_EQUAL_AS_REALS,
			"\tv_sub_f32_e32 v4, v1, v2\n\tv_exp_f32_e32 v4, v4\n"
			"\tv_rcp_f32_e32 v9, v4\n",
			"\tv_exp_f32_e32 v4, v1\n\tv_exp_f32_e32 v5, v2\n"
			"\tv_rcp_f32_e32 v4, v4\n\tv_mul_f32_e32 v9, v5, v4\n"},
		{ISA_EQUAL_AS_REALS, "\tv_max3_f32 v9, v1, v2, v3\n",
			"\tv_max_f32_e32 v4, v3, v2\n\tv_max_f32_e32 v9, v4, v1\n"},
		{ISA_EQUAL_AS_REALS, "\tv_ldexp_f32 v9, v1, 3\n",
			"\tv_mul_f32_e32 v9, 0x41000000, v1\n"},
		{ISA_EQUAL_AS_REALS,
			"\tv_rndne_f32_e32 v4, v1\n\tv_sub_f32_e32 v5, v1, v4\n"
			"\tv_exp_f32_e32 v5, v5\n\tv_cvt_i32_f32_e32 v4, v4\n\tv_ldexp_f32 v9, v5, "
			"v4\n",
			"\tv_exp_f32_e32 v9, v1\n"},
		{ISA_EQUAL_AS_REALS, "\tv_sub_f32_e32 v4, v1, v2\n\tv_sqrt_f32_e32 v9, v4\n",
			"\tv_add_f32_e32 v4, v1, v3\n\tv_sub_f32_e32 v4, v4, v2\n"
			"\tv_sub_f32_e32 v4, v4, v3\n\tv_sqrt_f32_e32 v9, v4\n"},
		{ISA_EQUAL_AS_REALS, "\tv_cvt_f16_f32_e32 v4, v1\n\tv_cvt_f32_f16_e32 v9, v4\n",
			"\tv_mov_b32_e32 v9, v1\n"},
		{ISA_EQUAL_AS_REALS, "\tv_sub_f32_e32 v9, v1, v1\n", "\tv_mov_b32_e32 v9, 0\n"},
		{ISA_NOT_EQUAL, "\tv_mad_f32 v9, v1, v2, v3\n", "\tv_fma_f32 v9, v1, v3, v2\n"},
		{ISA_NOT_EQUAL,
			"\tv_exp_f32_e32 v4, v1\n\tv_exp_f32_e32 v5, v2\n"
			"\tv_mul_f32_e32 v9, v4, v5\n",
			"\tv_mul_f32_e32 v4, v2, v1\n\tv_exp_f32_e32 v9, v4\n"},
		{ISA_NOT_EQUAL, "\tv_max_f32_e32 v9, v1, v2\n", "\tv_min_f32_e32 v9, v1, v2\n"},
		{ISA_NOT_EQUAL, "\tv_sqrt_f32_e32 v9, v1\n", "\tv_rsq_f32_e32 v9, v1\n"},
		{ISA_NOT_EQUAL, "\tv_rcp_f32_e32 v4, v1\n\tv_mul_f32_e32 v9, v4, v2\n",
			"\tv_rcp_f32_e32 v4, v2\n\tv_mul_f32_e32 v9, v4, v1\n"},
		{ISA_NOT_EQUAL, "\tv_cvt_f16_f32_e32 v4, v1\n\tv_lshlrev_b32_e32 v9, 16, v4\n",
			"\tv_mov_b32_e32 v9, v1\n"},
		{ISA_NOT_EQUAL, "\tv_sub_f32_e32 v4, v1, v1\n\tv_rcp_f32_e32 v9, v4\n",
			"\tv_sub_f32_e32 v4, v2, v2\n\tv_rcp_f32_e32 v9, v4\n\tv_sub_f32_e32 v9, "
			"0, v9\n"},
		{ISA_NOT_EQUAL, "\tv_add_u32_e32 v9, v1, v2\n", "\tv_add_f32_e32 v9, v1, v2\n"},
		{ISA_NOT_EQUAL, "\tv_rndne_f32_e32 v9, v1\n", "\tv_floor_f32_e32 v9, v1\n"},
		{ISA_NOT_EQUAL, "\tv_med3_f32 v9, v1, v2, v3\n", "\tv_max3_f32 v9, v1, v2, v3\n"},
		/* which lane matters, and what an integer sees of a NaN */
		{ISA_EQUAL_AS_REALS, "\tv_add_f32_e32 v4, v1, v2\n\tv_add_f32_e32 v9, v4, v3\n",
			"\tv_add_f32_e32 v4, v2, v3\n\tv_add_f32_e32 v9, v1, v4\n"},
		{ISA_NOT_EQUAL,
			"\tv_mov_b32_dpp v9, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n",
			"\tv_mov_b32_dpp v9, v1 quad_perm:[2,3,0,1] row_mask:0xf bank_mask:0xf\n"},
		{ISA_EQUAL_AS_REALS, "\tv_add_f32_e32 v4, v1, v2\n\tv_add_u32_e32 v9, 1, v4\n",
			"\tv_add_f32_e32 v4, v2, v1\n\tv_add_u32_e32 v9, 1, v4\n"},
		/* a result that is a constant on these data alone */
		{ISA_NOT_EQUAL, "\tv_floor_f32_e32 v4, v1\n\tv_sub_f32_e32 v9, v4, v1\n",
			"\tv_mov_b32_e32 v9, 0\n"},
		/* both branch on the same; one branches */
		{ISA_EQUAL,
			"\tv_cmp_gt_f32_e32 vcc, v1, v2\n\ts_and_saveexec_b64 s[4:5], vcc\n"
			"\tv_mov_b32_e32 v9, v3\n\ts_or_b64 exec, exec, s[4:5]\n",
			"\tv_cmp_lt_f32_e32 vcc, v2, v1\n\ts_and_saveexec_b64 s[4:5], vcc\n"
			"\tv_mov_b32_e32 v9, v3\n\ts_or_b64 exec, exec, s[4:5]\n"},
		{ISA_UNDECIDED,
			"\tv_cmp_lt_f32_e32 vcc, v2, v1\n\ts_and_saveexec_b64 s[4:5], vcc\n"
			"\tv_mov_b32_e32 v9, v3\n\ts_or_b64 exec, exec, s[4:5]\n",
			"\tv_mov_b32_e32 v9, 0\n"},
		{ISA_EQUAL, "\tv_cmp_lt_f32_e32 vcc, v1, v2\n\tv_cndmask_b32_e32 v9, v2, v3, vcc\n",
			"\tv_cmp_nlt_f32_e32 vcc, v1, v2\n\tv_cndmask_b32_e32 v9, v3, v2, vcc\n"},
		/* the lower word does not depend on the upper one, in which anything may be left */
		{ISA_EQUAL,
			"\tv_mov_b32_e32 v4, v1\n\tv_mov_b32_e32 v5, v2\n"
			"\tv_mad_u64_u32 v[6:7], s[6:7], v1, 3, v[4:5]\n\tv_mov_b32_e32 v9, v6\n",
			"\tv_mov_b32_e32 v4, v1\n\tv_mov_b32_e32 v5, v3\n"
			"\tv_mad_u64_u32 v[6:7], s[6:7], v1, 3, v[4:5]\n\tv_mov_b32_e32 v9, v6\n"},
		{ISA_NOT_EQUAL,
			"\tv_mov_b32_e32 v4, v1\n\tv_mov_b32_e32 v5, v2\n"
			"\tv_mad_u64_u32 v[6:7], s[6:7], v1, 3, v[4:5]\n\tv_mov_b32_e32 v9, v7\n",
			"\tv_mov_b32_e32 v4, v1\n\tv_mov_b32_e32 v5, v3\n"
			"\tv_mad_u64_u32 v[6:7], s[6:7], v1, 3, v[4:5]\n\tv_mov_b32_e32 v9, v7\n"},
		/* sums of integers, and of products of 4 bits with scales, in another order */
		{ISA_EQUAL_AS_REALS,
			"\tv_mfma_i32_16x16x16i8 v[10:13], v1, v2, 0\n"
			"\tv_mfma_i32_16x16x16i8 v[10:13], v2, v3, v[10:13]\n\tv_mov_b32_e32 v9, "
			"v10\n",
			"\tv_mfma_i32_16x16x16i8 v[10:13], v2, v3, 0\n"
			"\tv_mfma_i32_16x16x16i8 v[14:17], v1, v2, 0\n"
			"\tv_add_u32_e32 v9, v14, v10\n"},
		{ISA_NOT_EQUAL,
			"\tv_mfma_i32_16x16x16i8 v[10:13], v1, v2, 0\n\tv_mov_b32_e32 v9, v10\n",
			"\tv_mfma_i32_16x16x16i8 v[10:13], v2, v1, 0\n\tv_mov_b32_e32 v9, v10\n"},
		{ISA_EQUAL_AS_REALS, FP4 MX("", "0", "v30", "v31") MX("1", "v[10:13]", "v1", "v31"),
			FP4 MX("1", "0", "v1", "v31") MX("", "v[10:13]", "v30", "v31")},
		{ISA_NOT_EQUAL, FP4 MX("", "0", "v30", "v31"), FP4 MX("", "0", "v1", "v31")},
		{ISA_EQUAL, "\tglobal_atomic_add_f32 v8, v1, s[40:41]\n",
			"\tglobal_atomic_add_f32 v8, v1, s[40:41]\n"},
		{ISA_NOT_EQUAL, "\tglobal_atomic_add_f32 v8, v1, s[40:41]\n",
			"\tglobal_atomic_add_f32 v8, v2, s[40:41]\n"},
		{ISA_EQUAL_AS_REALS,
			"\tglobal_atomic_add_f32 v8, v1, s[40:41]\n"
			"\tglobal_atomic_add_f32 v8, v2, s[40:41]\n",
			"\tglobal_atomic_add_f32 v8, v2, s[40:41]\n"
			"\tglobal_atomic_add_f32 v8, v1, s[40:41]\n"},
		{ISA_EQUAL, "\tv_cmp_lt_f32_e32 vcc, v1, v2\n\tv_mbcnt_lo_u32_b32 v9, vcc_lo, 0\n",
			"\tv_cmp_gt_f32_e32 vcc, v2, v1\n\tv_mbcnt_lo_u32_b32 v9, vcc_lo, 0\n"},
		{ISA_NOT_EQUAL,
			"\tv_cmp_lt_f32_e32 vcc, v1, v2\n\tv_mbcnt_lo_u32_b32 v9, vcc_lo, 0\n",
			"\tv_cmp_lt_f32_e32 vcc, v2, v1\n\tv_mbcnt_lo_u32_b32 v9, vcc_lo, 0\n"},
		/* a mask that is spilled to a VGPR's lanes */
		{ISA_EQUAL,
			"\tv_cmp_lt_f32_e32 vcc, v1, v2\n\tv_writelane_b32 v6, vcc_lo, 0\n"
			"\tv_writelane_b32 v6, vcc_hi, 1\n\ts_mov_b64 vcc, 0\n"
			"\tv_readlane_b32 s6, v6, 0\n\tv_readlane_b32 s7, v6, 1\n"
			"\tv_cndmask_b32_e64 v9, v2, v3, s[6:7]\n",
			"\tv_cmp_lt_f32_e32 vcc, v1, v2\n\tv_cndmask_b32_e32 v9, v2, v3, vcc\n"},
		/* through LDS, and back from another lane's place */
		{ISA_EQUAL,
			"\tds_write_b32 v8, v1\n\ts_waitcnt lgkmcnt(0)\n\tv_xor_b32_e32 v7, 4, v8\n"
			"\tds_read_b32 v9, v7\n\ts_waitcnt lgkmcnt(0)\n",
			"\tv_mov_b32_dpp v9, v1 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf\n"}};
	for (size_t i = 0; i < sizeof(pair) / sizeof(pair[0]); i++) {
		target = strstr(pair[i].x, "f8f6f4") ? "gfx950" : "gfx90a";
		enum isa_verdict v = judged(pair[i].x, pair[i].y);
		if (v != pair[i].verdict) {
			fail_msg("%s%sis %d, should be %d: %s", pair[i].x, pair[i].y, v,
				pair[i].verdict, witness.said ? witness.said : "");
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_folds_hold),
		cmocka_unit_test(test_rows_by_others), cmocka_unit_test(test_comparisons_by_others),
		cmocka_unit_test(test_scalar_rows), cmocka_unit_test(test_extremes),
		cmocka_unit_test(test_judges)};
	arena = arena_create();
	int rc = cmocka_run_group_tests(tests, NULL, NULL);
	arena_free(arena);
	return rc;
}
