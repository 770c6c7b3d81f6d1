/* The shadow state, its decisions, and the hooks around an instruction (shadow.h). */
#include "isa/matrix.h"

#include <string.h>

static const struct isa_shadow_calls calls = {.begin = isa_shadow_begin,
	.before = isa_shadow_before,
	.after = isa_shadow_after,
	.keep = isa_shadow_keep,
	.swap = isa_shadow_swap,
	.move = isa_shadow_move,
	.s_load = isa_shadow_s_load,
	.atomic = isa_shadow_atomic,
	.same = isa_shadow_same,
	.product = isa_shadow_product,
	.row = isa_shadow_row,
	.product_end = isa_shadow_product_end};

void isa_shadow_open(struct isa_group *g, struct terms *t, uint32_t run)
{
	struct isa_shadow *h = ARENA_NEW(g->a, struct isa_shadow);
	h->t = t;
	h->run = run;
	h->wave = ARENA_ARRAY(g->a, struct shadow_wave, g->waves);
	for (unsigned i = 0; i < g->waves; i++) {
		h->wave[i].scratch =
			ARENA_ARRAY(g->a, term, (size_t)g->scratch_dwords * ISA_LANES + 1);
	}
	h->lds = ARENA_ARRAY(g->a, term, g->lds_bytes / 4 + 2);
	h->memories = g->l->memories;
	h->memory = ARENA_ARRAY(g->a, struct shadow_memory, h->memories + 1);
	for (size_t i = 0; i < h->memories; i++) {
		const struct isa_memory *of = &g->l->memory[i];
		struct shadow_memory *m = &h->memory[i];
		m->of = of;
		m->number = of->at == ARGUMENTS_AT ? SHADOW_ARGUMENTS : (uint32_t)i;
		m->words = (of->bytes + 3) / 4;
		m->word = ARENA_ARRAY(g->a, term, m->words + 1);
		m->element = arena_calloc(g->a, of->bytes + 1, 1);
		if (g->l->symbols && g->l->symbols[i]) {
			memcpy(m->element, g->l->symbols[i], of->bytes);
		}
		for (uint64_t k = 0; k < of->bytes; k++) {
			for (unsigned n = 0; n < m->element[k]; n++) {
				m->word[(k + n) / 4] = SHADOW_FRESH;
			}
		}
	}
	h->known = ARENA_ARRAY(g->a, struct shadow_use, g->p->ops + 1);
	for (size_t i = 0; i < g->p->ops; i++) {
		h->known[i].uses = isa_op_uses(h->known[i].use, &g->p->op[i]);
	}
	g->shadow = h;
	g->calls = &calls;
}

void isa_shadow_release(struct isa_shadow *h)
{
	if (h) {
		array_release(&h->touched);
		array_release(&h->condition);
		ids_release(&h->conditions);
		ids_release(&h->active);
		array_release(&h->open);
	}
}

void isa_shadow_begin(struct isa_group *g)
{
	struct isa_shadow *h = g->shadow;
	for (unsigned i = 0; i < g->waves; i++) {
		struct shadow_wave *v = &h->wave[i];
		memset(v->lanes, 0, sizeof(v->lanes));
		memset(v->s, 0, sizeof(v->s));
		memset(v->bits, 0, sizeof(v->bits));
		v->scc = 0;
		memset(v->scratch, 0, (size_t)g->scratch_dwords * ISA_LANES * sizeof(term));
	}
	memset(h->lds, 0, (g->lds_bytes / 4 + 1) * sizeof(term));
	h->touched.n = 0;
	h->condition.n = 0;
	ids_release(&h->conditions);
	ids_release(&h->active);
}

/* Does each byte of a word belong to a symbol? */
static bool all_symbols(const struct shadow_memory *m, uint64_t word)
{
	bool all = true;
	for (uint64_t byte = 4 * word; byte < 4 * word + 4 && byte < m->of->bytes; byte++) {
		bool one = false;
		for (uint64_t back = 0; back < 8 && back <= byte; back++) {
			one |= m->element[byte - back] > back;
		}
		all &= one;
	}
	return all;
}

void isa_shadow_fresh(struct isa_shadow *h, struct shadow_touch at, bool symbols)
{
	struct shadow_memory *m = &h->memory[at.memory];
	m->word[at.word] = symbols ? SHADOW_FRESH : 0;
	if (symbols && !all_symbols(m, at.word)) {
		for (uint64_t k = 4 * (uint64_t)at.word; k < 4 * (uint64_t)at.word + 4; k++) {
			if (k < m->of->bytes) {
				m->element[k] = k % 4 ? 0 : 4;
			}
		}
	}
}

void isa_shadow_nans(struct isa_shadow *h, struct shadow_touch at)
{
	isa_shadow_fresh(h, at, true);
	h->memory[at.memory].word[at.word] = SHADOW_NANS;
}

void shadow_refuse(struct isa_wave *w, const char *what)
{
	isa_wrong(w, arena_printf(w->group->a, "%s%s%s", what, w->op ? ": " : "",
			     w->op ? w->op->row->name : ""));
}

/* ---- decisions ---- */

/* Ends the run if x depends on a passive symbol. */
static void check_decider(struct isa_wave *w, term x)
{
	struct isa_shadow *h = shadow_of(w);
	const struct isa_launch *l = w->group->l;
	size_t n;
	term at;
	while (l->passive && !h->decider &&
		(at = term_sources_first(&h->open, h->t, x, &h->active)) != 0) {
		bool symbol = term_kind_of(h->t, at) == TERM_SYMBOL;
		uint32_t memory = symbol ? term_words(h->t, at, &n)[0] : 0;
		if (symbol && memory < l->memories && l->passive[memory]) {
			h->decider = memory + 1;
			isa_wrong(w, "a branch, an address or EXEC depends on data");
		}
		ids_set(&h->active, at, 1);
	}
}

void shadow_decide(struct isa_wave *w, term x, uint32_t value)
{
	struct isa_shadow *h = shadow_of(w);
	struct terms *t = h->t;
	size_t n;
	check_decider(w, x);
	if (term_kind_of(t, x) == TERM_OP && term_words(t, x, &n)[0] == TERM_NOT) {
		x = term_words(t, x, &n)[1];
		value = !value;
	}
	term c = term_of_op(t, TERM_IS_VALUE, (term[]){x, term_constant(t, value)}, 2);
	if (ids_set(&h->conditions, c, 1)) {
		array_push(&h->condition, c);
	}
}

void shadow_decide_operand(struct isa_wave *w, const struct isa_operand *o)
{
	struct shadow_wave *v = shadow_wave_of(w);
	uint64_t exec = isa_mask(w, ISA_EXEC);
	for (unsigned r = o->reg; r < (unsigned)o->reg + o->regs; r++) {
		if (o->kind == ISA_OPERAND_SGPR && (v->s[r] || v->bits[r])) {
			shadow_decide(w, shadow_sgpr(w, r), w->s[r]);
		}
		for (int i = 0; o->kind == ISA_OPERAND_VGPR && i < ISA_LANES; i++) {
			term x = exec >> i & 1 ? shadow_lane(v, r, i) : 0;
			if (x) {
				shadow_decide(w, x, w->v[r][i]);
			}
		}
	}
}

/* EXEC's bits switch lanes on and off: each one is a decision. */
static void decide_exec(struct isa_wave *w)
{
	struct shadow_wave *v = shadow_wave_of(w);
	for (unsigned r = ISA_EXEC; r < ISA_EXEC + 2; r++) {
		for (unsigned i = 0; v->bits[r] && i < 32; i++) {
			if (v->bits[r] >> i & 1) {
				shadow_decide(w, v->bit[r][i], w->s[r] >> i & 1);
			}
		}
		if (v->s[r]) {
			shadow_decide(w, v->s[r], w->s[r]);
		}
		v->bits[r] = 0;
		v->s[r] = 0;
	}
}

/* ---- registers ---- */

void shadow_set_lane(struct shadow_wave *v, unsigned reg, int lane, term x)
{
	uint64_t bit = (uint64_t)1 << lane;
	v->lanes[reg] = x ? v->lanes[reg] | bit : v->lanes[reg] & ~bit;
	v->v[reg][lane] = x;
}

/* A mask that was spilled to a VGPR's lane or memory becomes bits again. */
void shadow_set_sgpr(struct isa_wave *w, unsigned reg, term x)
{
	struct shadow_wave *v = shadow_wave_of(w);
	const struct terms *t = shadow_of(w)->t;
	size_t n;
	v->s[reg] = x;
	v->bits[reg] = 0;
	if (!x || term_kind_of(t, x) != TERM_OP || term_words(t, x, &n)[0] != TERM_MASK) {
		return;
	}
	const uint32_t *bit = term_words(t, x, &n) + 1;
	v->s[reg] = 0;
	for (unsigned i = 0; i < 32; i++) {
		bool constant = term_kind_of(t, bit[i]) == TERM_CONSTANT;
		v->bits[reg] |= constant ? 0 : 1u << i;
		v->bit[reg][i] = constant ? 0 : bit[i];
	}
}

term shadow_sgpr(struct isa_wave *w, unsigned reg)
{
	struct shadow_wave *v = shadow_wave_of(w);
	struct terms *t = shadow_of(w)->t;
	if (!v->bits[reg]) {
		return v->s[reg];
	}
	term word[32];
	for (unsigned i = 0; i < 32; i++) {
		word[i] = v->bits[reg] >> i & 1 ? v->bit[reg][i]
						: term_constant(t, w->s[reg] >> i & 1);
	}
	return term_of_op(t, TERM_MASK, word, 32);
}

term shadow_mask_bit(struct isa_wave *w, const struct isa_operand *o, int lane)
{
	struct shadow_wave *v = shadow_wave_of(w);
	if (o->kind != ISA_OPERAND_SGPR) {
		return 0;
	}
	unsigned reg = o->reg + (unsigned)lane / 32;
	if (lane / 32 >= o->regs) {
		return 0;
	}
	if (v->s[reg]) {
		shadow_refuse(w, "a number that depends on data, used as a mask");
	}
	return v->bits[reg] >> (lane & 31) & 1 ? v->bit[reg][lane & 31] : 0;
}

uint32_t shadow_op(struct isa_wave *w, const char *name, uint32_t how, unsigned bytes)
{
	const struct isa_row *r = w->op->row;
	struct term_op op;
	memset(&op, 0, sizeof(op));
	op.name = name;
	bool as_valu =
		r->form == ISA_PK16 || r->form == ISA_PK32 || (r->form == ISA_MIX && !r->number);
	op.form = as_valu ? ISA_VALU : r->form;
	op.flags = r->flags & (ISA_ARITHMETIC | ISA_FLUSHES | ISA_NO_SUBNORMALS);
	memcpy(op.type, r->type, sizeof(op.type));
	if (r->flags & ISA_ACCUMULATES) {
		op.type[3] = r->type[0];
	}
	op.mode = w->mode;
	op.how = how;
	op.bytes = (uint8_t)bytes;
	return term_op_number(shadow_of(w)->t, &op);
}

void isa_shadow_keep(struct shadow_dual *out, const struct isa_wave *w, unsigned reg)
{
	const struct shadow_wave *v = shadow_wave_of(w);
	out->lanes = v->lanes[reg];
	memcpy(out->v, v->v[reg], sizeof(out->v));
}

void isa_shadow_swap(struct isa_wave *w, unsigned reg, struct shadow_dual *with)
{
	struct shadow_wave *v = shadow_wave_of(w);
	struct shadow_dual was = {.lanes = v->lanes[reg]};
	memcpy(was.v, v->v[reg], sizeof(was.v));
	v->lanes[reg] = with->lanes;
	memcpy(v->v[reg], with->v, sizeof(was.v));
	*with = was;
}

/* ---- around an instruction ---- */

static const struct shadow_use *known(const struct isa_wave *w, struct shadow_use *buffer)
{
	const struct isa_program *p = w->group->p;
	if (w->op >= p->op && w->op < p->op + p->ops) {
		return &shadow_of(w)->known[w->op - p->op];
	}
	buffer->uses = isa_op_uses(buffer->use, w->op);
	return buffer;
}

/* Does a register that it reads or writes depend on a symbol? */
static bool touches_terms(const struct isa_wave *w, bool only_reads)
{
	struct shadow_use buffer;
	const struct shadow_use *k = known(w, &buffer);
	const struct shadow_wave *v = shadow_wave_of(w);
	bool any = false;
	for (unsigned i = 0; v->scc && i < w->op->operands; i++) {
		any |= w->op->o[i].kind == ISA_OPERAND_SCC;
	}
	for (unsigned i = 0; i < k->uses; i++) {
		const struct isa_use *u = &k->use[i];
		if (u->write && only_reads) {
			continue;
		}
		for (unsigned r = u->reg; r < (unsigned)u->reg + u->regs; r++) {
			any |= r >= ISA_USE_VGPR + ISA_VGPRS ? false
			       : r >= ISA_USE_VGPR	     ? v->lanes[r - ISA_USE_VGPR] != 0
			       : r == ISA_USE_SCC	     ? v->scc != 0
							     : v->s[r] || v->bits[r];
		}
	}
	return any;
}

/* Does a register that the instruction reads depend on a symbol? */
static bool reads_terms(const struct isa_wave *w)
{
	return touches_terms(w, true);
}

/* Clears the terms of the result of a scalar instruction without terms. */
static void clear_written(struct isa_wave *w)
{
	struct shadow_use buffer;
	const struct shadow_use *k = known(w, &buffer);
	for (unsigned i = 0; i < k->uses; i++) {
		const struct isa_use *u = &k->use[i];
		for (unsigned r = u->reg; u->write && r < (unsigned)u->reg + u->regs; r++) {
			if (r < ISA_SGPRS) {
				shadow_set_sgpr(w, r, 0);
			} else if (r == ISA_USE_SCC) {
				shadow_wave_of(w)->scc = 0;
			} else {
				shadow_refuse(w, "not covered for data");
			}
		}
	}
}

static bool reads_scc(enum isa_special s)
{
	return s == ISA_BRANCH_SCC0 || s == ISA_BRANCH_SCC1;
}

/* Is it computed lane by lane? Then shadow_apply checks the terms of its sources. */
static bool is_lanewise(const struct isa_row *r)
{
	return r->form >= ISA_VALU && r->form <= ISA_MIX;
}

static bool is_matrix(const struct isa_op *op)
{
	return isa_op_class(op) == ISA_CLASS_MATRIX;
}

static void before_special(struct isa_wave *w, bool any)
{
	enum isa_special s = w->op->row->special;
	if (reads_scc(s) && shadow_wave_of(w)->scc) {
		shadow_branch(w);
	} else if (any && s >= ISA_FIRST_VECTOR) {
		shadow_special_lane(w);
	} else if (any && (s == ISA_BRANCH_VCCZ || s == ISA_BRANCH_VCCNZ)) {
		shadow_branch(w);
	} else if (any && s == ISA_SAVEEXEC) {
		shadow_scalar(w);
	} else if (any && s == ISA_S_LOAD) {
		shadow_decide_operand(w, &w->op->o[1]);
		shadow_decide_operand(w, &w->op->o[2]);
	} else if (any && is_matrix(w->op)) {
		return; /* its rows are recorded when they are computed */
	} else if (any && !reads_terms(w)) {
		clear_written(w);
	} else if (any) {
		shadow_refuse(w, "not covered for data");
	}
}

static const char not_held[] = "internal error: a term does not have the value";

void shadow_hold(struct isa_wave *w, term x, uint32_t value)
{
	if (!term_holds(shadow_of(w)->t, x, value)) {
		shadow_refuse(w, not_held);
	}
}

/* Checks the terms of operands read (or written) against the values. */
static void check(struct isa_wave *w, bool written)
{
	struct shadow_use buffer;
	const struct shadow_use *k = known(w, &buffer);
	const struct shadow_wave *v = shadow_wave_of(w);
	struct terms *t = shadow_of(w)->t;
	bool holds = !v->scc || term_bit_holds(t, v->scc, w->scc);
	for (unsigned i = 0; i < k->uses; i++) {
		const struct isa_use *u = &k->use[i];
		for (unsigned r = u->reg; u->write == written && r < (unsigned)u->reg + u->regs;
			r++) {
			unsigned reg = r - ISA_USE_VGPR;
			for (unsigned b = 0; r < ISA_SGPRS && v->bits[r] && b < 32; b++) {
				holds &= !(v->bits[r] >> b & 1) ||
					 term_bit_holds(t, v->bit[r][b], w->s[r] >> b & 1);
			}
			if (r < ISA_SGPRS && v->s[r]) {
				holds &= term_holds(t, v->s[r], w->s[r]);
			}
			for (int l = 0; r >= ISA_USE_VGPR && v->lanes[reg] && l < ISA_LANES; l++) {
				term x = shadow_lane(v, reg, l);
				holds &= !x || term_holds(t, x, w->v[reg][l]);
			}
		}
	}
	if (!holds) {
		shadow_refuse(w, not_held);
	}
}

void isa_shadow_before(struct isa_wave *w)
{
	struct isa_shadow *h = shadow_of(w);
	const struct isa_program *p = w->group->p;
	bool own = w->op >= p->op && w->op < p->op + p->ops;
	h->t->place = (uint32_t)(own ? (size_t)(w->op - p->op) : w->next - 1) << 1 | h->run;
	h->pending = false;
	if (w->op == &w->moved &&
		(shadow_wave_of(w)->s[ISA_M0] || shadow_wave_of(w)->bits[ISA_M0])) {
		shadow_refuse(w, "a register index that depends on data");
	}
	bool any = h->any = touches_terms(w, false);
	if (any && !is_lanewise(w->op->row)) {
		check(w, false);
	}
	switch (w->op->row->form) {
	case ISA_LOAD:
	case ISA_STORE:
	case ISA_ATOMIC:
		if (any) {
			shadow_addresses(w);
		}
		break;
	case ISA_SPECIAL:
		before_special(w, any);
		break;
	case ISA_SALU:
	case ISA_SOPK:
	case ISA_SCMP:
		if (any) {
			shadow_scalar(w);
		}
		break;
	default:
		if (any) {
			shadow_vector(w);
		}
	}
	if (h->t->full) {
		isa_wrong(w, "the terms exceed the memory limit");
	}
}

static void put_lanes(struct isa_wave *w, const struct shadow_result *r)
{
	struct shadow_wave *v = shadow_wave_of(w);
	for (unsigned k = 0; k < r->regs; k++) {
		for (int i = 0; i < ISA_LANES; i++) {
			if (!(r->lanes >> i & 1)) {
				continue;
			}
			struct slot s[4];
			for (unsigned b = 0; b < 4; b++) {
				s[b] = r->d[k][i][b];
				if (s[b].of == SHADOW_FINAL) {
					s[b] = slot_constant(
						(uint8_t)(w->v[r->reg + k][i] >> 8 * b));
				}
			}
			shadow_set_lane(v, r->reg + k, i, term_word(shadow_of(w)->t, s));
		}
	}
}

static void put_bits(struct isa_wave *w, const struct isa_operand *o, const term bit[ISA_LANES])
{
	struct shadow_wave *v = shadow_wave_of(w);
	for (unsigned k = 0; o->kind == ISA_OPERAND_SGPR && k < o->regs; k++) {
		unsigned reg = o->reg + k;
		shadow_set_sgpr(w, reg, 0);
		for (unsigned i = 0; i < 32; i++) {
			term x = bit[32 * k + i];
			v->bits[reg] |= (uint32_t)(x != 0) << i;
			v->bit[reg][i] = x;
		}
	}
}

void isa_shadow_after(struct isa_wave *w)
{
	struct isa_shadow *h = shadow_of(w);
	const struct shadow_result *r = &h->result;
	struct shadow_wave *v = shadow_wave_of(w);
	if (h->pending) {
		put_lanes(w, r);
		if (r->mask) {
			put_bits(w, r->mask, r->bit);
		}
		if (r->scalar && r->scalar->kind == ISA_OPERAND_SGPR) {
			for (unsigned k = 0; k < r->scalar->regs; k++) {
				shadow_set_sgpr(w, r->scalar->reg + k, k < 2 ? r->word[k] : 0);
			}
			if (!r->word[0] && !r->word[1]) {
				put_bits(w, r->scalar, r->scalar_bit);
			}
		}
		if (r->sets_scc) {
			v->scc = r->scc;
		}
		h->pending = false;
	}
	bool loads = w->op->row->form == ISA_LOAD;
	if (h->any || loads) {
		check(w, true);
	}
	if (v->bits[ISA_EXEC] || v->bits[ISA_EXEC + 1] || v->s[ISA_EXEC] || v->s[ISA_EXEC + 1]) {
		decide_exec(w);
	}
	if (h->t->full) {
		isa_wrong(w, "the terms exceed the memory limit");
	}
}
