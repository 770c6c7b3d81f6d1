/* Terms of vector instructions, lane by lane: sources with modifiers, and results; like vector.c
 * for values. */
#include "isa/shadow.h"

#include <limits.h>
#include <string.h>

#include "isa/number.h"

static const struct slot final_slot = {.of = SHADOW_FINAL};

/* ---- sources ---- */

static enum isa_type type_of(const struct isa_wave *w, unsigned number)
{
	return w->op->row->type[number < 4 ? number : 0];
}

static void raw_terms(struct shadow_source *out, struct isa_wave *w, const struct isa_operand *o)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	if (o->kind == ISA_OPERAND_SCC && v->scc) {
		shadow_refuse(w, "SCC that depends on data, used as a number");
	}
	for (unsigned r = 0; r < out->regs; r++) {
		term same =
			o->kind == ISA_OPERAND_SGPR && r < o->regs ? shadow_sgpr(w, o->reg + r) : 0;
		for (int i = 0; i < ISA_LANES; i++) {
			out->t[r][i] =
				o->kind == ISA_OPERAND_VGPR ? shadow_lane(v, o->reg + r, i) : same;
		}
	}
}

/* DPP: moves terms between lanes, by isa_source itself. */
static void move_terms(struct shadow_source *out, struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	struct isa_op only = *op;
	uint32_t buffer[ISA_BUFFER_WORDS];
	uint32_t saved[2][ISA_LANES];
	only.o[1] = (struct isa_operand){
		.kind = ISA_OPERAND_VGPR, .reg = ISA_VGPRS, .regs = (uint16_t)out->regs};
	only.plain = false;
	memcpy(saved, w->v[ISA_VGPRS], sizeof(saved));
	memcpy(w->v[ISA_VGPRS], out->t, out->regs * sizeof(out->t[0]));
	w->op = &only;
	const uint32_t *moved = isa_source(w, 1, buffer);
	memcpy(out->t, moved, out->regs * sizeof(out->t[0]));
	w->op = op;
	memcpy(w->v[ISA_VGPRS], saved, sizeof(saved));
}

/* SDWA's part, or a half: moves its bytes down and extends by zeros or the sign. */
static term take_part(struct isa_wave *w, term x, const struct isa_operand *o)
{
	struct terms *t = shadow_of(w)->t;
	unsigned byte = (o->high ? 16 : o->shift) / 8;
	unsigned bits = o->high ? 16 : o->bits;
	struct slot from[4], s[4] = {{0}};
	term_slots(from, t, x, 0);
	unsigned count = bits ? bits / 8 : 4;
	for (unsigned k = 0; k < count && byte + k < 4; k++) {
		s[k] = from[byte + k];
	}
	term part = term_word(t, s);
	if (!part || !o->sext || !bits) {
		return part;
	}
	return term_of_op(t, bits == 8 ? TERM_SIGN_8 : TERM_SIGN_16, &part, 1);
}

static term modify(
	struct isa_wave *w, term x, const struct isa_operand *o, enum isa_type type, bool top)
{
	struct terms *t = shadow_of(w)->t;
	if (o->bits || o->sext || o->high) {
		x = take_part(w, x, o);
	}
	if (x && isa_type_is_16(type)) {
		x = term_bits(t, x, 0xffff, 0);
	}
	if (x && top && (o->neg || o->abs)) {
		uint32_t bit = isa_type_is_16(type) ? 0x8000 : 0x80000000;
		x = term_bits(t, x, o->abs ? ~bit : UINT32_MAX, o->neg ? bit : 0);
	}
	return x;
}

void shadow_source(struct shadow_source *out, struct isa_wave *w, unsigned number)
{
	const struct isa_op *op = w->op;
	const struct isa_operand *o = &op->o[number];
	enum isa_type type = type_of(w, number);
	out->regs = isa_type_regs(type);
	out->c = isa_source(w, number, out->buffer);
	raw_terms(out, w, o);
	if (op->dpp && number == 1) {
		move_terms(out, w);
	}
	for (unsigned r = 0; r < out->regs; r++) {
		for (int i = 0; i < ISA_LANES; i++) {
			if (out->t[r][i]) {
				out->t[r][i] = modify(w, out->t[r][i], o, type, r + 1 == out->regs);
			}
		}
	}
	for (int i = 0; isa_type_is_16(type) && i < ISA_LANES; i++) {
		out->buffer[i] = out->c[i] & 0xffff;
	}
	out->c = isa_type_is_16(type) ? out->buffer : out->c;
}

void shadow_source_slots(struct slot out[4], const struct isa_wave *w,
	const struct shadow_source *s, unsigned r, int lane)
{
	term_slots(out, shadow_of(w)->t, s->t[r][lane], s->c[r * ISA_LANES + (unsigned)lane]);
}

bool shadow_lane_has_terms(const struct shadow_source *s, unsigned n, int lane)
{
	bool any = false;
	for (unsigned k = 0; k < n; k++) {
		for (unsigned r = 0; r < s[k].regs; r++) {
			any |= s[k].t[r][lane] != 0;
		}
	}
	return any;
}

/* ---- results ---- */

struct shadow_result *shadow_begin(struct isa_wave *w, unsigned reg, unsigned regs)
{
	struct shadow_result *r = &shadow_of(w)->result;
	r->lanes = w->lanes;
	r->reg = reg;
	r->regs = regs;
	r->mask = r->scalar = NULL;
	r->sets_scc = false;
	for (unsigned k = 0; k < regs; k++) {
		for (int i = 0; i < ISA_LANES; i++) {
			for (unsigned b = 0; b < 4; b++) {
				r->d[k][i][b] = final_slot;
			}
		}
	}
	shadow_of(w)->pending = true;
	return r;
}

static bool is_half_kept(const struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	return w->group->p->gfx >= 0x1000 || op->row->flags & ISA_KEEPS_HALF ||
	       op->row->form == ISA_MIX;
}

/* A byte of the old register; SHADOW_FINAL if constant: the instruction does not change it. */
static struct slot old_slot(const struct slot old[4], unsigned k)
{
	return old[k].of ? old[k] : final_slot;
}

void shadow_place(struct isa_wave *w, unsigned r, int lane, const struct slot in[4])
{
	const struct isa_op *op = w->op;
	struct slot(*d)[4] = &shadow_of(w)->result.d[r][lane];
	struct slot old[4];
	term was = shadow_lane(shadow_wave_of(w), op->o[0].reg + r, lane);
	bool final = in[0].of == SHADOW_FINAL && in[1].of == SHADOW_FINAL;
	term_slots(old, shadow_of(w)->t, was, 0);
	memcpy(*d, in, sizeof(*d));
	if (op->dst_bits) {
		unsigned from = op->dst_shift / 8;
		unsigned to = from + op->dst_bits / 8;
		if (op->dst_unused == ISA_UNUSED_SEXT && !final && to < 4) {
			shadow_refuse(w, "SDWA sign extension of a part that depends on data");
		}
		for (unsigned k = 0; k < 4; k++) {
			bool own = k >= from && k < to;
			(*d)[k] = own					  ? in[k - from]
				  : op->dst_unused == ISA_UNUSED_PRESERVE ? old_slot(old, k)
									  : final_slot;
		}
	} else if (isa_type_is_16(op->row->type[0]) && (is_half_kept(w) || op->o[0].high)) {
		unsigned from = op->o[0].high ? 2 : 0;
		for (unsigned k = 0; k < 2; k++) {
			(*d)[from + k] = in[k];
			(*d)[2 - from + k] = old_slot(old, 2 - from + k);
		}
	}
}

/* ---- operations ---- */

/* unused: this word of each 64-bit source counts as 0 (UINT_MAX: none does). Returns 0 if no other
 * word has a symbol. */
static term apply(struct isa_wave *w, uint32_t op, const struct shadow_source *s, unsigned n,
	int lane, unsigned commutes, unsigned unused)
{
	struct terms *t = shadow_of(w)->t;
	term source[8];
	unsigned sources = 0;
	bool any = false;
	for (unsigned k = 0; k < n; k++) {
		for (unsigned r = 0; r < s[k].regs; r++) {
			term x = s[k].t[r][lane];
			uint32_t c = s[k].c[r * ISA_LANES + (unsigned)lane];
			if (x) {
				shadow_hold(w, x, c);
			}
			x = s[k].regs > 1 && r == unused ? term_constant(t, 0) : x;
			any |= x && term_kind_of(t, x) != TERM_CONSTANT;
			source[sources++] = x ? x : term_constant(t, c);
		}
	}
	for (unsigned i = 1; i < commutes; i++) {
		for (unsigned k = i; k > 0 && source[k] < source[k - 1]; k--) {
			term x = source[k];
			source[k] = source[k - 1];
			source[k - 1] = x;
		}
	}
	return any ? term_of_op(t, op, source, sources) : 0;
}

term shadow_apply(struct isa_wave *w, uint32_t op, const struct shadow_source *s, unsigned n,
	int lane, unsigned commutes)
{
	return apply(w, op, s, n, lane, commutes, UINT_MAX);
}

/* The word of 64-bit sources on which a word of the result does not depend: compilers leave the
 * upper one undefined if they need only the lower one. */
static unsigned unused_word(const char *row, unsigned word)
{
	static const char *const up[] = {"v_mad_u64_u32", "v_mad_i64_i32", "v_add_nc_u64",
		"v_lshl_add_u64", "v_lshlrev_b64", NULL};
	static const char *const down[] = {"v_lshrrev_b64", "v_ashrrev_i64", NULL};
	return word == 0 && str_is_any(str_of(row), up)	    ? 1
	       : word == 1 && str_is_any(str_of(row), down) ? 0
							    : UINT_MAX;
}

term shadow_apply_word(struct isa_wave *w, uint32_t op, const struct shadow_source *s, unsigned n,
	int lane, unsigned word)
{
	return apply(w, op, s, n, lane, 0, unused_word(w->op->row->name, word));
}

static unsigned result_bytes(enum isa_type t)
{
	return isa_type_is_16(t) ? 2 : 4 * isa_type_regs(t);
}

void shadow_result_slots(struct slot out[4], term x, unsigned bytes, unsigned r)
{
	for (unsigned k = 0; k < 4; k++) {
		unsigned at = 4 * r + k;
		out[k] = at < bytes ? (struct slot){x, (uint8_t)at, 0xff, 0} : slot_constant(0);
	}
}

uint32_t shadow_how(const struct isa_op *op)
{
	return op->omod | (uint32_t)op->clamp << 2;
}

/* Is it a packed conversion, whose two halves are independent? */
static bool is_pair_of_conversions(const char *name)
{
	return strcmp(name, "v_cvt_pkrtz_f16_f32") == 0 || strcmp(name, "v_cvt_pk_f16_f32") == 0 ||
	       strcmp(name, "v_cvt_pk_bf16_f32") == 0;
}

static void convert_pair(struct isa_wave *w, const struct shadow_source *s, int lane)
{
	uint32_t op = shadow_op(w, w->op->row->name, 1u << 8, 2);
	struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
	for (unsigned k = 0; k < 2; k++) {
		if (s[k].t[0][lane]) {
			term x = shadow_apply(w, op, &s[k], 1, lane, 0);
			d[2 * k] = (struct slot){x, 0, 0xff, 0};
			d[2 * k + 1] = (struct slot){x, 1, 0xff, 0};
		}
	}
	shadow_place(w, 0, lane, d);
}

static unsigned valu_sources(struct shadow_source s[3], struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	unsigned n = op->operands - 1;
	for (unsigned i = 1; i < op->operands; i++) {
		shadow_source(&s[i - 1], w, i);
	}
	if (op->row->flags & ISA_ACCUMULATES) {
		struct isa_op old = *op;
		old.o[1] = op->o[0];
		old.dpp = ISA_DPP_NONE;
		old.plain = !op->o[0].high;
		struct isa_row row = *op->row;
		row.type[1] = row.type[0];
		old.row = &row;
		w->op = &old;
		shadow_source(&s[n++], w, 1);
		w->op = op;
	}
	return n;
}

static void shadow_valu(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct isa_row *row = op->row;
	struct shadow_source s[3];
	static const struct slot none[4];
	unsigned n = valu_sources(s, w);
	unsigned regs = isa_type_regs(row->type[0]);
	unsigned bytes = result_bytes(row->type[0]);
	bool plain = !op->clamp && !op->omod;
	enum fold how = plain ? fold_of(row->name) : FOLD_NONE;
	const char *name = fold_name(row->name);
	uint32_t number = shadow_op(w, name, shadow_how(op), bytes);
	unsigned commutes = plain ? fold_commutes(name) : 0;
	shadow_begin(w, op->o[0].reg, regs);
	for (int i = 0; i < ISA_LANES; i++) {
		if (!(w->lanes >> i & 1)) {
			continue;
		}
		struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
		if (!shadow_lane_has_terms(s, n, i)) {
			for (unsigned r = 0; r < regs; r++) {
				shadow_place(w, r, i, d);
			}
			continue;
		}
		if (plain && is_pair_of_conversions(row->name)) {
			convert_pair(w, s, i);
			continue;
		}
		term x = 0;
		for (unsigned r = 0; r < regs; r++) {
			struct slot in[3][4];
			for (unsigned k = 0; k < 3; k++) {
				if (k < n && r < s[k].regs) {
					shadow_source_slots(in[k], w, &s[k], r, i);
				}
			}
			if (how == FOLD_NONE || (regs > 1 && how != FOLD_MOVE) ||
				!fold(d, how, in[0], n > 1 ? in[1] : none, n > 2 ? in[2] : none)) {
				x = regs > 1 ? shadow_apply_word(w, number, s, n, i, r)
				    : x	     ? x
					     : shadow_apply(w, number, s, n, i, commutes);
				if (x) {
					shadow_result_slots(d, x, bytes, r);
				}
			}
			shadow_place(w, r, i, d);
		}
	}
}

/* ---- masks ---- */

static void shadow_vcmp(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	struct shadow_source s[2];
	struct fold_compare by;
	fold_compare(&by, op->row->name);
	shadow_source(&s[by.swap], w, 1);
	shadow_source(&s[!by.swap], w, 2);
	uint32_t number = shadow_op(w, by.name, 0, 0);
	struct shadow_result *r = shadow_begin(w, 0, 0);
	r->mask = &op->o[0];
	for (int i = 0; i < ISA_LANES; i++) {
		bool has = w->lanes >> i & 1 && shadow_lane_has_terms(s, 2, i);
		term x = has ? shadow_apply(w, number, s, 2, i, by.commutes ? 2 : 0) : 0;
		r->bit[i] = x && by.negate ? term_not(shadow_of(w)->t, x) : x;
	}
	if (op->cmpx) {
		static const struct isa_operand exec = {
			.kind = ISA_OPERAND_SGPR, .reg = ISA_EXEC, .regs = 2};
		if (op->o[0].kind == ISA_OPERAND_SGPR && op->o[0].reg != ISA_EXEC) {
			shadow_refuse(w, "a comparison that writes two masks");
		}
		r->mask = &exec;
	}
}

/* ---- carries ---- */

/* The carry-in becomes a word of 0 or 1, so that it can be a source of a term. */
static void shadow_carry(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	struct isa_op shifted = *op;
	struct shadow_source s[3];
	bool has_carry_in = op->operands == 5;
	shifted.o[1] = op->o[2];
	shifted.o[2] = op->o[3];
	w->op = &shifted;
	shadow_source(&s[0], w, 1);
	shadow_source(&s[1], w, 2);
	w->op = op;
	uint64_t in = has_carry_in ? isa_scalar(w, &op->o[4]) : 0;
	s[2].regs = 1;
	s[2].c = s[2].buffer;
	for (int i = 0; i < ISA_LANES; i++) {
		s[2].buffer[i] = in >> i & 1;
		s[2].t[0][i] = has_carry_in ? shadow_mask_bit(w, &op->o[4], i) : 0;
	}
	uint32_t sum = shadow_op(w, op->row->name, 0, 4);
	uint32_t carry = shadow_op(w, op->row->name, 1, 0);
	struct shadow_result *r = shadow_begin(w, op->o[0].reg, 1);
	r->mask = &op->o[1];
	for (int i = 0; i < ISA_LANES; i++) {
		bool has = w->lanes >> i & 1 && shadow_lane_has_terms(s, 3, i);
		r->bit[i] = has ? shadow_apply(w, carry, s, 3, i, 0) : 0;
		if (has) {
			shadow_result_slots(r->d[0][i], shadow_apply(w, sum, s, 3, i, 0), 4, 0);
		}
	}
}

/* ---- packed ---- */

static bool bit(uint8_t bits, unsigned number)
{
	return bits >> (number - 1) & 1;
}

/* A 16-bit half of a register, or a register of a pair, by op_sel; neg may flip its sign bit. */
static void part_source(struct shadow_source *out, struct isa_wave *w, unsigned number, bool high)
{
	const struct isa_op *op = w->op;
	const struct isa_operand *o = &op->o[number];
	struct terms *t = shadow_of(w)->t;
	bool pairs = op->row->form == ISA_PK32;
	bool upper = bit(high ? op->sel_hi : op->sel, number);
	bool neg = bit(high ? op->neg_hi : op->neg_lo, number);
	uint32_t flip = !neg ? 0 : pairs ? 0x80000000 : 0x8000;
	struct isa_operand from = *o;
	uint64_t scalar = isa_scalar(w, o);
	from.reg = (uint16_t)(o->reg + (pairs && upper && o->regs == 2));
	out->regs = 1;
	out->c = out->buffer;
	raw_terms(out, w, &from);
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t x = o->kind == ISA_OPERAND_VGPR ? w->v[from.reg][i]
			     : pairs && upper		 ? (uint32_t)(scalar >> 32)
							 : (uint32_t)scalar;
		struct slot s[4];
		term_slots(s, t, out->t[0][i], x);
		if (!pairs) {
			s[0] = s[upper ? 2 : 0];
			s[1] = s[upper ? 3 : 1];
			s[2] = s[3] = slot_constant(0);
		}
		unsigned top = pairs ? 3 : 1;
		s[top] = slot_bits(s[top], 0xff, neg ? 0x80 : 0);
		out->t[0][i] = term_word(t, s);
		out->buffer[i] = (pairs ? x : x >> (upper ? 16 : 0) & 0xffff) ^ flip;
	}
}

static void shadow_packed(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool pairs = op->row->form == ISA_PK32;
	unsigned n = op->operands - 1;
	unsigned bytes = pairs ? 4 : 2;
	uint32_t number = shadow_op(w, fold_name(op->row->name), shadow_how(op), bytes);
	struct shadow_result *r = shadow_begin(w, op->o[0].reg, pairs ? 2 : 1);
	for (unsigned high = 0; high < 2; high++) {
		struct shadow_source s[3];
		for (unsigned i = 1; i <= n; i++) {
			part_source(&s[i - 1], w, i, high);
		}
		for (int i = 0; i < ISA_LANES; i++) {
			if (!(w->lanes >> i & 1) || !shadow_lane_has_terms(s, n, i)) {
				continue;
			}
			term x = shadow_apply(w, number, s, n, i, 0);
			for (unsigned k = 0; k < bytes; k++) {
				r->d[pairs ? high : 0][i][pairs ? k : 2 * high + k] =
					(struct slot){x, (uint8_t)k, 0xff, 0};
			}
		}
	}
}

/* Converts a half to f32. */
static void mix_source(struct shadow_source *out, struct isa_wave *w, unsigned number)
{
	static const struct term_op of_half = {.name = "f16", .form = ISA_MIX, .bytes = 4};
	const struct isa_op *op = w->op;
	struct terms *t = shadow_of(w)->t;
	struct isa_operand o = op->o[number];
	uint64_t scalar = isa_scalar(w, &o);
	bool half = bit(op->sel_hi, number);
	unsigned from = bit(op->sel, number) ? 2 : 0;
	uint32_t keep = o.abs || bit(op->neg_hi, number) ? 0x7fffffff : UINT32_MAX;
	uint32_t flip = o.neg || bit(op->neg_lo, number) ? 0x80000000 : 0;
	uint32_t convert = term_op_number(t, &of_half);
	out->regs = 1;
	out->c = out->buffer;
	raw_terms(out, w, &o);
	for (int i = 0; i < ISA_LANES; i++) {
		uint32_t c = o.kind == ISA_OPERAND_VGPR ? w->v[o.reg][i] : (uint32_t)scalar;
		term x = out->t[0][i];
		if (x && half) {
			struct slot s[4], d[4] = {{0}};
			term_slots(s, t, x, 0);
			d[0] = s[from];
			d[1] = s[from + 1];
			x = term_word(t, d);
			x = x ? term_of_op(t, convert, &x, 1) : 0;
		}
		c = half ? isa_f32_bits(isa_f16(c >> 8 * from & 0xffff)) : c;
		out->t[0][i] = x ? term_bits(t, x, keep, flip) : 0;
		out->buffer[i] = (c & keep) ^ flip;
	}
}

static void shadow_mix(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool half = op->row->number != 0;
	struct shadow_source s[3];
	for (unsigned i = 1; i <= 3; i++) {
		mix_source(&s[i - 1], w, i);
	}
	uint32_t number =
		shadow_op(w, half ? "v_fma_mixlo_f16" : "v_fma_f32", shadow_how(op), half ? 2 : 4);
	shadow_begin(w, op->o[0].reg, 1);
	for (int i = 0; i < ISA_LANES; i++) {
		struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
		if (!(w->lanes >> i & 1)) {
			continue;
		}
		if (shadow_lane_has_terms(s, 3, i)) {
			shadow_result_slots(
				d, shadow_apply(w, number, s, 3, i, 0), half ? 2 : 4, 0);
		}
		shadow_place(w, 0, i, d);
	}
}

void shadow_vector(struct isa_wave *w)
{
	w->lanes = isa_mask(w, ISA_EXEC);
	switch (w->op->row->form) {
	case ISA_VALU:
		shadow_valu(w);
		break;
	case ISA_VCMP:
		shadow_vcmp(w);
		break;
	case ISA_CARRY:
		shadow_carry(w);
		break;
	case ISA_PK16:
	case ISA_PK32:
		shadow_packed(w);
		break;
	case ISA_MIX:
		shadow_mix(w);
		break;
	default:
		shadow_refuse(w, "not covered for data");
	}
}
