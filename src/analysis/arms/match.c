#include "analysis/arms/match.h"

#include <stdlib.h>
#include "analysis/arms/overlay_job.h"

/* The suffixes of one length, matched from their first statement on. */
struct suffix {
	struct job j;
	const struct match_arm *list; /* per arm: its last tail statements */
	size_t tail;
	ARRAY(const char *) heads; /* names declared by the statements before them, in all arms */
};

static int by_place(const void *x, const void *y)
{
	const struct overlay_diff *a = x, *b = y;
	return a->expr[0]->begin < b->expr[0]->begin ? -1 : a->expr[0]->begin > b->expr[0]->begin;
}

/* Does the statement have a word outside its holes without a node, which the head of an arm
 * declares? */
static bool names_hidden(
	struct suffix *t, const struct kt_node *stmt, const struct overlay_diff *hole, size_t holes)
{
	const struct match_names heads = {t->heads.v, t->heads.n};
	size_t at = stmt->begin;
	struct str word;
	for (size_t h = 0; h <= holes; h++) {
		size_t end = h < holes ? hole[h].expr[0]->begin : stmt->end;
		if (match_hidden_use(t->j.f, stmt, at, end, &heads, &word)) {
			return true;
		}
		at = h < holes ? hole[h].expr[0]->end : end;
	}
	return false;
}

/* If a macro uses an argument twice, both holes have one text, so they must have the same
 * expression. */
static bool shared_arguments_agree(struct job *j, const struct overlay_diff *hole, size_t n)
{
	for (size_t h = 1; h < n; h++) {
		const struct kt_node **x = hole[h - 1].expr, **y = hole[h].expr;
		for (size_t i = 0; i < j->arms && x[0]->end > y[0]->begin; i++) {
			if (!pair_equal(j->f, x[i], y[i])) {
				j->differs = (struct pair){x[0], y[0]};
				return false;
			}
		}
	}
	return true;
}

static bool match_statement(struct suffix *t, size_t at)
{
	struct job *j = &t->j;
	size_t *k = ARENA_ARRAY(j->a, size_t, j->arms), first = j->diffs.n;
	const struct kt_node *stmt = t->list[0].stmt[at];
	for (size_t i = 0; i < j->arms; i++) {
		k[i] = at;
	}
	if (!overlay_match_statements(j, t->list, k)) {
		return false;
	}
	size_t n = j->diffs.n - first;
	struct overlay_diff *hole = n ? j->diffs.v + first : NULL;
	span_sort(hole, n, by_place);
	if (!shared_arguments_agree(j, hole, n)) {
		return false;
	}
	if (names_hidden(t, stmt, hole, n)) {
		j->differs = (struct pair){stmt, stmt};
		return false;
	}
	return true;
}

/* For a statement that does not match: the nodes that differ in the first arm with another tree. */
static struct pair find_difference(struct suffix *t, size_t at)
{
	struct job *j = &t->j;
	const struct kt_node **x = ARENA_ARRAY(j->a, const struct kt_node *, j->arms);
	struct pair differs = j->differs;
	bool same = j->arms > 2;
	for (size_t i = 0; i < j->arms; i++) {
		x[i] = t->list[i].stmt[at];
	}
	for (j->first = 1; j->first < j->arms && same; j->first++) {
		struct mark m = overlay_mark(j);
		j->last = j->first + 1;
		j->differs = (struct pair){0};
		same = overlay_unify(j, x, true);
		differs = same ? differs : j->differs;
		overlay_undo(j, m);
	}
	j->first = 1;
	j->last = j->arms;
	return differs;
}

/* An arm without statements has a NULL list. */
static const struct kt_node *const *skip(const struct match_arm *arm, size_t n)
{
	return n ? arm->stmt + n : arm->stmt;
}

/* Starts the next suffix: the statements before it, with their locals, become heads. */
static void begin(struct suffix *t, const struct match_arm *arm, size_t tail)
{
	struct job *j = &t->j;
	struct match_arm *list = ARENA_ARRAY(j->a, struct match_arm, j->arms);
	for (size_t i = 0; i < j->arms; i++) {
		size_t heads = arm[i].n - tail, known = t->list ? arm[i].n - t->tail : 0;
		struct match_names names;
		match_declared(&names, j->f, j->a, skip(&arm[i], known), heads - known);
		for (size_t k = 0; k < names.n; k++) {
			array_push(&t->heads, names.v[k]);
		}
		list[i] = (struct match_arm){skip(&arm[i], heads), tail};
	}
	t->list = list;
	t->tail = tail;
	overlay_undo(j, (struct mark){0});
	j->differs = (struct pair){0};
}

static void find_equal_holes(struct facts *f, struct hole *hole, size_t n, size_t arms)
{
	for (size_t h = 0; h < n; h++) {
		hole[h].same = h;
		for (size_t e = 0; e < h && hole[h].same == h; e++) {
			bool equal = hole[e].same == e;
			for (size_t i = 0; i < arms && equal; i++) {
				equal = pair_equal(f, hole[e].expr[i], hole[h].expr[i]);
			}
			hole[h].same = equal ? e : h;
		}
	}
}

void match_tail(struct match *out, struct facts *f, struct arena *a, const struct match_arm *arm,
	size_t arms, size_t max)
{
	struct suffix t = {.tail = 0};
	for (size_t i = 0; i < arms; i++) {
		max = arm[i].n < max ? arm[i].n : max;
	}
	overlay_open(&t.j, f, a, arms);
	t.j.holes_only = true;
	begin(&t, arm, max);
	struct pair differs = {0};
	for (size_t k = 0; k < t.tail; k++) {
		if (!match_statement(&t, k)) {
			differs = find_difference(&t, k);
			begin(&t, arm, t.tail - k - 1);
			k = SIZE_MAX; /* restart from the first */
		}
	}
	*out = (struct match){.tail = t.tail,
		.hole = ARENA_ARRAY(a, struct hole, t.j.diffs.n),
		.holes = t.j.diffs.n,
		.differs = {differs.x, differs.y},
		.compared = t.j.compared};
	for (size_t h = 0; h < out->holes; h++) {
		out->hole[h].expr = t.j.diffs.v[h].expr;
	}
	find_equal_holes(f, out->hole, out->holes, arms);
	array_release(&t.heads);
	overlay_close(&t.j);
}

const struct kt_type *match_hole_type(struct facts *f, const struct hole *hole, size_t arms)
{
	struct kt_unit *u = facts_unit(f);
	const struct kt_node *e = hole->expr[pair_typed(f, hole->expr, arms)];
	kt_id passed = kt_is_array(u, e) ? kt_param_of(u, e) : 0;
	return passed ? &u->type[u->sym[passed].type] : kt_type_of(u, e);
}
