/* The alignment of lists of statements: matches, their order, and the gaps between them. */
#include "analysis/arms/overlay_job.h"

#include <string.h>

/* The number of statements that an alignment looks ahead. */
enum {
	OVERLAY_WINDOW = 6
};

bool overlay_match_statements(struct job *j, const struct match_arm *list, const size_t *k)
{
	const struct kt_node **x = ARENA_ARRAY(j->a, const struct kt_node *, j->arms);
	if (k[0] >= list[0].n) {
		return false;
	}
	x[0] = list[0].stmt[k[0]];
	for (size_t i = j->first; i < j->last; i++) {
		if (k[i] >= list[i].n) {
			return false;
		}
		x[i] = list[i].stmt[k[i]];
	}
	struct mark m = overlay_mark(j);
	if (overlay_unify(j, x, true) && overlay_same_spelling(j, x, m.covered)) {
		j->covered.n = m.covered;
		return true;
	}
	overlay_undo(j, m);
	return false;
}

/* The same for only arms 0 and i, without changing the job. */
static bool would_match(
	struct job *j, const struct match_arm *list, size_t arm, size_t at0, size_t at)
{
	size_t first = j->first, last = j->last;
	struct pair differs = j->differs;
	size_t *k = ARENA_ARRAY(j->a, size_t, j->arms);
	k[0] = at0;
	k[arm] = at;
	j->first = arm;
	j->last = arm + 1;
	struct mark m = overlay_mark(j);
	bool ok = overlay_match_statements(j, list, k);
	if (ok) {
		overlay_undo(j, m);
	}
	j->first = first;
	j->last = last;
	j->differs = differs;
	return ok;
}

/* Does n name a variable that the declaration declares? */
static bool uses_declared(const struct kt_node *n, const struct kt_node *declaration)
{
	for (size_t i = 0; declaration->kind == KT_DECL && i < declaration->n; i++) {
		for (const struct kt_node *r = n; r; r = kt_next(r, n)) {
			if (kt_names(r, declaration->child[i]->sym)) {
				return true;
			}
		}
	}
	return declaration->kind == KT_DECL && declaration->n == 0;
}

bool overlay_independent(struct facts *f, struct arena *a, const struct kt_node *before,
	const struct kt_node *later, const char **why)
{
	struct fx x = facts_effects(f, before), y = facts_effects(f, later);
	const unsigned fixed = FX_EXIT | FX_LABEL;
	if (why) {
		*why = NULL;
	}
	return !((x.flags | y.flags) & fixed) && !uses_declared(later, before) &&
	       !facts_conflict(f, a, &x, &y, why);
}

static bool independent(struct job *j, const struct kt_node *before, const struct kt_node *later)
{
	return overlay_independent(j->f, j->a, before, later, NULL);
}

/* The index at or after `at` of arm 0's statement at0 in arm i, if it may come first and the
 * statements before it also occur later in arm 0; else SIZE_MAX. */
static size_t find_later(
	struct job *j, const struct match_arm *list, size_t arm, size_t at0, size_t at)
{
	bool passed = false;
	for (size_t d = 1; d <= OVERLAY_WINDOW && at0 + d < list[0].n; d++) {
		passed |= would_match(j, list, arm, at0 + d, at);
	}
	for (size_t d = 1; passed && d <= OVERLAY_WINDOW && at + d < list[arm].n; d++) {
		bool free = true;
		for (size_t k = at; k < at + d && free; k++) {
			free = independent(j, list[arm].stmt[k], list[arm].stmt[at + d]);
		}
		if (free && would_match(j, list, arm, at0, at + d)) {
			return at + d;
		}
	}
	return SIZE_MAX;
}

/* Moves statement from of a list, which is the alignment's own, up or down to at. */
static void move(const struct match_arm *list, size_t from, size_t at)
{
	const struct kt_node **v = (const struct kt_node **)(uintptr_t)list->stmt;
	const struct kt_node *moved = v[from];
	if (at < from) {
		memmove(v + at + 1, v + at, (from - at) * sizeof(*v));
	} else {
		memmove(v + from, v + from + 1, (at - from) * sizeof(*v));
	}
	v[at] = moved;
}

static const char *declared_name(const struct job *j, const struct kt_node *n)
{
	return n->kind == KT_DECL && n->n == 1 && n->child[0]->sym
		       ? j->u->sym[n->child[0]->sym].name
		       : NULL;
}

/* Do the arms declare the same names, but in another order? */
static bool names_cross(struct job *j, const struct match_arm *list, const size_t *k)
{
	for (size_t i = j->first; i < j->last && k[0] < list[0].n; i++) {
		const char *x = declared_name(j, list[0].stmt[k[0]]);
		const char *y = k[i] < list[i].n ? declared_name(j, list[i].stmt[k[i]]) : NULL;
		if (!x || !y || strcmp(x, y) == 0) {
			continue;
		}
		for (size_t d = 1; d <= OVERLAY_WINDOW && k[i] + d < list[i].n; d++) {
			const char *z = declared_name(j, list[i].stmt[k[i] + d]);
			if (z && strcmp(x, z) == 0) {
				return true;
			}
		}
	}
	return false;
}

/* The index in arm i of its declaration of the name that arm 0 declares next, if it may come
 * first. */
static size_t find_named(
	struct job *j, const struct match_arm *list, size_t arm, size_t at0, size_t at)
{
	const char *name = declared_name(j, list[0].stmt[at0]);
	for (size_t d = 0; d <= OVERLAY_WINDOW && at + d < list[arm].n; d++) {
		const char *own = declared_name(j, list[arm].stmt[at + d]);
		bool found = own && strcmp(own, name) == 0;
		for (size_t k = at; k < at + d && found; k++) {
			found = independent(j, list[arm].stmt[k], list[arm].stmt[at + d]);
		}
		if (found && would_match(j, list, arm, at0, at + d)) {
			return at + d;
		}
	}
	return SIZE_MAX;
}

/* Brings arm 0's next statement to the front of every arm, if the arms have it in another order. */
static bool reorder(struct job *j, const struct match_arm *list, const size_t *k, bool named)
{
	size_t *from = ARENA_ARRAY(j->a, size_t, j->arms);
	for (size_t i = j->first; i < j->last; i++) {
		if (k[0] >= list[0].n || k[i] >= list[i].n) {
			return false;
		}
		if (named) {
			from[i] = find_named(j, list, i, k[0], k[i]);
		} else if (would_match(j, list, i, k[0], k[i])) {
			from[i] = k[i];
		} else {
			from[i] = find_later(j, list, i, k[0], k[i]);
		}
		if (from[i] == SIZE_MAX) {
			return false;
		}
	}
	for (size_t i = j->first; i < j->last; i++) {
		move(&list[i], from[i], k[i]);
	}
	if (overlay_match_statements(j, list, k)) {
		return true;
	}
	for (size_t i = j->first; i < j->last; i++) {
		move(&list[i], k[i], from[i]);
	}
	return false;
}

/* The nearest statements that match after k, into next; the ends of the lists if none do. */
static void find_next(struct job *j, const struct match_arm *list, const size_t *k, size_t *next)
{
	size_t most = 2 * OVERLAY_WINDOW;
	for (size_t sum = 1; sum <= most; sum++) {
		for (size_t d0 = sum > OVERLAY_WINDOW ? sum - OVERLAY_WINDOW : 0;
			d0 <= sum && d0 <= OVERLAY_WINDOW && k[0] + d0 < list[0].n; d0++) {
			bool all = true;
			next[0] = k[0] + d0;
			for (size_t i = j->first; i < j->last && all; i++) {
				size_t limit = j->last - j->first == 1 ? sum - d0 : OVERLAY_WINDOW;
				size_t d = j->last - j->first == 1 ? sum - d0 : 0;
				for (all = false; d <= limit && !all; d++) {
					next[i] = k[i] + d;
					all = next[i] < list[i].n &&
					      would_match(j, list, i, next[0], next[i]);
				}
			}
			struct mark m = overlay_mark(j);
			if (all && overlay_match_statements(j, list, next)) {
				overlay_undo(j, m);
				return;
			}
		}
	}
	next[0] = list[0].n;
	for (size_t i = j->first; i < j->last; i++) {
		next[i] = list[i].n;
	}
}

/* The place of a gap before statement next of a list. */
static size_t gap_place(const struct match_arm *list, size_t next)
{
	return next < list->n ? list->stmt[next]->begin : list->stmt[list->n - 1]->end;
}

void overlay_add_gap(
	struct job *j, const struct match_arm *list, const size_t *k, const size_t *next)
{
	struct overlay_diff d = {.kind = OVERLAY_GAP,
		.part = ARENA_ARRAY(j->a, struct match_arm, j->arms),
		.list = list[0],
		.next = next[0]};
	d.differs[0] = j->differs.x;
	d.differs[1] = j->differs.y;
	d.part[0] = (struct match_arm){list[0].stmt + k[0], next[0] - k[0]};
	for (size_t i = j->first; i < j->last; i++) {
		d.part[i] = (struct match_arm){list[i].stmt + k[i], next[i] - k[i]};
	}
	d.after = ARENA_ARRAY(j->a, size_t, j->arms);
	d.after[0] = gap_place(&list[0], next[0]);
	for (size_t i = j->first; i < j->last; i++) {
		d.after[i] = gap_place(&list[i], next[i]);
	}
	array_push(&j->diffs, d);
}

static bool at_end(const struct job *j, const struct match_arm *list, const size_t *k)
{
	bool end = k[0] == list[0].n;
	for (size_t i = j->first; i < j->last; i++) {
		end &= k[i] == list[i].n;
	}
	return end;
}

bool overlay_align(
	struct job *j, const struct match_arm *given, size_t *common, const struct kt_node ***top)
{
	struct match_arm *list = arena_memdup(j->a, given, j->arms * sizeof(*list));
	size_t *k = ARENA_ARRAY(j->a, size_t, j->arms);
	size_t *next = ARENA_ARRAY(j->a, size_t, j->arms);
	for (size_t i = j->first; i < j->last; i++) {
		list[i].stmt = arena_memdup(j->a, list[i].stmt, list[i].n * sizeof(*list[i].stmt));
	}
	while (!at_end(j, list, k)) {
		j->differs = (struct pair){0};
		if (overlay_match_initialization(j, list, k)) {
			(*common)++;
			continue;
		}
		bool named = names_cross(j, list, k) && reorder(j, list, k, true);
		if (named || overlay_match_statements(j, list, k) || reorder(j, list, k, false)) {
			for (size_t i = 0; top && i < j->arms; i++) {
				top[i][*common] = list[i].stmt[k[i]];
			}
			k[0]++;
			for (size_t i = j->first; i < j->last; i++) {
				k[i]++;
			}
			(*common)++;
			continue;
		}
		if (overlay_match_guarded(j, list, k)) {
			(*common)++;
			continue;
		}
		find_next(j, list, k, next);
		overlay_add_gap(j, list, k, next);
		memcpy(k, next, j->arms * sizeof(*k));
	}
	return true;
}
