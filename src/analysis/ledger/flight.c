/* Values that are live but take no registers, and the registers of loads in flight. */
#include <string.h>

#include "analysis/ledger/solver.h"

void solver_find_free(struct solver *s)
{
	bits now = bits_new(s);
	bits last = NULL;

	s->free_at = ARENA_ARRAY(s->a, bits, s->t->item.n + 1);
	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		bool changed = false;
		if (at->kind == TRACE_CLEAR || at->kind == TRACE_KILL || at->kind == TRACE_WRITE) {
			bool on = at->kind == TRACE_CLEAR;
			changed = on != bit_get(now, at->var);
			bit_set(now, at->var, on);
		} else if ((at->kind == TRACE_LOOP && !at->unrolled) || at->kind == TRACE_IF) {
			memset(now, 0, s->words * sizeof(uint64_t));
			changed = true;
		}
		if (changed || !last) {
			last = bits_copy(s, now);
		}
		s->free_at[i] = last;
	}
}

/* Registers of the arrays that the loop at item i fills: they held constants before it, or are
 * declared in it. */
static uint32_t growing_in(struct solver *s, uint32_t i)
{
	uint32_t sum = 0, end = item(s, i)->end;
	bits made = bits_new(s), counted = bits_new(s);

	for (size_t w = 0; w < s->words; w++) {
		made[w] = s->free_at[i][w];
	}
	for (uint32_t k = i; k < end; k++) {
		const struct trace_item *in = item(s, k);
		if (in->kind == TRACE_CLEAR) {
			bit_set(made, in->var, true);
		}
		if (in->kind == TRACE_WRITE && bit_get(made, in->var) &&
			!bit_get(counted, in->var) && !bit_get(s->streamed, in->var)) {
			bit_set(counted, in->var, true);
			sum += s->t->var.v[in->var].pub.width;
		}
	}
	return sum;
}

/* Registers of the loads in flight in an arm: half of its loads, and of global memory at most
 * GLOBAL_MOST. (Elsewhere the scheduler issues all loads early.) In tests/merges compilers had
 * between none and all in flight. *off: the likely error. */
static uint32_t under_way_in_arm(uint32_t *off, uint32_t loads, uint32_t lds)
{
	enum {
		GLOBAL_MOST = 40 /* registers */
	};
	uint32_t half = (loads + 1) / 2, most = GLOBAL_MOST + (lds + 1) / 2;

	half = half < most ? half : most;
	*off = half / 2;
	return half;
}

/* By item: is it in an arm, outside of any loop in the arm that is not unrolled? */
static void find_arms(struct solver *s)
{
	enum {
		NEST = 512
	};
	uint32_t arms[NEST] = {0}, depth = 0;

	s->arms = ARENA_ARRAY(s->a, bool, s->t->item.n + 1);
	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		bool loop = !at->unrolled && depth + 1 < NEST;
		if (at->kind == TRACE_LOOP && loop) {
			arms[++depth] = 0;
		} else if (at->kind == TRACE_LOOP_END && loop && depth > 0) {
			depth--;
		}
		arms[depth] += at->kind == TRACE_IF;
		arms[depth] -= at->kind == TRACE_IF_END;
		s->arms[i] = arms[depth] > 0;
	}
}

/* Distributes the loads of unrolled loops over the items at which they may be in flight. A load
 * into an array that the loop fills takes the array's own registers, so it counts once. */
void solver_find_flight(struct solver *s)
{
	s->flight = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	s->guessed = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	s->addresses = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	s->kept_at = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);
	find_arms(s);
	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		for (uint32_t k = i; at->kind == TRACE_LOOP && at->kept && k < at->end; k++) {
			s->kept_at[k] += at->kept;
		}
		/* half of them, as for the loads in an arm */
		for (uint32_t k = i; at->kind == TRACE_LOOP && at->addresses && k < at->end; k++) {
			s->addresses[k] += at->addresses / 2;
		}
		/* a streamed array is complete where it is loaded */
		bool ahead = at->kind == TRACE_LOOP && at->own_var &&
			     bit_get(s->streamed, at->own_var - 1);
		uint32_t loads = at->in_flight + (ahead ? at->own : 0);
		if (at->kind != TRACE_LOOP || loads == 0) {
			continue;
		}
		uint32_t growing = growing_in(s, i);
		uint32_t more = loads > growing ? loads - growing : 0;
		uint32_t off, in_arm = under_way_in_arm(&off, more, at->lds);
		for (uint32_t k = i; k < at->end; k++) {
			uint32_t here = s->arms[k] ? in_arm : more;
			s->guessed[k] = here <= s->flight[k] ? s->guessed[k] : s->arms[k] ? off : 0;
			s->flight[k] = here > s->flight[k] ? here : s->flight[k];
		}
	}
}

/* The state of an array while its items are visited in order. */
struct stream {
	uint32_t first, last; /* the first and last item that names it */
	uint32_t loop; /* the outermost unrolled loop around the last mention, or the item itself */
	bool seen;
	bool read_only; /* that loop reads it and does not write it */
	bool broken;
};

/* Finds arrays that straight-line code fills, changes and consumes element by element: the
 * scheduler need not hold such an array as a whole. An array that a later pass reads again must be
 * held as a whole. */
void solver_find_streams(struct solver *s)
{
	enum {
		NEST = 512,
	};
	struct stream *v = ARENA_ARRAY(s->a, struct stream, s->t->var.n);
	uint32_t open[NEST], depth = 0, block = 0;

	for (uint32_t i = 0; i < s->t->item.n; i++) {
		const struct trace_item *at = item(s, i);
		if ((at->kind == TRACE_LOOP || at->kind == TRACE_LOOP_END)
				? !at->unrolled
				: at->kind == TRACE_IF || at->kind == TRACE_ARM ||
					  at->kind == TRACE_IF_END) {
			block = i;
		}
		if (at->kind == TRACE_LOOP && at->unrolled && depth < NEST) {
			open[depth++] = i;
		} else if (at->kind == TRACE_LOOP_END && at->unrolled && depth) {
			depth--;
		}
		bool read = at->kind == TRACE_READ;
		bool write = at->kind == TRACE_WRITE || at->kind == TRACE_KILL ||
			     at->kind == TRACE_CLEAR;
		if (!read && !write) {
			continue;
		}
		struct stream *e = &v[at->var];
		if (!e->seen) {
			*e = (struct stream){
				.first = i, .loop = i, .seen = true, .read_only = true};
			e->broken = read || at->kind == TRACE_WRITE;
		}
		uint32_t here = i; /* the outermost loop since its declaration */
		for (uint32_t d = 0; d < depth && here == i; d++) {
			here = open[d] > e->first ? open[d] : i;
		}
		if (here != e->loop) {
			e->broken |= e->read_only;
			e->read_only = true;
			e->loop = here;
		}
		e->read_only = e->read_only && read;
		e->broken |= e->first < block;
		e->last = i;
	}
	for (uint32_t k = 0; k < s->t->var.n; k++) {
		const struct ledger_var *pub = &s->t->var.v[k].pub;
		bool array = pub->sym && pub->decl &&
			     kt_object_type(s->t->unit, s->t->unit->sym[pub->sym].type)->kind ==
				     KT_T_ARRAY;
		if (!v[k].seen || v[k].broken || !array || pub->width < WIDE) {
			continue;
		}
		bit_set(s->streamed, k, true);
	}
}
