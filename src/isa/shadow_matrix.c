/* Terms of matrix operations: each result is a term of its row of A, its column of B, and C. */
#include <string.h>

#include "isa/matrix.h"

bool isa_shadow_same(const struct isa_wave *w, unsigned reg, unsigned lane, unsigned other)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	return shadow_lane(v, reg, (int)lane) == shadow_lane(v, reg, (int)other);
}

static bool has_terms(const struct shadow_wave *v, const struct isa_operand *o)
{
	uint64_t any = 0;
	for (unsigned r = 0; o->kind == ISA_OPERAND_VGPR && r < o->regs; r++) {
		any |= v->lanes[o->reg + r];
	}
	return any != 0;
}

/* The word with a lane's scale: its term, or 0. */
static term scale_term(struct isa_wave *w, unsigned operand, int lane)
{
	const struct isa_operand *o = &w->op->o[operand];
	return o->kind == ISA_OPERAND_VGPR   ? shadow_lane(shadow_wave_of(w), o->reg, lane)
	       : o->kind == ISA_OPERAND_SGPR ? shadow_sgpr(w, o->reg)
					     : 0;
}

void isa_shadow_product(struct product *p, unsigned regs)
{
	const struct isa_op *op = p->w->op;
	const struct isa_row *r = op->row;
	const struct shadow_wave *v = shadow_wave_of(p->w);
	bool accumulates = r->special == ISA_SMFMAC || r->special == ISA_SWMMAC;
	const struct isa_operand *c = &op->o[accumulates ? 0 : 3];
	bool any = has_terms(v, &op->o[1]) || has_terms(v, &op->o[2]) || has_terms(v, c);
	for (unsigned i = accumulates ? 3 : 4; i < op->operands; i++) {
		bool scale = isa_is_scaled(r);
		any |= scale && (has_terms(v, &op->o[i]) || scale_term(p->w, i, 0));
		if (!scale && has_terms(v, &op->o[i])) {
			shadow_refuse(p->w, "a sparse index that depends on data");
		}
	}
	if (!any) {
		return;
	}
	struct isa_shadow *h = shadow_of(p->w);
	if (!h->product) {
		h->product = ARENA_NEW(p->w->group->a, struct product_terms);
	}
	p->of = h->product;
	p->of->signs = p->kc == KIND_F64 ? op->blgp & 3u : op->neg_lo & 3u;
	for (unsigned i = 0; i < regs; i++) {
		for (int lane = 0; lane < ISA_LANES; lane++) {
			p->of->d[i][lane] =
				c->kind == ISA_OPERAND_VGPR ? shadow_lane(v, c->reg + i, lane) : 0;
		}
	}
}

/* Packs elements as consecutive bytes of words. */
struct packing {
	struct slot s[4];
	unsigned bytes;
	uint32_t word[3 * K_MOST];
	size_t words;
	bool any;
};

static void pack_word(struct packing *l, struct terms *t)
{
	term x = term_word(t, l->s);
	uint32_t c = 0;
	for (unsigned k = 0; k < 4; k++) {
		c |= (uint32_t)l->s[k].flip << 8 * k;
	}
	l->any |= x != 0;
	l->word[l->words++] = x ? x : term_constant(t, c);
	l->bytes = 0;
	memset(l->s, 0, sizeof(l->s));
}

/* 4- and 6-bit numbers, one word each: their bits, from one or two bytes. */
static void pack_bits(struct packing *l, struct isa_wave *w, const struct element_from *e)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	struct terms *t = shadow_of(w)->t;
	struct slot d[4] = {{0}};
	uint32_t mask = ((1u << e->bits) - 1) << e->bit % 8, c = 0;
	for (unsigned k = 0; k < 2 && mask >> 8 * k; k++) {
		unsigned byte = e->bit / 8u + k, reg = e->reg + byte / 4;
		struct slot s[4];
		term_slots(s, t, shadow_lane(v, reg, e->lane), w->v[reg][e->lane]);
		d[k] = slot_bits(s[byte % 4], (uint8_t)(mask >> 8 * k), 0);
		c |= (uint32_t)d[k].flip << 8 * k;
	}
	term x = term_word(t, d);
	if (x) {
		struct term_op op;
		memset(&op, 0, sizeof(op));
		op.name = "bits";
		op.form = ISA_SPECIAL;
		op.how = e->bit % 8u | (uint32_t)e->bits << 8;
		op.bytes = 4;
		x = term_of_op(t, term_op_number(t, &op), &x, 1);
	}
	l->any |= x != 0;
	l->word[l->words++] = x ? x : term_constant(t, c >> e->bit % 8);
}

/* The scales of a row or column, one word each. */
static void pack_scales(struct packing *l, struct isa_wave *w, unsigned operand, int row)
{
	const struct isa_op *op = w->op;
	struct terms *t = shadow_of(w)->t;
	const struct isa_operand *o = &op->o[operand];
	unsigned byte = isa_scale_byte(op, operand);
	int lanes = operand == 4 ? op->row->matrix.m : op->row->matrix.n;
	for (int at = 0; at < op->row->matrix.k / MX_ELEMENTS; at++) {
		int lane = row + lanes * at;
		uint32_t c = o->kind == ISA_OPERAND_VGPR ? w->v[o->reg][lane]
							 : (uint32_t)isa_scalar(w, o);
		struct slot s[4], one[4] = {{0}};
		term_slots(s, t, scale_term(w, operand, lane), c);
		one[0] = s[byte];
		term x = term_word(t, one);
		l->any |= x != 0;
		l->word[l->words++] = x ? x : term_constant(t, c >> 8 * byte & 0xff);
	}
}

static bool has_scales(const struct product *p)
{
	return isa_is_scaled(p->w->op->row) && p->w->op->operands == 6;
}

static void pack(struct packing *l, struct isa_wave *w, const struct element_from *e)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	struct terms *t = shadow_of(w)->t;
	struct slot s[4];
	if (e->bits < 8) {
		pack_bits(l, w, e);
		return;
	}
	for (unsigned k = 0; k < e->bits / 8u; k++) {
		unsigned byte = e->bit / 8u + k;
		unsigned reg = e->reg + byte / 4;
		term_slots(s, t, shadow_lane(v, reg, e->lane), w->v[reg][e->lane]);
		l->s[l->bytes++] = s[byte % 4];
		if (l->bytes == 4) {
			pack_word(l, t);
		}
	}
}

static struct matrix_list list_of(struct packing *l, struct terms *t)
{
	if (l->bytes) {
		pack_word(l, t);
	}
	return (struct matrix_list){term_of_op(t, TERM_LIST, l->word, l->words), l->any};
}

static struct matrix_list row_of(const struct product *p, int i)
{
	struct packing l = {.bytes = 0};
	struct terms *t = shadow_of(p->w)->t;
	for (int k = 0; k < p->terms; k++) {
		pack(&l, p->w, &p->of->a[i][k]);
	}
	if (has_scales(p)) {
		pack_scales(&l, p->w, 4, i);
	}
	struct matrix_list r = list_of(&l, t);
	/* the k of each term */
	for (int k = 0; p->sparse && k < p->terms; k++) {
		l.word[l.words++] = term_constant(t, p->k_of[i][k]);
	}
	return p->sparse ? (struct matrix_list){term_of_op(t, TERM_LIST, l.word, l.words), r.any}
			 : r;
}

static struct matrix_list column_of(const struct product *p, int j)
{
	struct packing l = {.bytes = 0};
	for (int k = 0; k < p->k; k++) {
		pack(&l, p->w, &p->of->b[k][j]);
	}
	if (has_scales(p)) {
		pack_scales(&l, p->w, 5, j);
	}
	return list_of(&l, shadow_of(p->w)->t);
}

static uint32_t operation(const struct product *p, unsigned bytes)
{
	struct term_op op;
	memset(&op, 0, sizeof(op));
	op.name = "matrix";
	op.form = ISA_SPECIAL;
	op.type[0] = (uint8_t)p->kc;
	op.type[1] = (uint8_t)p->ka;
	op.type[2] = (uint8_t)p->kb;
	op.how = (uint32_t)p->fnuz | (uint32_t)p->clamp << 1 | (uint32_t)p->sparse << 2 |
		 p->of->signs << 3 | (uint32_t)(p->sign_c < 0) << 5 | (uint32_t)has_scales(p) << 6 |
		 (uint32_t)p->terms << 8 | (uint32_t)p->k << 20;
	op.type[3] = p->ka == KIND_MX ? (uint8_t)(p->w->op->cbsz << 4 | p->w->op->blgp) : 0;
	op.bytes = (uint8_t)bytes;
	return term_op_number(shadow_of(p->w)->t, &op);
}

/* C's word, or its 16-bit half. */
static term addend(const struct product *p, const struct place *at, unsigned r, bool half)
{
	struct terms *t = shadow_of(p->w)->t;
	term x = p->of->d[at->element + (int)r][at->lane];
	uint32_t c = p->d[at->element + (int)r][at->lane];
	if (x) {
		shadow_hold(p->w, x, c);
	}
	if (!half) {
		return x ? x : term_constant(t, c);
	}
	struct slot s[4];
	term_slots(s, t, x, c);
	struct slot part[4] = {
		s[p->high ? 2 : 0], s[p->high ? 3 : 1], slot_constant(0), slot_constant(0)};
	x = term_word(t, part);
	return x ? x : term_constant(t, p->high ? c >> 16 : c & 0xffff);
}

/* The result's half of a register; the other half is C's. */
static term with_half(const struct product *p, const struct place *at, term x)
{
	struct terms *t = shadow_of(p->w)->t;
	struct slot s[4];
	unsigned from = p->high ? 2 : 0;
	term_slots(s, t, p->of->d[at->element][at->lane], p->d[at->element][at->lane]);
	s[from] = (struct slot){x, 0, 0xff, 0};
	s[from + 1] = (struct slot){x, 1, 0xff, 0};
	return term_word(t, s);
}

/* A result without symbols has no term: the operation computes its value. */
static void set_constant(struct product *p, const struct place *at, bool half)
{
	term x = p->of->d[at->element][at->lane];
	if (half && x) {
		shadow_refuse(p->w, "a result of which one half depends on data");
	}
	p->of->d[at->element][at->lane] = 0;
}

void isa_shadow_row(struct product *p, const struct place *at, int i)
{
	struct terms *t = shadow_of(p->w)->t;
	bool half = p->kc == KIND_F16 || p->kc == KIND_BF16;
	bool wide = p->kc == KIND_F64;
	uint32_t op = operation(p, half ? 2 : wide ? 8 : 4);
	struct matrix_list row = row_of(p, i);
	for (int j = 0; i == 0 && j < p->n; j++) {
		p->of->column[j] = column_of(p, j);
	}
	for (int j = 0; j < p->n; j++) {
		struct place to = {at[j].lane, wide ? 2 * at[j].element : at[j].element};
		term source[4] = {row.list, p->of->column[j].list, addend(p, &to, 0, half),
			wide ? addend(p, &to, 1, false) : 0};
		bool any = row.any || p->of->column[j].any ||
			   term_kind_of(t, source[2]) != TERM_CONSTANT ||
			   (wide && term_kind_of(t, source[3]) != TERM_CONSTANT);
		if (!any) {
			set_constant(p, &to, half);
			if (wide) {
				p->of->d[to.element + 1][to.lane] = 0;
			}
			continue;
		}
		term x = term_of_op(t, op, source, wide ? 4 : 3);
		p->of->d[to.element][to.lane] = half   ? with_half(p, &to, x)
						: wide ? term_part(t, x, 0, 4)
						       : x;
		if (wide) {
			p->of->d[to.element + 1][to.lane] = term_part(t, x, 4, 4);
		}
	}
}

/* All lanes, independent of EXEC. */
void isa_shadow_product_end(struct product *p, unsigned regs)
{
	struct shadow_wave *v = shadow_wave_of(p->w);
	unsigned reg = p->w->op->o[0].reg;
	for (unsigned r = 0; r < regs; r++) {
		for (int lane = 0; lane < ISA_LANES; lane++) {
			shadow_set_lane(v, reg + r, lane, p->of ? p->of->d[r][lane] : 0);
		}
	}
}
