/*
 * Liveness on the trace, backward over loops and arms, and the sum of widths at every point.
 *
 * If arms are alternatives for a whole wave, the back end places them one after the other, and a
 * value that a later arm reads must live through the earlier ones: beside the arm's own result if
 * that arm writes it (the two copies of a chained accumulator). Divergent lanes share a register,
 * so no copy is needed.
 */
#include <string.h>

#include "analysis/ledger/solver.h"

/* Variables that the items overwrite. */
static bits written(const struct solver *s, uint32_t first, uint32_t end)
{
	bits set = bits_new(s);

	for (uint32_t i = first; i < end; i++) {
		const struct trace_item *at = item(s, i);
		if (at->kind == TRACE_WRITE || at->kind == TRACE_KILL || at->kind == TRACE_CLEAR) {
			bit_set(set, at->var, true);
		}
	}
	return set;
}

static unsigned width_of(const struct solver *s, const uint64_t *set)
{
	unsigned sum = 0;

	for (size_t w = 0; w < s->words; w++) {
		for (uint64_t left = set[w]; left; left &= left - 1) {
			sum += s->t->var.v[w * 64 + (size_t)__builtin_ctzll(left)].pub.width;
		}
	}
	return sum;
}

/* Registers of copies. A wave with accumulation VGPRs passes each copied matrix result through one
 * of those and back. */
static unsigned width_of_copies(const struct solver *s, const uint64_t *copies)
{
	bool matrix = false;

	for (size_t w = 0; w < s->words; w++) {
		matrix |= copies[w] & s->matrix[w];
	}
	return width_of(s, copies) + (matrix ? s->passing : 0);
}

static unsigned width_of_matrix(const struct solver *s, const uint64_t *set)
{
	bits both = bits_copy(s, set);

	for (size_t w = 0; w < s->words; w++) {
		both[w] &= s->matrix[w];
	}
	return width_of(s, both);
}

/* The values that the arm changes and later arms need. A value that it does not change, or that an
 * enclosing arm keeps already, is in the same register. alike: the arms may be merged. */
static struct kept kept_in(const struct solver *s, uint32_t arm, const uint64_t *later, bool alike)
{
	bits copies = written(s, arm, item(s, arm)->end);

	for (size_t w = 0; w < s->words; w++) {
		copies[w] &= later[w];
	}
	struct kept k = {.copies = copies, .own = width_of_copies(s, copies)};
	k.alike = alike ? width_of_matrix(s, copies) : 0;
	k.alike += k.alike ? s->passing : 0;
	if (s->kept) {
		bits_add(copies, s->kept->copies, s->words);
		k.alike += s->kept->alike;
		k.passed = s->kept->passed;
	}
	k.width = width_of_copies(s, copies);
	k.passed += s->passing ? width_of_matrix(s, copies) : 0;
	return k;
}

/* In a single arm matrix results need no second copy, but if they pass through accumulation VGPRs
 * they may be in those, too. */
static struct kept passed_in(const struct solver *s, uint32_t arm, const uint64_t *out)
{
	bits results = written(s, arm, item(s, arm)->end);
	struct kept k = {.copies = bits_new(s)};

	for (size_t w = 0; w < s->words; w++) {
		results[w] &= out[w];
	}
	if (s->kept) {
		k = *s->kept;
	}
	k.passed += width_of_matrix(s, results);
	return k;
}

/* The item of the last matrix operation of the arm; 0: it has none. */
static uint32_t last_matrix(const struct solver *s, uint32_t arm)
{
	for (uint32_t i = item(s, arm)->end; i-- > arm;) {
		const struct kt_node *n = item(s, i)->node;
		const struct intrinsic *in =
			item(s, i)->kind == TRACE_POINT && n && n->kind == KT_CALL
				? facts_intrinsic(s->t->f, n)
				: NULL;
		if (in && in->kind == INTRINSIC_MATRIX) {
			return i;
		}
	}
	return 0;
}

/* Bit k: the arm computes argument k of the matrix operation at item i. */
static unsigned made_in(const struct solver *s, uint32_t arm, uint32_t i)
{
	bits made = written(s, arm, item(s, arm)->end);
	const struct kt_node *call = item(s, i)->node, *argument;
	unsigned found = 0;

	while (i-- > arm && (argument = kt_child_around(item(s, i)->node, call)) != NULL) {
		const struct trace_item *at = item(s, i);
		bool operand = at->kind == TRACE_READ && s->t->var.v[at->var].pub.width &&
			       !bit_get(s->matrix, at->var);
		found |= operand && bit_get(made, at->var) ? 1u << argument->slot % 32 : 0;
	}
	return found;
}

/* Bit k: argument k differs. All bits: they are not calls of one function. */
static unsigned differ(const struct kt_unit *u, const struct kt_node *x, const struct kt_node *y)
{
	const char *name = x->fn ? u->fn[x->fn].base : x->text;
	const char *other = y->fn ? u->fn[y->fn].base : y->text;
	unsigned found = 0;

	if (!name || !other || strcmp(name, other) != 0 || x->n != y->n) {
		return ~0u;
	}
	for (size_t i = 0; i < x->n; i++) {
		const struct kt_node *p = x->child[i], *q = y->child[i];
		bool same = p && q &&
			    str_eq(str_sub(u->file[p->file].text, p->begin, p->end),
				    str_sub(u->file[q->file].text, q->begin, q->end));
		found |= same ? 0 : 1u << i % 32;
	}
	return found;
}

/* Do all arms end with the same matrix operation, with at most one operand that differs? Then LLVM
 * may move it past the merge, so that only one accumulator remains (SimplifyCFG.cpp:
 * canSinkInstructions; it is profitable with one phi per instruction). */
static bool end_alike(const struct solver *s, const uint32_t *arm, uint32_t n)
{
	uint32_t first = n ? last_matrix(s, arm[0]) : 0;

	for (uint32_t i = 1; i < n && first; i++) {
		uint32_t last = last_matrix(s, arm[i]);
		if (!last) {
			return false;
		}
		unsigned other = differ(s->t->unit, item(s, first)->node, item(s, last)->node) |
				 made_in(s, arm[0], first) | made_in(s, arm[i], last);
		if (other & (other - 1)) {
			return false;
		}
	}
	return n > 1 && first;
}

static struct ledger_point point_of(
	const struct solver *s, uint32_t i, unsigned held, unsigned more)
{
	const struct kt_node *n = item(s, i)->node;

	return (struct ledger_point){.held = held,
		.in_flight = more,
		.file = n->file,
		.line = kt_line(s->t->unit, n->file, n->begin),
		.node = n};
}

/* set: live before or after item i. */
static void record(struct solver *s, uint32_t i, const uint64_t *set, unsigned held)
{
	struct ledger *l = s->out;
	unsigned sum = held + s->kept_at[i];

	for (size_t w = 0; w < s->words; w++) {
		uint64_t live = set[w] | s->forced[w];
		s->ever[w] |= live;
		live &= ~(s->free_at[i][w] | s->streamed[w] | s->in_memory[w]);
		for (; live; live &= live - 1) {
			sum += s->t->var.v[w * 64 + (size_t)__builtin_ctzll(live)].pub.width;
		}
	}
	unsigned copies = s->kept ? s->kept->width : 0, bare = sum + s->flight[i];
	unsigned most = bare + copies;
	s->wanted[i] = most > s->wanted[i] ? most : s->wanted[i];
	l->bare = bare > l->bare ? bare : l->bare;
	for (const struct inside *in = s->inside; in; in = in->outer) {
		struct ledger_merge *m = in->merge;
		m->inside = bare > m->inside ? bare : m->inside;
		m->with = bare + in->own > m->with ? bare + in->own : m->with;
	}
	sum += copies;
	if (sum > l->least.held) {
		l->least = point_of(s, i, sum, s->flight[i]);
	}
	unsigned extra = most + s->addresses[i] + (s->kept ? s->kept->passed : 0);
	s->most_extra = extra > s->most_extra ? extra : s->most_extra;
	if (most > l->most.held + l->most.in_flight) {
		l->most = point_of(s, i, sum, s->flight[i]);
		l->guessed = s->guessed[i];
		l->alike = s->kept ? s->kept->alike : 0;
		s->best = i;
		s->best_held = held;
		memcpy(s->peak, set, s->words * sizeof(uint64_t));
		bits_add(s->peak, s->forced, s->words);
		for (size_t w = 0; w < s->words; w++) {
			s->peak[w] &= ~(s->free_at[i][w] | s->in_memory[w]);
		}
		memset(s->peak_kept, 0, s->words * sizeof(uint64_t));
		if (s->kept) {
			bits_add(s->peak_kept, s->kept->copies, s->words);
		}
	}
}

/* ---- liveness ---- */

static void live_loop(struct solver *s, uint32_t begin, bits set)
{
	uint32_t end = item(s, begin)->end;
	bits head = bits_copy(s, set), body = bits_copy(s, set);
	bool recording = s->recording;

	/* The effect of an item on the set does not depend on the set: an element that one
	 * iteration does not add is never added. */
	s->recording = false;
	solver_live(s, begin + 1, end, body);
	s->recording = recording;
	bits_add(head, body, s->words);
	memcpy(set, head, s->words * sizeof(uint64_t));
	if (!recording) {
		return;
	}
	solver_live(s, begin + 1, end, head);
	if (!item(s, begin)->unrolled) {
		bits changed = written(s, begin, end);
		for (size_t w = 0; w < s->words; w++) {
			s->carried[w] |= head[w] & changed[w];
			s->constant[w] |= head[w] & ~changed[w];
		}
	}
}

static uint32_t arms_of(const struct solver *s, uint32_t begin, uint32_t *arm, uint32_t max)
{
	uint32_t n = 0;

	for (uint32_t at = begin + 1; item(s, at)->kind == TRACE_ARM && n < max;
		at = item(s, at)->end) {
		arm[n++] = at;
	}
	return n;
}

static struct ledger_merge *asked_merge(const struct solver *s, const struct trace_item *at)
{
	for (size_t i = 0; i < s->merges; i++) {
		if (s->merge[i].node == at->node) {
			return &s->merge[i];
		}
	}
	return NULL;
}

static void live_if(struct solver *s, uint32_t begin, bits set)
{
	enum {
		ARMS_MAX = 256
	};
	uint32_t arm[ARMS_MAX];
	uint32_t n = arms_of(s, begin, arm, ARMS_MAX);
	bits out = bits_copy(s, set);
	bits later = bits_new(s); /* live where later arms begin */
	bits forced = s->forced;
	const struct kept *kept = s->kept;
	bool copies = item(s, begin)->copies;
	bool alike = copies && s->recording && s->merges_alike && end_alike(s, arm, n);
	struct inside in_it = {
		.merge = s->recording ? asked_merge(s, item(s, begin)) : NULL, .outer = s->inside};

	if (in_it.merge) {
		in_it.merge->met = true;
		in_it.merge->uniform |= item(s, begin)->uniform;
		in_it.merge->apart |= !item(s, begin)->uniform;
		in_it.merge->parts |= item(s, begin)->divergent;
		s->inside = &in_it;
	}
	memset(set, 0, s->words * sizeof(uint64_t));
	for (uint32_t i = n; i-- > 0;) {
		bits in = bits_copy(s, out);
		struct kept k;
		if (copies && s->recording) {
			k = kept_in(s, arm[i], later, alike);
			in_it.own = k.own;
			s->forced = bits_copy(s, forced);
			for (size_t w = 0; w < s->words; w++) {
				s->forced[w] |= later[w];
			}
			s->kept = &k;
		} else if (s->passing && s->recording && !item(s, begin)->divergent) {
			k = passed_in(s, arm[i], out);
			s->kept = &k;
		}
		solver_live(s, arm[i] + 1, item(s, arm[i])->end, in);
		s->forced = forced;
		s->kept = kept;
		bits_add(set, in, s->words);
		bits_add(later, in, s->words);
	}
	s->inside = in_it.outer;
}

uint32_t *solver_openers(struct solver *s)
{
	uint32_t *open = ARENA_ARRAY(s->a, uint32_t, s->t->item.n + 1);

	for (uint32_t i = 0; i < s->t->item.n; i++) {
		enum trace_kind k = item(s, i)->kind;
		if (k == TRACE_LOOP || k == TRACE_IF) {
			open[item(s, i)->end] = i;
		}
	}
	return open;
}

void solver_live(struct solver *s, uint32_t first, uint32_t end, bits set)
{
	for (uint32_t i = end; i-- > first;) {
		const struct trace_item *at = item(s, i);
		switch (at->kind) {
		case TRACE_LOOP_END:
			live_loop(s, s->open[i], set);
			i = s->open[i];
			break;
		case TRACE_IF_END:
			live_if(s, s->open[i], set);
			i = s->open[i];
			break;
		case TRACE_READ:
			bit_set(set, at->var, true);
			if (s->recording) {
				record(s, i, set, at->held);
			}
			break;
		case TRACE_WRITE:
		case TRACE_KILL:
		case TRACE_CLEAR:
			if (s->recording) {
				bool dead = !bit_get(set, at->var);
				bit_set(set, at->var, true);
				record(s, i, set, at->held);
				bit_set(set, at->var, !dead);
			}
			if (at->kind != TRACE_WRITE) {
				bit_set(set, at->var, false);
			}
			break;
		case TRACE_POINT:
			if (s->recording) {
				record(s, i, set, at->held);
			}
			break;
		default:
			break;
		}
	}
}
