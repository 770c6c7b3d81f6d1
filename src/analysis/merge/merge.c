#include "analysis/merge/merge.h"

#include <stdlib.h>
#include "analysis/merge/arm.h"
#include "analysis/merge/carriers.h"
#include "analysis/merge/guarded.h"

struct finder {
	struct carrier_search at;
	ARRAY(struct merge) found;
	ARRAY(struct merge) exits;
	ARRAY(struct merge) guarded;
	ARRAY(struct merge) silent;
};

static bool has_constant_condition(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_IF:
		return n->child[KT_IF_COND]->flags & KT_F_VALUE;
	case KT_SWITCH:
		return n->child[KT_SWITCH_COND]->flags & KT_F_VALUE;
	default:
		return n->child[KT_COND_COND]->flags & KT_F_VALUE;
	}
}

/* The else-if of a chain: it belongs to the chain's head. */
static bool is_else_if(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return n->kind == KT_IF && up && up->kind == KT_IF && up->child[KT_IF_ELSE] == n &&
	       !(up->flags & KT_F_CONSTEXPR) && !has_constant_condition(up);
}

/* Is n a whole statement of its parent, and not an expression in it? */
static bool is_statement(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	switch (up ? up->kind : KT_NONE) {
	case KT_COMPOUND:
	case KT_DEFAULT:
		return true;
	case KT_IF:
		return n->slot == KT_IF_THEN || n->slot == KT_IF_ELSE;
	case KT_CASE:
		return n->slot == KT_CASE_STMT;
	default:
		return up && kt_loop_body(up) == n;
	}
}

const struct kt_node *merge_discarded(const struct kt_node *cond)
{
	const struct kt_node *n = cond;
	while (n->parent && n->parent->kind == KT_CAST && n->parent->text == NULL &&
		n->parent->n == 1) {
		n = n->parent;
	}
	return is_statement(n) ? n : NULL;
}

/* Is n an arm of a ?: with a discarded value? Then it belongs to that merge. */
static bool is_question_arm(const struct kt_node *n)
{
	while (n->kind == KT_COND && n->parent && n->parent->kind == KT_COND &&
		n->slot != KT_COND_COND) {
		n = n->parent;
		if (merge_discarded(n)) {
			return true;
		}
	}
	return false;
}

static bool branches(const struct kt_node *n, enum merge_kind *kind)
{
	switch (n->kind) {
	case KT_IF:
		*kind = MERGE_IF;
		return !(n->flags & KT_F_CONSTEXPR);
	case KT_SWITCH:
		*kind = MERGE_SWITCH;
		return true;
	case KT_COND:
		*kind = MERGE_COND;
		return true;
	default:
		return false;
	}
}

static unsigned loop_depth(const struct kt_node *n)
{
	unsigned depth = 0;
	for (n = n->parent; n; n = n->parent) {
		depth += kt_is_loop(n->kind);
	}
	return depth;
}

/* Does another loop around the merge's loop carry the widest carrier, too? Then the results are in
 * two kinds of registers because of that loop's phi, with or without the merge (doc/shapes.md). */
static bool goes_round(struct finder *s, const struct merge *m)
{
	struct counted_loop c;
	unsigned loops = 0;

	for (const struct kt_node *n = m->node->parent; n; n = n->parent) {
		loops += kt_is_loop(n->kind) && !loop_is_counted(&c, s->at.f, n);
		if (loops > 1 && kt_is_loop(n->kind) &&
			liveness_exposed(s->at.live, kt_loop_body(n), m->carrier[0].loc)) {
			return true;
		}
	}
	return false;
}

/* The only arm with matrix operations of a switch, or of a chain after its first if; else NULL. */
static const struct arm *isolated(struct finder *s, const struct merge *m)
{
	const struct arm *found = NULL;

	if (m->kind != MERGE_IF && m->kind != MERGE_SWITCH) {
		return NULL;
	}
	for (size_t i = 0; i < m->arms; i++) {
		if (arm_holds_matrix(s->at.f, &m->arm[i])) {
			if (found) {
				return NULL;
			}
			found = &m->arm[i];
		}
	}
	bool part = m->kind == MERGE_IF && found->owner == m->node;
	return part ? NULL : found;
}

/* Finds the carriers that two arms write. If none of them is wide and an arm has matrix operations:
 * those that one arm writes. Guarded ifs in a row are left out: a rewrite made them of a merge. */
static void find_carriers(struct finder *s, struct merge *m)
{
	enum {
		WIDE = 16
	};
	const struct kt_node *by = m->kind == MERGE_EXIT ? merge_leaves(m) : NULL;
	bool matrix = false, breaks = by && by->kind == KT_BREAK;

	if (m->arms >= 2 && !breaks) {
		carriers_find(&s->at, m);
	}
	bool guards = guard_next(s->at.u, m->node) || guard_before(s->at.u, m->node);
	bool may = ((m->kind == MERGE_IF || m->kind == MERGE_SWITCH) && !guards) ||
		   (by && (breaks || by->kind == KT_CONTINUE));
	if (!may || m->silent || !m->depth || (m->carriers && m->carrier[0].width >= WIDE)) {
		return;
	}
	for (size_t i = 0; i < m->arms && !matrix; i++) {
		matrix = arm_holds_matrix(s->at.f, &m->arm[i]);
	}
	struct merge one = *m;
	one.one_armed = matrix;
	one.crossing = one.chained = one.phis = 0;
	if (matrix) {
		carriers_find(&s->at, &one);
	}
	bool wide = matrix && one.carriers && one.carrier[0].width >= WIDE;
	bool passed = m->arms == 1 || m->kind == MERGE_EXIT;
	if (wide && !(passed && goes_round(s, &one))) {
		*m = one;
		m->isolates = isolated(s, m);
	}
}

/* Adds an if of one arm that leaves: the code after it is the other arm. */
static void find_exit(struct finder *s, const struct merge *of)
{
	struct merge m = {.kind = MERGE_EXIT, .fn = of->fn, .node = of->node, .depth = of->depth};
	if (of->kind == MERGE_IF && of->arms == 1) {
		arms_find(&m, s->at.f, s->at.a);
	}
	if (m.arms) {
		find_carriers(s, &m);
	}
	/* arms without a carrier do not meet after a break or a returned value */
	const struct kt_node *by = m.arms ? merge_leaves(&m) : NULL;
	if (by && (m.carriers || (by->kind != KT_BREAK && by->n == 0))) {
		array_push(&s->exits, m);
	}
}

/* Adds the row of guarded ifs that begins with this one. */
static void find_guarded(struct finder *s, const struct merge *of)
{
	struct merge m = {
		.kind = MERGE_GUARDED, .fn = of->fn, .node = of->node, .depth = of->depth};
	if (of->node->kind != KT_IF || guard_before(s->at.u, of->node)) {
		return;
	}
	arms_find(&m, s->at.f, s->at.a);
	if (m.arms >= 2) {
		carriers_find(&s->at, &m);
		array_push(&s->guarded, m);
	}
}

static void find_in_function(struct finder *s, kt_id fn)
{
	const struct kt_node *body = s->at.u->fn[fn].body;
	s->at.fn = fn;
	s->at.live = NULL;
	s->at.reads_known = false;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		struct merge m = {.fn = fn, .node = n};
		if (!branches(n, &m.kind)) {
			continue;
		}
		m.silent = has_constant_condition(n) || is_else_if(n);
		if (!s->at.live) {
			s->at.live = liveness_of(s->at.f, fn);
		}
		arms_find(&m, s->at.f, s->at.a);
		m.depth = loop_depth(n);
		find_carriers(s, &m);
		find_guarded(s, &m);
		if (m.silent) {
			array_push(&s->silent, m);
			continue;
		}
		if (m.kind == MERGE_COND && (merge_discarded(n) || is_question_arm(n))) {
			if (merge_discarded(n)) {
				array_push(&s->exits, m);
			}
			continue;
		}
		array_push(&s->found, m);
		find_exit(s, &m);
	}
}

/* In the order of the walk, the merge around another is the one before it, or one around that. */
static void link_outer(struct merge_list *l)
{
	for (size_t i = 1; i < l->n; i++) {
		const struct merge *up = &l->v[i - 1];
		while (up && !kt_is_below(l->v[i].node, up->node)) {
			up = up->outer;
		}
		l->v[i].outer = up;
	}
}

static int by_address(const void *x, const void *y)
{
	uintptr_t a = (uintptr_t)(*(const struct merge *const *)x)->node;
	uintptr_t b = (uintptr_t)(*(const struct merge *const *)y)->node;
	return (a > b) - (a < b);
}

static int by_place(const void *x, const void *y)
{
	const struct kt_node *a = (*(const struct merge *const *)x)->node;
	const struct kt_node *b = (*(const struct merge *const *)y)->node;
	if (a->file != b->file) {
		return a->file < b->file ? -1 : 1;
	}
	if (a->begin != b->begin) {
		return a->begin < b->begin ? -1 : 1;
	}
	return (a->end > b->end) - (a->end < b->end);
}

/* Sets widest of all instances of one text. */
static void note_widest(struct merge **v, size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		unsigned widest = 0;
		for (next = i; next < n && by_place(&v[i], &v[next]) == 0; next++) {
			bool counts = v[next]->carriers && !v[next]->silent;
			unsigned width = counts ? v[next]->carrier[0].width : 0;
			widest = width > widest ? width : widest;
		}
		for (size_t k = i; k < next; k++) {
			v[k]->widest = widest;
		}
	}
}

static void index_merges(struct merge_list *l, struct arena *a)
{
	size_t n = l->n + l->silents;
	struct merge **v = ARENA_ARRAY(a, struct merge *, n);
	for (size_t i = 0; i < n; i++) {
		v[i] = i < l->n ? &l->v[i] : &l->silent[i - l->n];
	}
	l->by_node = arena_memdup(a, v, l->n * sizeof(*v));
	if (n) {
		qsort(v, n, sizeof(*v), by_place);
		note_widest(v, n);
		qsort(l->by_node, l->n, sizeof(*v), by_address);
	}
}

const struct merge *merge_at(const struct merge_list *l, const struct kt_node *n)
{
	size_t lo = 0, hi = l->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if ((uintptr_t)l->by_node[mid]->node < (uintptr_t)n) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < l->n && l->by_node[lo]->node == n ? l->by_node[lo] : NULL;
}

const struct merge *merge_below(const struct merge_list *l, const struct kt_node *n)
{
	const struct merge *m = merge_at(l, n), *last = l->v + l->n;
	if (m) {
		return m + 1 != last && kt_is_below(m[1].node, n) ? m + 1 : NULL;
	}
	for (const struct kt_node *k = kt_next(n, n); k && !m; k = kt_next(k, n)) {
		m = merge_at(l, k);
	}
	return m;
}

bool merge_carries(const struct merge *m, loc_id loc)
{
	for (size_t i = 0; i < m->carriers; i++) {
		if (m->carrier[i].loc == loc) {
			return true;
		}
	}
	return false;
}

void merges_find(struct merge_list *out, struct facts *f, struct arena *a)
{
	struct finder s = {.at = {.f = f, .u = facts_unit(f), .a = a}};
	const struct kt_unit *u = s.at.u;
	for (kt_id fn = 1; fn < u->fns; fn++) {
		const struct kt_fn *k = &u->fn[fn];
		if (k->body && k->kind != KT_FN_HOST && !k->in_system_header) {
			find_in_function(&s, fn);
		}
	}
	array_move(out->v, out->n, a, &s.found);
	array_move(out->exit, out->exits, a, &s.exits);
	array_move(out->guarded, out->guardeds, a, &s.guarded);
	array_move(out->silent, out->silents, a, &s.silent);
	array_release(&s.at.reads);
	index_merges(out, a);
	link_outer(out);
}
