/* Terms of scalar instructions and branches; masks are handled bit by bit. Like run.c for
 * values. */
#include <string.h>

#include "isa/shadow.h"

/* ---- rows that read SCC or their destination; tests/unit/shadow_test.c checks each row ---- */

bool shadow_row_reads_d(const char *row)
{
	static const char *const all[] = {"s_cmov_b32", "s_cmov_b64", "s_cmovk_i32", "s_addk_i32",
		"s_mulk_i32", "s_bitset0_b32", "s_bitset1_b32", "s_bitset0_b64", "s_bitset1_b64",
		"s_fmac_f32", "s_fmac_f16", NULL};
	return str_is_any(str_of(row), all);
}

bool shadow_row_reads_scc(const char *row)
{
	static const char *const all[] = {"s_cmov_b32", "s_cmov_b64", "s_cmovk_i32",
		"s_cselect_b32", "s_cselect_b64", "s_addc_u32", "s_subb_u32", NULL};
	return str_is_any(str_of(row), all);
}

bool shadow_row_keeps_scc(const char *row)
{
	static const char *const all[] = {"s_mov_b32", "s_mov_b64", "s_cmov_b32", "s_cmov_b64",
		"s_cmovk_i32", "s_movk_i32", "s_mulk_i32", "s_brev_b32", "s_brev_b64", "s_bfm_b32",
		"s_bfm_b64", "s_cselect_b32", "s_cselect_b64", "s_ff0_i32_b32", "s_ff0_i32_b64",
		"s_ff1_i32_b32", "s_ff1_i32_b64", "s_flbit_i32_b32", "s_flbit_i32_b64",
		"s_flbit_i32", "s_flbit_i32_i64", "s_bitset0_b32", "s_bitset1_b32", "s_bitset0_b64",
		"s_bitset1_b64", "s_add_u64", "s_sub_u64", "s_mul_u64", "s_mul_i32", "s_mul_hi_u32",
		"s_mul_hi_i32", "s_pack_ll_b32_b16", "s_pack_lh_b32_b16", "s_pack_hh_b32_b16",
		"s_pack_hl_b32_b16", "s_sext_i32_i8", "s_sext_i32_i16", "s_fmaak_f32",
		"s_fmamk_f32", NULL};
	struct str name = str_of(row);
	bool is_float =
		str_find(name, "_f32", 0) != SIZE_MAX || str_find(name, "_f16", 0) != SIZE_MAX;
	bool compares = str_starts(name, "s_cmp");
	return str_is_any(name, all) || (is_float && !compares);
}

/* ---- operands ---- */

struct scalar {
	unsigned regs;
	uint64_t value;
	term word[2];
	uint32_t bits[2]; /* bits with their own terms */
	const term *bit[2];
};

static void take(struct scalar *out, struct isa_wave *w, const struct isa_operand *o, unsigned bits)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	memset(out, 0, sizeof(*out));
	out->regs = bits == 64 ? 2 : 1;
	out->value = isa_scalar(w, o);
	if (o->kind == ISA_OPERAND_SCC && v->scc) {
		shadow_refuse(w, "SCC that depends on data, used as a number");
	}
	for (unsigned r = 0; o->kind == ISA_OPERAND_SGPR && r < out->regs && r < o->regs; r++) {
		out->word[r] = v->s[o->reg + r];
		out->bits[r] = v->bits[o->reg + r];
		out->bit[r] = v->bit[o->reg + r];
	}
}

static bool has_words(const struct scalar *s)
{
	return s->word[0] || s->word[1];
}

static bool has_bits(const struct scalar *s)
{
	return s->bits[0] || s->bits[1];
}

static term bit_of(const struct scalar *s, unsigned i)
{
	return s->bits[i / 32] >> (i & 31) & 1 ? s->bit[i / 32][i & 31] : 0;
}

static struct shadow_result *begin(struct isa_wave *w)
{
	struct shadow_result *r = shadow_begin(w, 0, 0);
	memset(r->word, 0, sizeof(r->word));
	memset(r->scalar_bit, 0, sizeof(r->scalar_bit));
	r->scc = 0;
	return r;
}

/* ---- masks ---- */

struct logic {
	const char *name;
	enum term_basic what; /* TERM_SELECT: just the first operand */
	bool negate_b, negate;
};

static const struct logic *logic_of(const char *row)
{
	static const struct logic all[] = {{"s_and_b", TERM_AND, false, false},
		{"s_or_b", TERM_OR, false, false}, {"s_xor_b", TERM_XOR, false, false},
		{"s_andn2_b", TERM_AND, true, false}, {"s_orn2_b", TERM_OR, true, false},
		{"s_nand_b", TERM_AND, false, true}, {"s_nor_b", TERM_OR, false, true},
		{"s_xnor_b", TERM_XOR, false, true}, {"s_mov_b", TERM_SELECT, false, false},
		{"s_not_b", TERM_SELECT, false, true}};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (str_starts(str_of(row), all[i].name)) {
			return &all[i];
		}
	}
	return NULL;
}

/* A bit: a term, or a constant. */
struct mask_bit {
	term x;
	bool value;
};

static struct mask_bit negated(struct terms *t, struct mask_bit a, bool negate)
{
	if (negate) {
		a.x = a.x ? term_not(t, a.x) : 0;
		a.value = !a.value;
	}
	return a;
}

static struct mask_bit both(
	struct terms *t, enum term_basic what, struct mask_bit a, struct mask_bit b)
{
	struct mask_bit constant = a.x ? b : a;
	struct mask_bit other = a.x ? a : b;
	if (a.x && b.x) {
		return (struct mask_bit){.x = term_both(t, what, a.x, b.x)};
	}
	switch (what) {
	case TERM_AND:
		return constant.value ? other : (struct mask_bit){0, false};
	case TERM_OR:
		return constant.value ? (struct mask_bit){0, true} : other;
	case TERM_XOR:
		return negated(t, other, constant.value);
	default:
		return a;
	}
}

static struct mask_bit mask_bit_of(const struct scalar *s, unsigned i)
{
	return (struct mask_bit){.x = bit_of(s, i), .value = s->value >> i & 1};
}

/* SCC: is any of the bits set? 0: a constant, because ones is not 0 or no bit has a term. */
static term any_of(struct terms *t, const term bit[ISA_LANES], uint64_t ones)
{
	term some[ISA_LANES];
	size_t n = 0;
	for (unsigned i = 0; i < ISA_LANES; i++) {
		if (bit[i]) {
			some[n++] = bit[i];
		}
	}
	return ones || !n ? 0 : term_any(t, some, n);
}

static void shadow_logic(struct isa_wave *w, const struct logic *how, const struct scalar *a,
	const struct scalar *b, const struct isa_operand *to)
{
	struct terms *t = shadow_of(w)->t;
	struct shadow_result *r = begin(w);
	uint64_t ones = 0;
	r->scalar = to;
	for (unsigned i = 0; i < 32 * a->regs; i++) {
		struct mask_bit x = mask_bit_of(a, i);
		if (how->what != TERM_SELECT) {
			x = both(t, how->what, x, negated(t, mask_bit_of(b, i), how->negate_b));
		}
		x = negated(t, x, how->negate);
		r->scalar_bit[i] = x.x;
		ones |= (uint64_t)(!x.x && x.value) << i;
	}
	r->sets_scc = !shadow_row_keeps_scc(w->op->row->name);
	r->scc = any_of(t, r->scalar_bit, ones);
}

/* The bits of EXEC are constants. Those of the mask become decisions when they become EXEC
 * (isa_shadow_after). */
static void shadow_saveexec(struct isa_wave *w)
{
	static const struct logic all[] = {{"", TERM_AND, false, false},
		{"", TERM_OR, false, false}, {"", TERM_XOR, false, false},
		{"", TERM_AND, true, false}, {"", TERM_OR, true, false},
		{"", TERM_AND, false, true}, {"", TERM_OR, false, true},
		{"", TERM_XOR, false, true}};
	const struct isa_op *op = w->op;
	int what = op->row->number & 15;
	static const struct isa_operand exec = {
		.kind = ISA_OPERAND_SGPR, .reg = ISA_EXEC, .regs = 2};
	struct scalar a, b;
	take(&b, w, &op->o[1], w->group->p->lanes);
	take(&a, w, &exec, 64);
	a.regs = b.regs;
	if (has_words(&b)) {
		shadow_refuse(w, "a number from data taken for a mask");
		return;
	}
	/* 3 and 4: by & ~old, by | ~old; 8 and 9: the same with swapped operands */
	bool other = what == 3 || what == 4;
	const struct logic how = all[what >= 8 ? what - 5 : what];
	shadow_logic(w, &how, other ? &b : &a, other ? &a : &b, &exec);
	/* the old EXEC has no terms, and is copied to the register */
	struct shadow_result *r = &shadow_of(w)->result;
	r->sets_scc = true;
	r->scc = 0; /* depends on EXEC, whose bits are decisions */
	if (op->row->number & 16) {
		shadow_refuse(w, "not covered for data");
	}
	for (unsigned k = 0; op->o[0].kind == ISA_OPERAND_SGPR && k < op->o[0].regs; k++) {
		shadow_set_sgpr(w, op->o[0].reg + k, 0);
	}
}

/* ---- numbers ---- */

static unsigned add_sources(
	term *source, struct isa_wave *w, const struct scalar *s, const struct isa_operand *o)
{
	struct terms *t = shadow_of(w)->t;
	unsigned n = 0;
	for (unsigned r = 0; r < s->regs; r++) {
		bool bits = o->kind == ISA_OPERAND_SGPR && s->bits[r];
		term x = bits ? shadow_sgpr(w, o->reg + r) : s->word[r];
		source[n++] = x ? x : term_constant(t, (uint32_t)(s->value >> 32 * r));
	}
	return n;
}

static bool shadow_scalar_fold(struct isa_wave *w, const struct scalar s[3], unsigned n)
{
	enum fold how = fold_of(w->op->row->name);
	bool sets_scc = !shadow_row_keeps_scc(w->op->row->name);
	struct terms *t = shadow_of(w)->t;
	struct slot in[3][4] = {{{0}}}, d[4];
	bool bits = false;
	for (unsigned i = 0; i < n; i++) {
		bits |= has_bits(&s[i]);
	}
	if (how == FOLD_NONE || bits || (s[0].regs > 1 && how != FOLD_MOVE)) {
		return false;
	}
	struct shadow_result *r = begin(w);
	for (unsigned k = 0; k < s[0].regs; k++) {
		for (unsigned i = 0; i < n; i++) {
			term_slots(in[i], t, s[i].word[k], (uint32_t)(s[i].value >> 32 * k));
		}
		if (!fold(d, how, in[0], in[1], in[2])) {
			shadow_of(w)->pending = false;
			return false;
		}
		r->word[k] = term_word(t, d);
	}
	r->scalar = &w->op->o[0];
	r->sets_scc = sets_scc; /* all rows: SCC is "result not 0" */
	if (sets_scc && r->word[0]) {
		term is_0[] = {r->word[0], term_constant(t, 0)};
		r->scc = term_not(t, term_of_op(t, TERM_IS_VALUE, is_0, 2));
	}
	return true;
}

/* Makes one operation on all sources for each result of the row. */
static void shadow_generic(struct isa_wave *w, const struct scalar *s, unsigned first, unsigned n)
{
	const struct isa_op *op = w->op;
	const char *row = op->row->name;
	struct terms *t = shadow_of(w)->t;
	struct shadow_wave *v = shadow_wave_of(w);
	term source[16];
	unsigned sources = 0;
	bool has_d = op->row->form != ISA_SCMP;
	for (unsigned i = 0; i < n; i++) {
		sources += add_sources(source + sources, w, &s[i], &op->o[first + i]);
	}
	if (has_d && shadow_row_reads_d(row)) {
		struct scalar d;
		take(&d, w, &op->o[0], op->row->bits[0]);
		sources += add_sources(source + sources, w, &d, &op->o[0]);
	}
	if (shadow_row_reads_scc(row)) {
		source[sources++] = v->scc ? v->scc : term_constant(t, w->scc);
	}
	bool any = false;
	for (unsigned i = 0; i < sources; i++) {
		any |= term_kind_of(t, source[i]) != TERM_CONSTANT;
	}
	struct shadow_result *r = begin(w);
	unsigned regs = op->row->bits[0] == 64 ? 2 : 1;
	if (has_d) {
		r->scalar = &op->o[0];
		term x = any ? term_of_op(t, shadow_op(w, row, 0, 4 * regs), source, sources) : 0;
		for (unsigned k = 0; x && k < regs; k++) {
			struct slot d[4];
			shadow_result_slots(d, x, 4 * regs, k);
			r->word[k] = term_word(t, d);
		}
	}
	r->sets_scc = !shadow_row_keeps_scc(row);
	r->scc = any ? term_of_op(t, shadow_op(w, row, 1, 0), source, sources) : 0;
}

/* s_cmp_lg_u64 MASK, 0 and similar. */
static bool shadow_mask_compare(struct isa_wave *w, const struct scalar *a, const struct scalar *b)
{
	const char *row = w->op->row->name;
	bool lg = strcmp(row, "s_cmp_lg_u64") == 0 || strcmp(row, "s_cmp_lg_u32") == 0;
	bool eq = strcmp(row, "s_cmp_eq_u64") == 0 || strcmp(row, "s_cmp_eq_u32") == 0;
	if ((!lg && !eq) || !has_bits(a) || has_words(a) || has_bits(b) || has_words(b) ||
		b->value) {
		return false;
	}
	term bit[ISA_LANES] = {0};
	uint64_t ones = 0;
	for (unsigned i = 0; i < 32 * a->regs; i++) {
		bit[i] = bit_of(a, i);
		ones |= (uint64_t)(!bit[i] && a->value >> i & 1) << i;
	}
	struct shadow_result *r = begin(w);
	term x = any_of(shadow_of(w)->t, bit, ones);
	r->sets_scc = true;
	r->scc = x && eq ? term_not(shadow_of(w)->t, x) : x;
	return true;
}

/* A comparison of numbers, in canonical form. */
static void shadow_compare(struct isa_wave *w, const struct scalar s[2])
{
	const struct isa_op *op = w->op;
	struct terms *t = shadow_of(w)->t;
	struct fold_compare by;
	term source[4];
	fold_compare(&by, op->row->name);
	unsigned n = add_sources(source, w, &s[by.swap], &op->o[by.swap]);
	n += add_sources(source + n, w, &s[!by.swap], &op->o[!by.swap]);
	if (by.commutes && n == 2 && source[1] < source[0]) {
		term x = source[0];
		source[0] = source[1];
		source[1] = x;
	}
	bool any = false;
	for (unsigned i = 0; i < n; i++) {
		any |= term_kind_of(t, source[i]) != TERM_CONSTANT;
	}
	struct shadow_result *r = begin(w);
	term x = any ? term_of_op(t, shadow_op(w, by.name, 1, 0), source, n) : 0;
	r->sets_scc = true;
	r->scc = x && by.negate ? term_not(t, x) : x;
}

static void shadow_select(struct isa_wave *w, const struct scalar s[2])
{
	struct shadow_wave *v = shadow_wave_of(w);
	const struct scalar *by = &s[!w->scc];
	if (v->scc) {
		shadow_decide(w, v->scc, w->scc);
	}
	struct shadow_result *r = begin(w);
	r->scalar = &w->op->o[0];
	if (has_words(by) && has_bits(by)) {
		shadow_refuse(w, "a register pair with a mask and a number, both from data");
	}
	memcpy(r->word, by->word, sizeof(r->word));
	for (unsigned i = 0; i < 32 * by->regs; i++) {
		r->scalar_bit[i] = bit_of(by, i);
	}
}

void shadow_scalar(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct isa_row *row = op->row;
	struct scalar s[3];
	unsigned first = row->form == ISA_SALU;
	unsigned n = 0;
	w->lanes = isa_mask(w, ISA_EXEC);
	if (row->form == ISA_SPECIAL) {
		shadow_saveexec(w);
		return;
	}
	for (unsigned i = first; i < op->operands && n < 3; i++) {
		unsigned bits = row->form == ISA_SOPK ? (i ? 16 : 32) : row->bits[i];
		take(&s[n++], w, &op->o[i], bits);
	}
	if (row->form == ISA_SOPK) {
		shadow_generic(w, s + 1, 1, n - 1);
		return;
	}
	const struct logic *logic = logic_of(row->name);
	bool bits = has_bits(&s[0]) || (n > 1 && has_bits(&s[1]));
	bool words = has_words(&s[0]) || (n > 1 && has_words(&s[1]));
	if (strncmp(row->name, "s_cselect", 9) == 0) {
		shadow_select(w, s);
	} else if (logic && bits && !words) {
		shadow_logic(w, logic, &s[0], n > 1 ? &s[1] : &s[0], &op->o[0]);
	} else if (row->form == ISA_SCMP && shadow_mask_compare(w, &s[0], &s[1])) {
		return;
	} else if (row->form == ISA_SCMP && row->bits[1] != 16) {
		shadow_compare(w, s);
	} else if (!shadow_scalar_fold(w, s, n)) {
		shadow_generic(w, s, first, n);
	}
}

/* A branch on SCC, or on VCC being nonzero. */
void shadow_branch(struct isa_wave *w)
{
	struct shadow_wave *v = shadow_wave_of(w);
	enum isa_special s = w->op->row->special;
	if (s == ISA_BRANCH_SCC0 || s == ISA_BRANCH_SCC1) {
		shadow_decide(w, v->scc, w->scc);
		return;
	}
	static const struct isa_operand vcc = {.kind = ISA_OPERAND_SGPR, .reg = ISA_VCC, .regs = 2};
	struct scalar m;
	take(&m, w, &vcc, 64);
	if (w->group->p->lanes == 32) {
		m.value = (uint32_t)m.value;
		m.bits[1] = 0;
		m.word[1] = 0;
	}
	if (has_words(&m)) {
		shadow_refuse(w, "a number from data taken for a mask");
		return;
	}
	term bit[ISA_LANES];
	uint64_t ones = 0;
	for (unsigned i = 0; i < ISA_LANES; i++) {
		bit[i] = bit_of(&m, i);
		ones |= (uint64_t)(!bit[i] && m.value >> i & 1) << i;
	}
	term x = any_of(shadow_of(w)->t, bit, ones);
	if (x) {
		shadow_decide(w, x, m.value != 0);
	}
}
