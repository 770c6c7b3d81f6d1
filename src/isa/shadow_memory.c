/* Terms in memory, LDS and scratch, moved byte by byte along with memory.c's values. */
#include <string.h>

#include "isa/shadow.h"
#include "isa/watch.h"

/* A word in the host's memory, and the place of its term. */
struct cell {
	term *word;
	const unsigned char *p; /* its first byte */
	unsigned byte;		/* the requested byte */
	unsigned bytes;		/* bytes available */
	bool global;
	struct shadow_touch at; /* of global memory */
};

static bool find(struct cell *out, struct isa_wave *w, const unsigned char *p)
{
	struct isa_group *g = w->group;
	struct isa_shadow *h = g->shadow;
	size_t scratch = (size_t)g->scratch_dwords * ISA_LANES * 4;
	const unsigned char *own = (const unsigned char *)w->scratch;
	*out = (struct cell){.bytes = 4};
	if (p >= g->lds && p < g->lds + g->lds_bytes) {
		size_t at = (size_t)(p - g->lds);
		out->word = &h->lds[at / 4];
		out->p = g->lds + at / 4 * 4;
		out->byte = at % 4;
		return true;
	}
	if (p >= own && p < own + scratch) {
		size_t at = (size_t)(p - own);
		out->word = &shadow_wave_of(w)->scratch[at / 4];
		out->p = own + at / 4 * 4;
		out->byte = at % 4;
		return true;
	}
	for (size_t i = 0; i < h->memories; i++) {
		const struct isa_memory *m = h->memory[i].of;
		if (p >= m->p && p < m->p + m->bytes) {
			size_t at = (size_t)(p - m->p);
			size_t left = m->bytes - at / 4 * 4;
			out->word = &h->memory[i].word[at / 4];
			out->p = m->p + at / 4 * 4;
			out->byte = at % 4;
			out->bytes = left < 4 ? (unsigned)left : 4;
			out->global = true;
			out->at = (struct shadow_touch){(uint32_t)i, (uint32_t)(at / 4)};
			return true;
		}
	}
	shadow_refuse(w, "unknown memory");
	return false;
}

/* The term of a word. An initial one is made of bytes of symbols and of constants. */
term isa_shadow_word(struct isa_shadow *h, size_t memory, uint64_t word)
{
	struct shadow_memory *m = &h->memory[memory];
	struct slot s[4];
	h->nans_read |= m->word[word] == SHADOW_NANS;
	if (m->word[word] != SHADOW_FRESH && m->word[word] != SHADOW_NANS) {
		return m->word[word];
	}
	for (unsigned k = 0; k < 4; k++) {
		uint64_t byte = 4 * word + k;
		unsigned back = 0;
		bool in = byte < m->of->bytes;
		while (in && back < 8 && back <= byte &&
			m->element[byte - back] <=
				back) { /* no symbol from there reaches this byte */
			back++;
		}
		in = in && back < 8 && back <= byte;
		s[k] = !in ? slot_constant(byte < m->of->bytes ? m->of->p[byte] : 0)
			   : (struct slot){term_symbol(h->t, m->number, (uint32_t)(byte - back),
						   m->element[byte - back]),
				     (uint8_t)back, 0xff, 0};
	}
	m->word[word] = term_word(h->t, s);
	array_push(&h->touched, (struct shadow_touch){(uint32_t)memory, (uint32_t)word});
	return m->word[word];
}

static term read_word(struct isa_wave *w, const struct cell *c)
{
	bool global = *c->word == SHADOW_FRESH || *c->word == SHADOW_NANS;
	return global ? isa_shadow_word(shadow_of(w), c->at.memory, c->at.word) : *c->word;
}

static uint32_t bytes_of(const struct cell *c)
{
	uint32_t x = 0;
	memcpy(&x, c->p, c->bytes);
	return x;
}

static struct slot read_byte(struct isa_wave *w, const unsigned char *p)
{
	struct cell c;
	struct slot s[4];
	if (!find(&c, w, p)) {
		return slot_constant(0);
	}
	term_slots(s, shadow_of(w)->t, read_word(w, &c), bytes_of(&c));
	return s[c.byte];
}

static void write_byte(struct isa_wave *w, const unsigned char *p, struct slot x)
{
	struct cell c;
	struct slot s[4];
	if (!find(&c, w, p) || (!*c.word && !x.of)) {
		return;
	}
	term was = read_word(w, &c);
	term_slots(s, shadow_of(w)->t, was, bytes_of(&c));
	s[c.byte] = x;
	*c.word = term_word(shadow_of(w)->t, s);
	if (c.global && *c.word != was) {
		array_push(&shadow_of(w)->touched, c.at);
	}
}

/* Are the 4 bytes exactly one word? */
static bool is_word(unsigned char *const *byte, const struct cell *c)
{
	return c->byte == 0 && c->bytes == 4 && byte[1] == byte[0] + 1 && byte[2] == byte[0] + 2 &&
	       byte[3] == byte[0] + 3;
}

static void load(struct isa_wave *w, unsigned reg, int lane, unsigned char *const *byte, unsigned n)
{
	const struct isa_row *r = w->op->row;
	struct shadow_wave *v = shadow_wave_of(w);
	struct terms *t = shadow_of(w)->t;
	struct cell c;
	struct slot s[4], old[4];
	if (n == 4 && find(&c, w, byte[0]) && is_word(byte, &c)) {
		term x = *c.word ? read_word(w, &c) : 0;
		if (x || v->lanes[reg] >> lane & 1) {
			shadow_set_lane(v, reg, lane, x);
		}
		return;
	}
	for (unsigned k = 0; k < 4; k++) {
		s[k] = k < n ? read_byte(w, byte[k]) : slot_constant(0);
	}
	term x = term_word(t, s);
	if (x && r->sign && n < 4) {
		x = term_of_op(t, n == 1 ? TERM_SIGN_8 : TERM_SIGN_16, &x, 1);
		term_slots(s, t, x, 0);
	}
	if (r->half) {
		/* the register already has the new value, so its constant bytes are right */
		unsigned to = r->half == 2 ? 2 : 0;
		struct slot half[2] = {s[0], s[1]};
		term_slots(old, t, shadow_lane(v, reg, lane), w->v[reg][lane]);
		for (unsigned k = 0; k < 2; k++) {
			s[to + k] = half[k];
			s[2 - to + k] = old[2 - to + k];
		}
		for (unsigned k = 0; k < 4; k++) {
			if (!s[k].of) {
				s[k] = slot_constant((uint8_t)(w->v[reg][lane] >> 8 * k));
			}
		}
	}
	shadow_set_lane(v, reg, lane, term_word(t, s));
}

static void store(
	struct isa_wave *w, unsigned reg, int lane, unsigned char *const *byte, unsigned n)
{
	const struct isa_row *r = w->op->row;
	struct cell c;
	struct slot s[4];
	term x = shadow_lane(shadow_wave_of(w), reg, lane);
	if (n == 4 && find(&c, w, byte[0]) && is_word(byte, &c)) {
		if (*c.word != x) {
			*c.word = x;
			if (c.global) {
				array_push(&shadow_of(w)->touched, c.at);
			}
		}
		return;
	}
	term_slots(s, shadow_of(w)->t, x, w->v[reg][lane]);
	for (unsigned k = 0; k < n; k++) {
		write_byte(w, byte[k], s[k + (r->half == 2 ? 2 : 0)]);
	}
}

void isa_shadow_move(struct isa_wave *w, unsigned reg, int lane, unsigned char *const *byte)
{
	const struct isa_row *r = w->op->row;
	unsigned n = r->bits[0] < 4 ? r->bits[0] : 4;
	if (w->said) {
		return;
	}
	if (r->form == ISA_STORE) {
		if (byte) {
			store(w, reg, lane, byte, n);
		}
	} else if (byte) {
		load(w, reg, lane, byte, n);
	} else if (r->half && shadow_lane(shadow_wave_of(w), reg, lane)) {
		shadow_refuse(w,
			"half a register past a buffer's end, beside a half that depends on data");
	} else {
		shadow_set_lane(shadow_wave_of(w), reg, lane, 0);
	}
}

void isa_shadow_s_load(struct isa_wave *w, const unsigned char *p, unsigned bytes)
{
	const struct isa_operand *o = w->op->o;
	struct terms *t = shadow_of(w)->t;
	int narrow = -w->op->row->number;
	for (unsigned r = 0; r < o[0].regs; r++) {
		struct slot s[4];
		for (unsigned k = 0; k < 4; k++) {
			s[k] = 4 * r + k < bytes ? read_byte(w, p + 4 * r + k) : slot_constant(0);
		}
		term x = term_word(t, s);
		if (x && narrow >= 3) {
			x = term_of_op(t, narrow == 3 ? TERM_SIGN_8 : TERM_SIGN_16, &x, 1);
		}
		shadow_set_sgpr(w, o[0].reg + r, x);
	}
}

/* ---- before ---- */

void shadow_addresses(struct isa_wave *w)
{
	const struct isa_op *op = w->op;
	for (unsigned i = 0; i < op->operands; i++) {
		const struct isa_operand *o = &op->o[i];
		if (isa_watch_is_address(op, i)) {
			shadow_decide_operand(w, o);
		}
	}
	if (op->row->space == ISA_LDS && op->row->bits[2] && op->row->form == ISA_STORE) {
		shadow_decide_operand(w, &op->o[0]);
	}
}

/* ---- atomics ---- */

/* One or two words, each a term or a constant. */
struct words {
	struct slot s[2][4];
	term x[2]; /* also for constants */
	unsigned n;
	bool any; /* one depends on a symbol */
};

static void take_word(struct isa_wave *w, struct words *out, unsigned i, uint32_t value)
{
	struct terms *t = shadow_of(w)->t;
	term x = term_word(t, out->s[i]);
	if (x) {
		shadow_hold(w, x, value);
	}
	out->x[i] = x ? x : term_constant(t, value);
	out->any |= x != 0;
}

static struct words of_memory(struct isa_wave *w, const struct isa_atomic *at)
{
	struct words r = {.n = at->bytes / 4};
	for (unsigned i = 0; i < r.n; i++) {
		for (unsigned k = 0; k < 4; k++) {
			r.s[i][k] = read_byte(w, at->p + at->step * i + k);
		}
		take_word(w, &r, i, (uint32_t)(at->old >> 32 * i));
	}
	return r;
}

static struct words of_registers(struct isa_wave *w, unsigned reg, int lane, unsigned n)
{
	struct words r = {.n = n};
	for (unsigned i = 0; i < n; i++) {
		term_slots(r.s[i], shadow_of(w)->t, shadow_lane(shadow_wave_of(w), reg + i, lane),
			w->v[reg + i][lane]);
		take_word(w, &r, i, w->v[reg + i][lane]);
	}
	return r;
}

static bool has_stem(const struct isa_row *r, const char *stem)
{
	return strncmp(r->what, stem, strlen(stem)) == 0;
}

static uint32_t atomic_op(struct isa_wave *w, const char *name, unsigned bytes)
{
	struct term_op op;
	memset(&op, 0, sizeof(op));
	op.name = name;
	op.form = ISA_ATOMIC;
	op.bytes = (uint8_t)bytes;
	op.type[0] = strcmp(name + strcspn(name, "_"), "_f32") == 0   ? ISA_F32
		     : strcmp(name + strcspn(name, "_"), "_f64") == 0 ? ISA_F64
								      : ISA_B32;
	return term_op_number(shadow_of(w)->t, &op);
}

/* The operation on the words of a and b. */
static term apply(struct isa_wave *w, uint32_t op, const struct words *a, const struct words *b)
{
	term source[4];
	memcpy(source, a->x, a->n * sizeof(*source));
	memcpy(source + a->n, b->x, b->n * sizeof(*source));
	return term_of_op(shadow_of(w)->t, op, source, a->n + b->n);
}

/* Does a compare-and-swap succeed? That is a decision, unless both are the same term. */
static bool swap_succeeds(
	struct isa_wave *w, const struct words *old, const struct words *compared, uint64_t value)
{
	bool is = false;
	if (memcmp(old->x, compared->x, old->n * sizeof(term)) == 0) {
		return true;
	}
	for (unsigned i = 0; i < old->n; i++) {
		uint32_t of = term_kind_of(shadow_of(w)->t, old->x[i]) == TERM_CONSTANT;
		is |= !of || term_kind_of(shadow_of(w)->t, compared->x[i]) != TERM_CONSTANT;
	}
	if (is) {
		shadow_decide(w, apply(w, atomic_op(w, "atomic equal", 0), old, compared),
			(uint32_t)value);
	}
	return value;
}

static void put_words(struct isa_wave *w, const struct isa_atomic *at, const struct words *now)
{
	for (unsigned i = 0; i < 4 * now->n; i++) {
		write_byte(w, at->p + at->step * (i / 4) + i % 4, now->s[i / 4][i % 4]);
	}
}

/* Stores the term after an atomic. Lanes, waves and workgroups have the order of the run. */
static void shadow_rmw(struct isa_wave *w, int lane, const struct isa_atomic *at,
	const struct words *old, const struct words *data)
{
	const struct isa_row *r = w->op->row;
	struct words now = *data;
	if (r->bits[1]) {
		struct words compared = of_registers(w, at->compared, lane, old->n);
		uint64_t mask = at->bytes == 8 ? UINT64_MAX : UINT32_MAX;
		uint64_t with = w->v[at->compared][lane] |
				(at->bytes == 8 ? (uint64_t)w->v[at->compared + 1][lane] << 32 : 0);
		now = swap_succeeds(w, old, &compared, (at->old & mask) == with) ? *data : *old;
	} else if (!has_stem(r, "swap")) {
		term x = apply(w, atomic_op(w, r->what, at->bytes), old, data);
		for (unsigned i = 0; i < now.n; i++) {
			for (unsigned k = 0; k < 4; k++) {
				now.s[i][k] = (struct slot){x, (uint8_t)(4 * i + k), 0xff, 0};
			}
			take_word(w, &now, i, (uint32_t)(at->now >> 32 * i));
		}
	}
	shadow_of(w)->atomics++;
	put_words(w, at, &now);
}

void isa_shadow_atomic(struct isa_wave *w, int lane, const struct isa_atomic *at)
{
	const struct isa_op *op = w->op;
	struct words old = {.n = at->bytes / 4};
	if (w->said) {
		return;
	}
	if (at->p) {
		struct words data = of_registers(w, at->data, lane, at->bytes / 4);
		old = of_memory(w, at);
		bool any = old.any || data.any;
		if (w->op->row->bits[1] && !any) {
			any = of_registers(w, at->compared, lane, old.n).any;
		}
		if (any) {
			shadow_rmw(w, lane, at, &old, &data);
		}
	}
	for (unsigned i = 0; op->returns && i < at->bytes / 4; i++) {
		bool is = old.any && term_kind_of(shadow_of(w)->t, old.x[i]) != TERM_CONSTANT;
		shadow_set_lane(shadow_wave_of(w), op->o[0].reg + i, lane, is ? old.x[i] : 0);
	}
}
