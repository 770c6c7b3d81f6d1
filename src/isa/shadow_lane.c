/* Terms of special vector instructions, like lane.c for values. Instructions that move whole
 * registers are run by lane.c itself, on terms in place of values. */
#include <string.h>

#include "isa/shadow.h"

static const struct slot final_slot = {.of = SHADOW_FINAL};

/* ---- moves of whole registers ---- */

/* Temporary registers, invisible to programs, that hold terms in place of values. */
enum {
	TERM_REGISTER = ISA_VGPRS
};

static void to_term_registers(struct isa_wave *w, struct isa_operand *o, unsigned *next)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	if (o->kind != ISA_OPERAND_VGPR) {
		return;
	}
	for (unsigned r = 0; r < o->regs; r++) {
		for (int i = 0; i < ISA_LANES; i++) {
			w->v[*next + r][i] = shadow_lane(v, o->reg + r, i);
		}
	}
	o->reg = (uint16_t)*next;
	*next += o->regs;
}

/* For a moved SGPR or constant: puts its term into the register until the values are restored. */
static void scalar_to_term(struct isa_wave *w, struct isa_operand *o)
{
	if (o->kind == ISA_OPERAND_SCC && shadow_wave_of(w)->scc) {
		shadow_refuse(w, "SCC that depends on data, used as a number");
	}
	for (unsigned r = 0; o->kind == ISA_OPERAND_SGPR && r < o->regs; r++) {
		w->s[o->reg + r] = shadow_sgpr(w, o->reg + r);
	}
	if (o->kind != ISA_OPERAND_VGPR && o->kind != ISA_OPERAND_SGPR) {
		o->kind = ISA_OPERAND_CONSTANT;
		o->value = 0;
	}
}

/* moved: a bit for each source operand; to: for each destination. Lanes without a source and values
 * without a term are both 0. */
static void move_by_lane_run(struct isa_wave *w, unsigned moved, unsigned to)
{
	const struct isa_op *op = w->op;
	struct isa_op on_terms = *op;
	uint32_t sgprs[ISA_SGPRS];
	unsigned next = TERM_REGISTER;
	memcpy(sgprs, w->s, sizeof(sgprs));
	for (unsigned i = 0; i < op->operands; i++) {
		if ((moved | to) >> i & 1) {
			to_term_registers(w, &on_terms.o[i], &next);
			scalar_to_term(w, &on_terms.o[i]);
		}
	}
	w->op = &on_terms;
	isa_lane_run(w);
	w->op = op;
	memcpy(w->s, sgprs, sizeof(sgprs));
	for (unsigned i = 0; i < op->operands; i++) {
		const struct isa_operand *o = &op->o[i];
		for (unsigned r = 0; to >> i & 1 && r < o->regs; r++) {
			for (int lane = 0; lane < ISA_LANES; lane++) {
				shadow_set_lane(shadow_wave_of(w), o->reg + r, lane,
					w->v[on_terms.o[i].reg + r][lane]);
			}
		}
	}
}

/* If lane numbers or register indices depend on a symbol, they are decisions. */
static void decide_others(struct isa_wave *w, unsigned moved)
{
	for (unsigned i = 0; i < w->op->operands; i++) {
		if (!(moved >> i & 1)) {
			shadow_decide_operand(w, &w->op->o[i]);
		}
	}
}

static void to_scalar(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	struct isa_op on_terms = *op;
	uint32_t was = w->s[op->o[0].reg];
	unsigned next = TERM_REGISTER;
	to_term_registers(w, &on_terms.o[1], &next);
	w->op = &on_terms;
	isa_lane_run(w);
	w->op = op;
	term x = w->s[op->o[0].reg];
	w->s[op->o[0].reg] = was;
	shadow_set_sgpr(w, op->o[0].reg, x);
}

/* ---- selects ---- */

static void shadow_cndmask(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	struct terms *t = shadow_of(w)->t;
	struct shadow_source s[2];
	uint64_t mask = isa_scalar(w, &op->o[3]);
	shadow_source(&s[0], w, 1);
	shadow_source(&s[1], w, 2);
	shadow_begin(w, op->o[0].reg, 1);
	for (int i = 0; i < ISA_LANES; i++) {
		struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
		if (!(w->lanes >> i & 1)) {
			continue;
		}
		term by = shadow_mask_bit(w, &op->o[3], i);
		bool second = mask >> i & 1;
		if (by) {
			term x = term_select(
				t, by, s[1].t[0][i], s[1].c[i], s[0].t[0][i], s[0].c[i]);
			if (x) {
				term_slots(d, t, x, 0);
			}
		} else if (s[second].t[0][i]) {
			term_slots(d, t, s[second].t[0][i], 0);
		}
		shadow_place(w, 0, i, d);
	}
}

/* ---- lane by lane ---- */

/* The result d, and perhaps a mask. vcc: a further source, a bit. */
static void shadow_numbers(struct isa_wave *w, bool masked, bool vcc, uint32_t how)
{
	const struct isa_op *op = w->op;
	const struct isa_op plain = isa_op_without_mask(op);
	static const struct isa_operand vcc_operand = {
		.kind = ISA_OPERAND_SGPR, .reg = ISA_VCC, .regs = 2};
	unsigned regs = isa_type_regs(op->row->type[0]);
	unsigned n = op->operands - 1 - masked;
	struct shadow_source s[4];
	w->op = masked ? &plain : op;
	for (unsigned k = 0; k < n; k++) {
		shadow_source(&s[k], w, k + 1);
	}
	w->op = op;
	how |= shadow_how(op) << 16;
	uint32_t result = shadow_op(w, op->row->name, how, 4 * regs);
	uint32_t bit = shadow_op(w, op->row->name, how | 1u << 24, 0);
	struct shadow_result *r = shadow_begin(w, op->o[0].reg, regs);
	s[n].regs = 1;
	s[n].c = s[n].buffer;
	for (int i = 0; vcc && i < ISA_LANES; i++) {
		s[n].buffer[i] = isa_mask(w, ISA_VCC) >> i & 1;
		s[n].t[0][i] = shadow_mask_bit(w, &vcc_operand, i);
	}
	n += vcc;
	for (int i = 0; i < ISA_LANES; i++) {
		bool has = w->lanes >> i & 1 && shadow_lane_has_terms(s, n, i);
		for (unsigned k = 0; k < regs && w->lanes >> i & 1; k++) {
			struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
			term x = has ? shadow_apply_word(w, result, s, n, i, k) : 0;
			if (x) {
				shadow_result_slots(d, x, 4 * regs, k);
			}
			shadow_place(w, k, i, d);
		}
		r->bit[i] = masked && has ? shadow_apply(w, bit, s, n, i, 0) : 0;
	}
	r->mask = masked ? &op->o[1] : NULL;
}

/* Converts two numbers to a half of the register, and keeps the other half. */
static void shadow_cvt_f8(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	const struct shadow_wave *v = shadow_wave_of(w);
	struct shadow_source s[2];
	unsigned from = op->o[0].high ? 2 : 0;
	uint32_t number = shadow_op(w, "f8", (uint32_t)op->row->number, 2);
	shadow_source(&s[0], w, 1);
	shadow_source(&s[1], w, 2);
	struct shadow_result *r = shadow_begin(w, op->o[0].reg, 1);
	for (int i = 0; i < ISA_LANES; i++) {
		struct slot old[4];
		term_slots(old, shadow_of(w)->t, shadow_lane(v, op->o[0].reg, i), 0);
		for (unsigned k = 0; k < 4; k++) {
			r->d[0][i][k] = old[k].of ? old[k] : final_slot;
		}
		for (unsigned k = 0; k < 2; k++) {
			term x = s[k].t[0][i] ? shadow_apply(w, number, &s[k], 1, i, 0) : 0;
			r->d[0][i][from + k] = x ? (struct slot){x, 0, 0xff, 0} : final_slot;
		}
	}
}

/* Converts one byte, or two to a pair of registers. */
static void shadow_from_f8(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	struct terms *t = shadow_of(w)->t;
	bool two = op->row->special == ISA_CVT_PK_FROM_F8;
	unsigned from = two ? (op->sel & 1 ? 2 : 0) : (op->sel & 1u) << 1 | (op->sel >> 1 & 1);
	struct shadow_source s;
	struct term_op of = {.name = "from f8",
		.form = ISA_SPECIAL,
		.how = (uint32_t)op->row->number | shadow_how(op) << 16,
		.mode = w->mode,
		.bytes = 4};
	uint32_t number = term_op_number(t, &of);
	shadow_source(&s, w, 1);
	shadow_begin(w, op->o[0].reg, two ? 2 : 1);
	for (int i = 0; i < ISA_LANES; i++) {
		for (unsigned k = 0; k < (two ? 2u : 1u) && w->lanes >> i & 1; k++) {
			struct slot in[4], one[4] = {{0}};
			struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
			shadow_source_slots(in, w, &s, 0, i);
			one[0] = in[from + k];
			term byte = term_word(t, one);
			if (byte) {
				shadow_result_slots(d, term_of_op(t, number, &byte, 1), 4, 0);
			}
			shadow_place(w, k, i, d);
		}
	}
}

/* The selected bits of a word; 0: none of them depends on a symbol. */
static term some_bits(struct terms *t, term x, uint32_t bits)
{
	term word[32];
	size_t n;
	bool any = false;
	if (!x || term_kind_of(t, x) != TERM_OP || term_words(t, x, &n)[0] != TERM_MASK) {
		return x ? term_bits(t, x, bits, 0) : 0;
	}
	memcpy(word, term_words(t, x, &n) + 1, sizeof(word));
	for (unsigned i = 0; i < 32; i++) {
		word[i] = bits >> i & 1 ? word[i] : term_constant(t, 0);
		any |= term_kind_of(t, word[i]) != TERM_CONSTANT;
	}
	return any ? term_of_op(t, TERM_MASK, word, 32) : 0;
}

/* Each lane counts the bits of lanes below it. */
static void shadow_mbcnt(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	bool high = op->row->special == ISA_MBCNT_HI;
	struct terms *t = shadow_of(w)->t;
	struct shadow_source s[2];
	uint32_t masked[ISA_BUFFER_WORDS];
	uint32_t number = shadow_op(w, "v_bcnt_u32_b32", 0, 4);
	shadow_source(&s[0], w, 1);
	shadow_source(&s[1], w, 2);
	shadow_begin(w, op->o[0].reg, 1);
	for (int i = 0; i < ISA_LANES; i++) {
		uint64_t below = ((uint64_t)1 << i) - 1;
		uint32_t part = (uint32_t)(high ? below >> 32 : below);
		struct slot d[4] = {final_slot, final_slot, final_slot, final_slot};
		masked[i] = s[0].c[i] & part;
		s[0].t[0][i] = some_bits(t, s[0].t[0][i], part);
		if (!(w->lanes >> i & 1)) {
			continue;
		}
		if (shadow_lane_has_terms(s, 2, i)) {
			const uint32_t *c = s[0].c;
			s[0].c = masked;
			shadow_result_slots(d, shadow_apply(w, number, s, 2, i, 0), 4, 0);
			s[0].c = c;
		}
		shadow_place(w, 0, i, d);
	}
}

static void swap_rows(struct isa_wave *w)
{
	w->lanes = isa_mask(w, ISA_EXEC);
	move_by_lane_run(w, 3, 3);
}

void shadow_special_lane(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	uint32_t how = (uint32_t)op->table | (uint32_t)op->neg_lo << 8 | (uint32_t)op->clamp << 16;
	w->lanes = isa_mask(w, ISA_EXEC);
	switch (op->row->special) {
	case ISA_CNDMASK:
		shadow_cndmask(w);
		break;
	case ISA_READFIRSTLANE:
	case ISA_READLANE:
		decide_others(w, 3);
		to_scalar(w);
		break;
	case ISA_WRITELANE:
		decide_others(w, 3);
		if (op->o[1].kind == ISA_OPERAND_SGPR && op->o[2].kind == ISA_OPERAND_SGPR &&
			op->o[1].reg == op->o[2].reg) {
			shadow_refuse(w, "a value that is also the number of its lane");
			break;
		}
		move_by_lane_run(w, 2, 1);
		break;
	case ISA_PK_MOV:
		move_by_lane_run(w, 6, 1);
		break;
	case ISA_BPERMUTE:
	case ISA_PERMUTE:
		decide_others(w, 5);
		move_by_lane_run(w, 4, 1);
		break;
	case ISA_SWIZZLE:
	case ISA_MOVREL:
	case ISA_PERMLANE64:
		move_by_lane_run(w, 2, 1);
		break;
	case ISA_PERMLANE16:
	case ISA_PERMLANEX16:
		decide_others(w, 3);
		move_by_lane_run(w, 2, 1);
		break;
	case ISA_SWAP:
	case ISA_PERMLANE16_SWAP:
	case ISA_PERMLANE32_SWAP:
		swap_rows(w);
		break;
	case ISA_DIV_SCALE:
	case ISA_MAD_WIDE:
		shadow_numbers(w, true, false, how);
		break;
	case ISA_DIV_FMAS:
		shadow_numbers(w, false, true, how);
		break;
	case ISA_BITOP3:
		if (op->row->type[0] != ISA_B32) {
			shadow_refuse(w, "not covered for data");
			break;
		}
		shadow_numbers(w, false, false, how);
		break;
	case ISA_DOT_IU:
		shadow_numbers(w, false, false, how);
		break;
	case ISA_MBCNT_LO:
	case ISA_MBCNT_HI:
		shadow_mbcnt(w);
		break;
	case ISA_CVT_F8:
		shadow_cvt_f8(w);
		break;
	case ISA_CVT_FROM_F8:
	case ISA_CVT_PK_FROM_F8:
		shadow_from_f8(w);
		break;
	default:
		shadow_refuse(w, "not covered for data");
	}
}
