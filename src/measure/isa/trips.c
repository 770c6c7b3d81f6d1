/*
 * ALGORITHM
 *
 * The exit and the addition must run in every iteration: no path through the loop avoids their
 * blocks. Value numbering (values.h) shows what the exit compares: the counter before or after an
 * addition in that block. Then the counter is stepped until the exit is taken. The initial value is
 * the constant that every path into the loop leaves in the register.
 */
#include "measure/isa/trips.h"

#include <string.h>

#include "measure/isa/call.h"

enum {
	TRIPS_MAX = 4096,
	START_MAX = 64 /* blocks searched for the initial value */
};

struct trips {
	const struct isa_function *f;
	const struct isa_blocks *b;
	const struct isa_loops *l;
	struct isa_values *vs;
	uint32_t loop, head, exit; /* the present loop; its blocks */
	bool *seen;		   /* blocks */
	uint32_t *stack;
	struct isa_registers fresh, r;
};

/* s_add_i32 s4, s4, 8 */
struct counter {
	unsigned reg;
	int64_t step;
	uint32_t block;
	int64_t start;
	bool added;	      /* the exit compares the sum */
	isa_value on;	      /* the exit's condition */
	struct isa_fact fact; /* its fact */
};

static bool is_inside(const struct trips *t, uint32_t block)
{
	uint32_t loop = t->l->of[block];
	while (loop != ISA_NONE && loop != t->loop) {
		loop = t->l->v[loop].around;
	}
	return loop == t->loop;
}

/* Can control go from the header to a block (or back to the header) without block avoid? */
static bool comes_to(const struct trips *t, uint32_t to, uint32_t avoid)
{
	size_t n = 0;
	if (t->head == avoid) {
		return false;
	}
	memset(t->seen, 0, t->b->n * sizeof(*t->seen));
	t->stack[n++] = t->head;
	while (n > 0) {
		const struct isa_block *x = &t->b->v[t->stack[--n]];
		const uint32_t edge[] = {x->next, x->taken};
		for (int i = 0; i < 2; i++) {
			uint32_t e = edge[i];
			if (e == to) {
				return true;
			}
			if (e != ISA_NONE && e != avoid && e != t->head && !t->seen[e] &&
				is_inside(t, e)) {
				t->seen[e] = true;
				t->stack[n++] = e;
			}
		}
	}
	return false;
}

/* Does x run before y, if both run in every iteration? */
static bool is_before(const struct trips *t, uint32_t x, uint32_t y)
{
	return y != t->head && !comes_to(t, y, x);
}

/* Finds the only block that leaves the loop, outside inner loops, by a branch in every
 * iteration. */
static bool find_exit(struct trips *t)
{
	const struct isa_loop *l = &t->l->v[t->loop];
	size_t exits = 0;
	for (size_t i = 0; i < l->blocks; i++) {
		const struct isa_block *x = &t->b->v[l->block[i]];
		bool out = (x->next == ISA_NONE && x->taken == ISA_NONE) ||
			   (x->next != ISA_NONE && !is_inside(t, x->next)) ||
			   (x->taken != ISA_NONE && !is_inside(t, x->taken));
		exits += out;
		t->exit = out ? l->block[i] : t->exit;
	}
	const struct isa_block *x = exits == 1 ? &t->b->v[t->exit] : NULL;
	return x && x->next != ISA_NONE && x->taken != ISA_NONE && t->l->of[t->exit] == t->loop &&
	       !comes_to(t, t->head, t->exit);
}

/* Does an instruction write a register? Restores its value afterwards. */
static bool writes(struct trips *t, unsigned reg, uint32_t at)
{
	isa_value before = t->r.v[reg];
	isa_registers_step(&t->r, t->vs, &t->f->insn.v[at], at);
	bool written = t->r.v[reg] != before;
	t->r.v[reg] = before;
	return written;
}

static size_t count_writes(struct trips *t, unsigned reg)
{
	const struct isa_loop *l = &t->l->v[t->loop];
	size_t n = 0;
	t->r = t->fresh;
	for (size_t i = 0; i < l->blocks; i++) {
		for (uint32_t k = t->b->v[l->block[i]].from; k < t->b->v[l->block[i]].to; k++) {
			n += writes(t, reg, k);
		}
	}
	return n;
}

/* Does it add a constant to its own register? */
static bool reads_step(struct counter *c, const struct isa_insn *in)
{
	struct str m = in->mnemonic;
	bool adds = str_is(m, "s_add_i32") || str_is(m, "s_add_u32"),
	     adds_k = str_is(m, "s_addk_i32");
	bool subs = str_is(m, "s_sub_i32") || str_is(m, "s_sub_u32");
	struct str to = isa_operand(in->operands, 0), of = isa_operand(in->operands, 1);
	struct str by = adds_k ? of : isa_operand(in->operands, 2);
	if ((!adds && !subs && !adds_k) || (!adds_k && !str_eq(to, of)) ||
		!str_to_i64(by, &c->step) || !isa_register_find(&c->reg, to)) {
		return false;
	}
	c->step = (int32_t)(uint32_t)c->step * (subs ? -1 : 1);
	return true;
}

/* Does the exit's branch compare this counter? */
static bool is_compared(struct counter *c, struct trips *t)
{
	const struct isa_block *x = &t->b->v[t->exit];
	isa_value before = t->fresh.v[c->reg];
	t->r = t->fresh;
	for (uint32_t k = x->from; k < x->to; k++) {
		isa_registers_step(&t->r, t->vs, &t->f->insn.v[k], k);
	}
	c->on = isa_registers_condition(&t->r, t->f->insn.v[x->to - 1].mnemonic);
	const struct isa_fact *fact = isa_values_fact(t->vs, VALUE_ATOM(c->on));
	if (!fact || fact->kind >= FACT_AND) {
		return false;
	}
	c->fact = *fact;
	if (c->block == t->exit) {
		c->added = fact->of == t->r.v[c->reg];
		return c->added || fact->of == before;
	}
	c->added = is_before(t, c->block, t->exit);
	return fact->of == before && (c->added || is_before(t, t->exit, c->block));
}

/* The constant that a block leaves in a register; returns 1: found, 0: the block does not write it,
 * -1: another value. */
static int left_by(int64_t *out, struct trips *t, uint32_t block, unsigned reg)
{
	int known = 0;
	t->r = t->fresh;
	for (uint32_t k = t->b->v[block].from; k < t->b->v[block].to; k++) {
		const struct isa_insn *in = &t->f->insn.v[k];
		unsigned to;
		if (writes(t, reg, k)) {
			bool moves = str_is(in->mnemonic, "s_mov_b32") ||
				     str_is(in->mnemonic, "s_movk_i32") ||
				     str_is(in->mnemonic, "s_mov_b64");
			known = moves && str_to_i64(isa_operand(in->operands, 1), out) &&
						isa_register_find(
							&to, isa_operand(in->operands, 0)) &&
						to == reg
					? 1
					: -1;
		}
	}
	return known;
}

/* Searches back from the header, outside the loop. */
static bool find_start(int64_t *out, struct trips *t, unsigned reg)
{
	size_t n = 0, looked = 0;
	bool any = false;
	memset(t->seen, 0, t->b->n * sizeof(*t->seen));
	t->stack[n++] = t->head;
	while (n > 0) {
		uint32_t x = t->stack[--n];
		if (x == 0 || looked++ == START_MAX) {
			return false; /* it is undefined at the kernel's start */
		}
		for (uint32_t i = 0; i < t->b->n; i++) {
			int64_t value;
			if ((t->b->v[i].next != x && t->b->v[i].taken != x) || t->seen[i] ||
				is_inside(t, i)) {
				continue;
			}
			t->seen[i] = true;
			int left = left_by(&value, t, i, reg);
			if (left < 0 || (left > 0 && any && value != *out)) {
				return false;
			}
			if (left > 0) {
				*out = value;
				any = true;
			} else {
				t->stack[n++] = i;
			}
		}
	}
	return any;
}

static uint32_t count(const struct trips *t, const struct counter *c)
{
	const struct isa_block *x = &t->b->v[t->exit];
	bool taken_stays = is_inside(t, x->taken),
	     below = t->exit != t->head || x->next == t->head || x->taken == t->head;
	for (uint32_t k = 0; k <= TRIPS_MAX; k++) {
		int64_t v = c->start + c->step * (k + c->added);
		bool holds = c->fact.kind == FACT_EQUAL	 ? (uint32_t)v == (uint32_t)c->fact.number
			     : c->fact.kind == FACT_LESS ? v < c->fact.number
							 : v > c->fact.number;
		if (c->fact.kind != FACT_EQUAL && (v < 0 || v > INT32_MAX || c->fact.number < 0)) {
			return 0; /* the result depends on the unknown signedness */
		}
		bool jumps = holds != (c->on & 1);
		if (jumps != taken_stays) {
			return k + below;
		}
	}
	return 0;
}

static uint32_t trips_of(struct trips *t)
{
	const struct isa_loop *l = &t->l->v[t->loop];
	for (size_t i = 0; i < l->blocks; i++) {
		uint32_t block = l->block[i];
		for (uint32_t k = t->b->v[block].from; k < t->b->v[block].to; k++) {
			struct counter c = {.block = block};
			if (t->l->of[block] == t->loop && reads_step(&c, &t->f->insn.v[k]) &&
				is_compared(&c, t) && !comes_to(t, t->head, block) &&
				count_writes(t, c.reg) == 1 && find_start(&c.start, t, c.reg)) {
				return count(t, &c);
			}
		}
	}
	return 0;
}

static bool has_call(const struct trips *t)
{
	const struct isa_loop *l = &t->l->v[t->loop];
	for (size_t i = 0; i < l->blocks; i++) {
		for (uint32_t k = t->b->v[l->block[i]].from; k < t->b->v[l->block[i]].to; k++) {
			if (isa_is_call(t->f->insn.v[k].mnemonic)) {
				return true;
			}
		}
	}
	return false;
}

uint32_t *isa_trips_find(struct arena *a, const struct isa_function *f, const struct isa_blocks *b,
	const struct isa_loops *l, struct isa_values *vs)
{
	uint32_t *out = ARENA_ARRAY(a, uint32_t, l->n);
	struct trips t = {.f = f,
		.b = b,
		.l = l,
		.vs = vs,
		.seen = ARENA_ARRAY(a, bool, b->n),
		.stack = ARENA_ARRAY(a, uint32_t, b->n + 1)};
	isa_registers_begin(&t.fresh, vs);
	for (uint32_t i = 0; i < l->n; i++) {
		t.loop = i;
		t.head = l->v[i].head[0];
		out[i] = l->v[i].heads == 1 && find_exit(&t) && !has_call(&t) ? trips_of(&t) : 0;
	}
	return out;
}
