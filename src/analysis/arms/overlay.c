#include "analysis/arms/overlay_job.h"

#include <stdlib.h>

void overlay_open(struct job *j, struct facts *f, struct arena *a, size_t arms)
{
	*j = (struct job){.f = f,
		.u = facts_unit(f),
		.a = a,
		.arms = arms,
		.first = 1,
		.last = arms,
		.pair = ARENA_ARRAY(a, struct pairing, arms - 1),
		.compared_max = SIZE_MAX};
	for (size_t i = 0; i + 1 < arms; i++) {
		j->pair[i] = (struct pairing){.f = f, .u = j->u};
	}
}

void overlay_close(struct job *j)
{
	for (size_t i = 0; i + 1 < j->arms; i++) {
		pairing_release(&j->pair[i]);
	}
	array_release(&j->diffs);
	array_release(&j->covered);
	array_release(&j->bindings);
}

struct mark overlay_mark(const struct job *j)
{
	return (struct mark){j->diffs.n, j->covered.n, j->bindings.n};
}

void overlay_undo(struct job *j, struct mark m)
{
	while (j->bindings.n > m.bindings) {
		const struct binding *b = &j->bindings.v[--j->bindings.n];
		map_set_u64(&j->pair[b->arm - 1].to, b->base, 0);
		map_set_u64(&j->pair[b->arm - 1].from, b->own, 0);
	}
	j->diffs.n = m.diffs;
	j->covered.n = m.covered;
}

/* ---- trees ---- */

static nodes children(struct job *j, nodes x, size_t slot)
{
	const struct kt_node **v = ARENA_ARRAY(j->a, const struct kt_node *, j->arms);
	v[0] = x[0]->child[slot];
	for (size_t i = j->first; i < j->last; i++) {
		v[i] = x[i]->child[slot];
	}
	return v;
}

static void cover_nodes(struct job *j, nodes x, size_t inset)
{
	struct covered c = {.at = ARENA_ARRAY(j->a, struct span, j->arms)};
	c.at[0] = (struct span){x[0]->begin + inset, x[0]->end - inset};
	for (size_t i = j->first; i < j->last; i++) {
		c.at[i] = (struct span){x[i]->begin + inset, x[i]->end - inset};
	}
	array_push(&j->covered, c);
}

bool overlay_is_list(const struct job *j, const struct kt_node *n)
{
	struct str t = j->u->file[n->file].text;
	bool in_switch = n->parent && n->parent->kind == KT_SWITCH;
	if (n->kind != KT_COMPOUND || n->flags & KT_F_MACRO || in_switch || n->begin >= t.n ||
		t.p[n->begin] != '{') {
		return false;
	}
	size_t at = n->begin + 1;
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *s = n->child[i];
		if (s->file != n->file || s->begin < at || lex_skip_space(t, at) != s->begin ||
			s->end + 1 > n->end) {
			return false;
		}
		at = s->end;
	}
	return n->n > 0 && lex_skip_space(t, at) == n->end - 1;
}

static bool unify_list(struct job *j, nodes x)
{
	struct match_arm *list = ARENA_ARRAY(j->a, struct match_arm, j->arms);
	size_t covered = j->covered.n;
	size_t common = 0;
	list[0] = (struct match_arm){(nodes)x[0]->child, x[0]->n};
	for (size_t i = j->first; i < j->last; i++) {
		list[i] = (struct match_arm){(nodes)x[i]->child, x[i]->n};
	}
	if (!overlay_align(j, list, &common, NULL) || common == 0) {
		return false;
	}
	j->covered.n = covered;
	cover_nodes(j, x, 1);
	return true;
}

static bool all_lists(const struct job *j, nodes x)
{
	bool list = !j->holes_only && overlay_is_list(j, x[0]);
	for (size_t i = j->first; i < j->last && list; i++) {
		list = overlay_is_list(j, x[i]);
	}
	return list;
}

static bool bind(struct job *j, nodes x)
{
	for (size_t i = j->first; i < j->last; i++) {
		if (!pair_bind(&j->pair[i - 1], x[0], x[i])) {
			return false;
		}
		array_push(&j->bindings, (struct binding){i, x[0]->sym, x[i]->sym});
	}
	return true;
}

/* Loops over the same values may be spelled differently: arm 0's header is used. */
static bool unify_header(struct job *j, nodes x, size_t slot, struct mark m)
{
	for (size_t i = j->first; i < j->last; i++) {
		if (!pair_is_header(x[0], slot) || !pair_same_trips(&j->pair[i - 1], x[0], x[i])) {
			return false;
		}
	}
	overlay_undo(j, m);
	j->differs = (struct pair){0};
	cover_nodes(j, children(j, x, slot), 0);
	return true;
}

static bool unify_children(struct job *j, nodes x, bool place)
{
	for (size_t slot = 0; slot < x[0]->n; slot++) {
		nodes c = children(j, x, slot);
		bool absent = !c[0];
		for (size_t i = j->first; i < j->last; i++) {
			if (absent != !c[i]) {
				return false;
			}
		}
		size_t before = j->diffs.n;
		struct mark m = overlay_mark(j);
		bool at = pair_child_is_place(&j->pair[j->first - 1], x[0], slot, place);
		bool alike = absent || overlay_unify(j, c, at);
		if (!absent && (!alike || j->diffs.n > before) && unify_header(j, x, slot, m)) {
			continue;
		}
		if (!alike) {
			return false;
		}
		if (j->diffs.n > before && pair_child_is_fixed(x[0], slot)) {
			return false;
		}
	}
	return true;
}

static bool unify_parts(struct job *j, nodes x, bool place)
{
	size_t before = j->diffs.n;
	if (all_lists(j, x)) {
		return unify_list(j, x);
	}
	for (size_t i = j->first; i < j->last; i++) {
		if (!pair_same_node(&j->pair[i - 1], x[0], x[i])) {
			return false;
		}
	}
	/* an initializer may name its own variable: bind first */
	if ((x[0]->kind == KT_VAR && !bind(j, x)) || !unify_children(j, x, place)) {
		return false;
	}
	for (size_t i = j->first; i < j->last && j->diffs.n > before; i++) {
		if (pair_breaks_constant(&j->pair[i - 1], x[0], x[i])) {
			return false;
		}
	}
	return true;
}

/* In a chain of ?: three number types would be converted in pairs, and so twice. Assigning each to
 * a variable converts it once. */
static bool at_most_two_types(const struct job *j, nodes x)
{
	const struct kt_type *a = kt_type_of(j->u, x[0]);
	const struct kt_type *b = NULL;
	for (size_t i = j->first; i < j->last; i++) {
		const struct kt_type *t = kt_type_of(j->u, x[i]);
		if (!pair_same_bare_type(a, t)) {
			if (b && !pair_same_bare_type(b, t)) {
				return false;
			}
			b = t;
		}
	}
	return true;
}

static bool can_be_hole(struct job *j, nodes x, bool place)
{
	for (size_t i = j->first; i < j->last; i++) {
		struct pairing *p = &j->pair[i - 1];
		if (!pair_can_be_hole(p, x[0], x[i], place) && !pair_can_be_choice(p, x[0], x[i])) {
			return false;
		}
	}
	return j->holes_only || at_most_two_types(j, x);
}

static void add_hole(struct job *j, nodes x)
{
	const struct overlay_diff d = {
		.kind = OVERLAY_HOLE, .expr = arena_memdup(j->a, x, j->arms * sizeof(*x))};
	array_push(&j->diffs, d);
	cover_nodes(j, x, 0);
}

static bool plain_arithmetic(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_BINARY:
		return n->op != KT_OP_LAND && n->op != KT_OP_LOR && n->op != KT_OP_COMMA &&
		       n->op != KT_OP_DIV && n->op != KT_OP_REM && n->op != KT_OP_OTHER;
	case KT_UNARY:
		return n->op == KT_OP_NEG || n->op == KT_OP_PLUS || n->op == KT_OP_NOT;
	case KT_CAST:
		return n->n == 1;
	default:
		return false;
	}
}

/* Is there only arithmetic around the holes below n, among the differences from first? Counts these
 * holes. */
static bool only_joins_holes(
	const struct job *j, const struct kt_node *n, size_t first, size_t *holes)
{
	for (size_t h = first; h < j->diffs.n; h++) {
		const struct overlay_diff *d = &j->diffs.v[h];
		if (d->kind == OVERLAY_HOLE && d->expr[0] == n) {
			(*holes)++;
			return true;
		}
	}
	bool plain = n->kind == KT_LITERAL || plain_arithmetic(n);
	for (size_t i = 0; plain && n->kind != KT_LITERAL && i < n->n; i++) {
		plain = only_joins_holes(j, n->child[i], first, holes);
	}
	return plain; /* other kinds may have a different number of children, such as calls */
}

/* `n & 3` and `s & 7` are better as one hole than as two: it has the same operands. For floats that
 * could separate a multiply from an add. */
static bool join_is_better(struct job *j, nodes x, bool place, size_t first)
{
	size_t holes = 0;
	bool better = kt_type_of(j->u, x[0])->kind == KT_T_INT && plain_arithmetic(x[0]) &&
		      only_joins_holes(j, x[0], first, &holes) && holes > 1;
	for (size_t i = j->first; i < j->last && better; i++) {
		better = pair_can_be_hole(&j->pair[i - 1], x[0], x[i], place);
	}
	return better;
}

void overlay_add_guard(
	struct job *j, const struct kt_node *guard, bool negated, const struct match_arm *part)
{
	const struct overlay_diff d = {.kind = OVERLAY_GUARD,
		.guard = guard,
		.negated = negated,
		.part = arena_memdup(j->a, part, j->arms * sizeof(*part))};
	array_push(&j->diffs, d);
}

bool overlay_can_guard(const struct job *j, const struct kt_node *cond)
{
	return !(cond->flags & KT_F_MACRO) && kt_type_of(j->u, cond)->kind != KT_T_RECORD;
}

bool overlay_is_choice(const struct job *j, struct mark m, const struct kt_node *n)
{
	return j->diffs.n > m.diffs && j->diffs.v[m.diffs].kind == OVERLAY_HOLE &&
	       j->diffs.v[m.diffs].expr[0] == n;
}

/* Do the other arms have side slot of arm 0's ?: in its place? */
static bool unify_side(struct job *j, nodes x, size_t slot)
{
	const struct kt_node *side = x[0]->child[slot];
	if (!side || !pair_same_bare_type(kt_type_of(j->u, side), kt_type_of(j->u, x[0]))) {
		return false;
	}
	const struct kt_node **v = arena_memdup(j->a, x, j->arms * sizeof(*v));
	struct match_arm *part = ARENA_ARRAY(j->a, struct match_arm, j->arms);
	v[0] = side;
	for (size_t i = 0; i < j->arms; i++) {
		bool same = i == 0 || i < j->first || i >= j->last ||
			    pair_same_bare_type(kt_type_of(j->u, side), kt_type_of(j->u, x[i]));
		if (!same) {
			return false;
		}
		part[i] = (struct match_arm){&v[i], 1};
	}
	struct mark m = overlay_mark(j);
	if (!overlay_unify(j, v, false) || !overlay_same_spelling(j, v, m.covered)) {
		overlay_undo(j, m);
		return false;
	}
	if (overlay_is_choice(j, m, side)) {
		overlay_undo(j, m);
		return false;
	}
	overlay_add_guard(j, x[0]->child[KT_COND_COND], slot == KT_COND_ELSE, part);
	j->covered.n = m.covered;
	cover_nodes(j, x, 0);
	return true;
}

static bool unify_guarded(struct job *j, nodes x, bool place)
{
	return j->guards && !place && x[0]->kind == KT_COND &&
	       overlay_can_guard(j, x[0]->child[KT_COND_COND]) &&
	       (unify_side(j, x, KT_COND_THEN) || unify_side(j, x, KT_COND_ELSE));
}

bool overlay_unify(struct job *j, nodes x, bool place)
{
	struct mark m = overlay_mark(j);
	if (j->compared >= j->compared_max) {
		return false;
	}
	j->compared++;
	if (unify_parts(j, x, place)) {
		if (join_is_better(j, x, place, m.diffs)) {
			overlay_undo(j, m);
			add_hole(j, x);
		}
		return true;
	}
	overlay_undo(j, m);
	if (unify_guarded(j, x, place)) {
		return true;
	}
	if (!j->differs.x) {
		j->differs = (struct pair){x[0], x[j->first]};
	}
	if (!can_be_hole(j, x, place)) {
		return false;
	}
	j->differs = (struct pair){0};
	add_hole(j, x);
	return true;
}

static int by_place(const void *x, const void *y)
{
	const struct covered *a = x, *b = y;
	return a->at[0].begin < b->at[0].begin ? -1 : a->at[0].begin > b->at[0].begin;
}

/* If a macro uses an argument twice, its text is the same in each arm. */
static bool shared_arguments_agree(const struct job *j, const struct covered *c, size_t n)
{
	for (size_t k = 1; k < n; k++) {
		const struct span *x = c[k - 1].at, *y = c[k].at;
		bool same = x[0].begin == y[0].begin && x[0].end == y[0].end;
		for (size_t i = j->first; i < j->last; i++) {
			same = same && x[i].begin == y[i].begin && x[i].end == y[i].end;
		}
		if (x[0].end > y[0].begin && !same) {
			return false;
		}
	}
	return true;
}

/* Compares the tokens of statements whose trees match. */
bool overlay_same_spelling(struct job *j, nodes x, size_t first)
{
	size_t n = j->covered.n - first;
	struct covered *c = n ? arena_memdup(j->a, j->covered.v + first, n * sizeof(*c)) : NULL;
	struct span *at = ARENA_ARRAY(j->a, struct span, n);
	struct span *other = ARENA_ARRAY(j->a, struct span, n);
	span_sort(c, n, by_place);
	if (!shared_arguments_agree(j, c, n)) {
		return false;
	}
	for (size_t i = j->first; i < j->last; i++) {
		for (size_t k = 0; k < n; k++) {
			at[k] = c[k].at[0];
			other[k] = c[k].at[i];
		}
		if (!pair_same_spelling(
			    &j->pair[i - 1], x[0], at, x[i], other, n, !j->holes_only)) {
			j->differs = j->holes_only ? (struct pair){x[0], x[i]} : j->differs;
			return false;
		}
	}
	return true;
}

static size_t nodes_of(const struct match_arm *arm)
{
	size_t count = 0;
	for (size_t i = 0; i < arm->n; i++) {
		for (const struct kt_node *n = arm->stmt[i]; n; n = kt_next(n, arm->stmt[i])) {
			count++;
		}
	}
	return count;
}

void overlay_arms(struct overlay *out, struct facts *f, struct arena *a,
	const struct match_arm *arm, size_t arms, bool guards)
{
	struct job j;
	*out = (struct overlay){.f = f, .a = a, .arms = arms};
	overlay_open(&j, f, a, arms);
	j.guards = guards;
	j.compared_max = 0;
	out->top = ARENA_ARRAY(a, const struct kt_node **, arms);
	for (size_t i = 0; i < arms; i++) {
		out->top[i] = ARENA_ARRAY(a, const struct kt_node *, arm[i].n);
	}
	for (size_t i = 0; i < arms; i++) {
		j.compared_max += OVERLAY_EFFORT * nodes_of(&arm[i]);
	}
	overlay_align(&j, arm, &out->common, out->top);
	out->compared = j.compared;
	out->diff = array_to_arena(a, &j.diffs);
	out->diffs = j.diffs.n;
	out->pair = ARENA_ARRAY(a, struct overlay_pair *, arms);
	out->pairs = ARENA_ARRAY(a, size_t, arms);
	for (size_t i = 0; i + 1 < arms; i++) {
		out->pair[i] = ARENA_ARRAY(a, struct overlay_pair, j.bindings.n);
	}
	array_each (&j.bindings, struct binding, b) {
		out->pair[b->arm - 1][out->pairs[b->arm - 1]++] =
			(struct overlay_pair){b->base, b->own};
	}
	overlay_close(&j);
}
