#include "analysis/arms/match.h"

#include <stdlib.h>
#include "analysis/pair/pair.h"
#include "base/array.h"

/* ---- suffixes ---- */

/* One attempt at a suffix of given length. */
struct attempt {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	const struct match_arm *arm;
	size_t arms;
	size_t tail;
	struct pairing *pair; /* arms - 1 of them; arm i's is pair[i - 1] */
	size_t *first_hole;   /* [(i - 1) * (tail + 1) + k]: holes of arm i before statement k */
	struct pair differs;
	size_t compared;
	unsigned retries; /* left */
};

static const struct kt_node *tail_stmt(const struct attempt *t, size_t arm, size_t k)
{
	return t->arm[arm].stmt[t->arm[arm].n - t->tail + k];
}

/* Unifies statement by statement; the index of the first that differs, or tail. */
static size_t unify_statements(struct attempt *t)
{
	for (size_t k = 0; k < t->tail; k++) {
		for (size_t i = 1; i < t->arms; i++) {
			struct pairing *p = &t->pair[i - 1];
			t->first_hole[(i - 1) * (t->tail + 1) + k] = p->holes.n;
			if (!pair_unify(p, tail_stmt(t, 0, k), tail_stmt(t, i, k), true)) {
				t->differs = p->differs;
				return k;
			}
			t->first_hole[(i - 1) * (t->tail + 1) + k + 1] = p->holes.n;
		}
	}
	return t->tail;
}

/* The node in arm i's statement that stands where n does in arm 0's. */
static const struct kt_node *counterpart(
	const struct kt_node *n, const struct kt_node *stmt, const struct kt_node *other)
{
	if (n == stmt) {
		return other;
	}
	const struct kt_node *up = counterpart(n->parent, stmt, other);
	return up && n->slot < up->n ? up->child[n->slot] : NULL;
}

static int by_place(const void *x, const void *y)
{
	const struct hole *a = x, *b = y;
	return a->expr[0]->begin < b->expr[0]->begin ? -1 : a->expr[0]->begin > b->expr[0]->begin;
}

/* The holes that arms other than 0 have in statement k, the outermost of nested ones. */
static void outermost(struct attempt *t, size_t k, pair_array *out)
{
	for (size_t i = 1; i < t->arms; i++) {
		struct pairing *p = &t->pair[i - 1];
		const size_t *first = &t->first_hole[(i - 1) * (t->tail + 1) + k];
		for (size_t h = first[0]; h < first[1]; h++) {
			const struct kt_node *x = p->holes.v[h].x;
			bool inside = false;
			size_t kept = 0;
			for (size_t e = 0; e < out->n; e++) {
				inside |= kt_is_below(x, out->v[e].x);
			}
			for (size_t e = 0; e < out->n && !inside; e++) {
				if (!kt_is_below(out->v[e].x, x)) {
					out->v[kept++] = out->v[e];
				}
			}
			if (!inside) {
				out->n = kept;
				array_push(out, p->holes.v[h]);
			}
		}
	}
}

typedef ARRAY(struct hole) hole_array;

/* Is hole x all of a loop's header that arm 0 has for all arms? */
static bool is_silent(struct attempt *t, const struct hole *hole)
{
	const struct kt_node *loop = hole->expr[0]->parent;
	for (size_t i = 1; i < t->arms; i++) {
		if (!pair_is_header(loop, hole->expr[0]->slot) || !hole->expr[i] ||
			!pair_same_trips(&t->pair[i - 1], loop, hole->expr[i]->parent)) {
			return false;
		}
	}
	return true;
}

/* silent: where the arms differ only in words. */
static bool join_holes(struct attempt *t, size_t k, hole_array *all, hole_array *silent)
{
	pair_array found = {0};
	bool ok = true;
	outermost(t, k, &found);
	for (size_t h = 0; h < found.n && ok; h++) {
		const struct kt_node *x = found.v[h].x;
		struct hole hole = {.expr = ARENA_ARRAY(t->a, const struct kt_node *, t->arms)};
		hole.expr[0] = x;
		for (size_t i = 1; i < t->arms; i++) {
			hole.expr[i] = counterpart(x, tail_stmt(t, 0, k), tail_stmt(t, i, k));
		}
		if (is_silent(t, &hole)) {
			array_push(silent, hole);
			continue;
		}
		bool step = pair_is_header(x->parent, x->slot) && x->slot == KT_FOR_INC;
		for (size_t i = 1; i < t->arms && ok; i++) {
			const struct kt_node *y = hole.expr[i];
			ok = y && !step &&
			     (pair_can_be_hole(&t->pair[i - 1], x, y, false) ||
				     pair_can_be_choice(&t->pair[i - 1], x, y));
			t->differs = ok ? t->differs : (struct pair){x, y};
		}
		array_push(all, hole);
	}
	array_release(&found);
	return ok;
}

static bool verify_tokens(
	struct attempt *t, size_t k, const struct hole *v, size_t n, const hole_array *silent)
{
	size_t holes = n + silent->n;
	struct hole *hole = ARENA_ARRAY(t->a, struct hole, holes);
	for (size_t h = 0; h < holes; h++) {
		hole[h] = h < n ? v[h] : silent->v[h - n];
	}
	if (holes) {
		qsort(hole, holes, sizeof(*hole), by_place);
	}

	struct span *x = ARENA_ARRAY(t->a, struct span, holes);
	struct span *y = ARENA_ARRAY(t->a, struct span, holes);
	for (size_t i = 1; i < t->arms; i++) {
		for (size_t h = 0; h < holes; h++) {
			x[h] = (struct span){hole[h].expr[0]->begin, hole[h].expr[0]->end};
			y[h] = (struct span){hole[h].expr[i]->begin, hole[h].expr[i]->end};
		}
		if (!pair_same_spelling(&t->pair[i - 1], tail_stmt(t, 0, k), x, tail_stmt(t, i, k),
			    y, holes, false)) {
			t->differs = (struct pair){tail_stmt(t, 0, k), tail_stmt(t, i, k)};
			return false;
		}
	}
	return true;
}

/* Words of statement k, outside its holes, that no node stands for and that an arm's head declares.
 */
static bool names_hidden(struct attempt *t, size_t k, const struct match_names *heads,
	const struct hole *hole, size_t holes)
{
	const struct kt_node *stmt = tail_stmt(t, 0, k);
	size_t at = stmt->begin;
	struct str word;
	for (size_t h = 0; h <= holes; h++) {
		size_t end = h < holes ? hole[h].expr[0]->begin : stmt->end;
		if (match_hidden_use(t->f, stmt, at, end, heads, &word)) {
			t->differs = (struct pair){stmt, stmt};
			return true;
		}
		at = h < holes ? hole[h].expr[0]->end : end;
	}
	return false;
}

/* Holes that a macro has of one argument, named twice: one text, which must be one expression. */
static bool shared_arguments_agree(struct attempt *t, const struct hole *hole, size_t n)
{
	for (size_t h = 1; h < n; h++) {
		const struct hole *x = &hole[h - 1], *y = &hole[h];
		bool apart = x->expr[0]->end <= y->expr[0]->begin;
		for (size_t i = 0; i < t->arms && !apart; i++) {
			if (x->expr[i]->begin != y->expr[i]->begin ||
				x->expr[i]->end != y->expr[i]->end ||
				!pair_equal(t->f, x->expr[i], y->expr[i])) {
				t->differs = (struct pair){x->expr[0], y->expr[0]};
				return false;
			}
		}
	}
	return true;
}

static void find_equal_holes(struct attempt *t, struct hole *hole, size_t n)
{
	for (size_t h = 0; h < n; h++) {
		hole[h].same = h;
		for (size_t e = 0; e < h; e++) {
			bool equal = hole[e].same == e;
			for (size_t i = 0; i < t->arms && equal; i++) {
				equal = pair_equal(t->f, hole[e].expr[i], hole[h].expr[i]);
			}
			if (equal) {
				hole[h].same = e;
				break;
			}
		}
	}
}

/* Holes of all statements, checked against the text; the first statement that fails, or tail. */
static size_t check_holes(struct attempt *t, struct match *out)
{
	hole_array all = {0}, silent = {0};
	struct match_names heads = {0};
	for (size_t i = 0; i < t->arms; i++) {
		struct match_names names;
		match_declared(&names, t->f, t->a, t->arm[i].stmt, t->arm[i].n - t->tail);
		const char **v = ARENA_ARRAY(t->a, const char *, heads.n + names.n);
		for (size_t k = 0; k < heads.n + names.n; k++) {
			v[k] = k < heads.n ? heads.v[k] : names.v[k - heads.n];
		}
		heads = (struct match_names){v, heads.n + names.n};
	}
	size_t k = 0;
	for (; k < t->tail; k++) {
		size_t first = all.n;
		silent.n = 0;
		if (!join_holes(t, k, &all, &silent)) {
			break;
		}
		size_t n = all.n - first;
		if (n) {
			qsort(all.v + first, n, sizeof(*all.v), by_place);
		}
		const struct hole *hole = n ? all.v + first : NULL;
		if (!shared_arguments_agree(t, hole, n) || !verify_tokens(t, k, hole, n, &silent) ||
			names_hidden(t, k, &heads, hole, n)) {
			break;
		}
	}
	if (k == t->tail) {
		out->hole = array_to_arena(t->a, &all);
		out->holes = all.n;
		find_equal_holes(t, out->hole, out->holes);
	}
	array_release(&all);
	array_release(&silent);
	return k;
}

/* Is the suffix of this length a match? Else the statement (from its start) that is not. */
static size_t try_tail(struct attempt *t, struct match *out)
{
	for (size_t i = 0; i + 1 < t->arms; i++) {
		t->pair[i] = (struct pairing){.f = t->f, .u = t->u};
	}
	size_t k = unify_statements(t);
	if (k == t->tail) {
		k = check_holes(t, out);
		t->retries -= k < t->tail;
	}
	for (size_t i = 0; i + 1 < t->arms; i++) {
		t->compared += t->pair[i].compared;
		pairing_release(&t->pair[i]);
	}
	return k;
}

void match_tail(struct match *out, struct facts *f, struct arena *a, const struct match_arm *arm,
	size_t arms, size_t max)
{
	struct attempt t = {
		.f = f, .u = facts_unit(f), .a = a, .arm = arm, .arms = arms, .tail = max};
	*out = (struct match){0};
	for (size_t i = 0; i < arms; i++) {
		t.tail = arm[i].n < t.tail ? arm[i].n : t.tail;
	}
	t.pair = ARENA_ARRAY(a, struct pairing, arms - 1);
	t.first_hole = ARENA_ARRAY(a, size_t, (arms - 1) * (t.tail + 1));
	t.retries = MATCH_RETRIES + 1;
	while (t.tail > 0) {
		size_t bad = try_tail(&t, out);
		if (bad == t.tail) {
			break;
		}
		/* what stands before the difference belongs to the heads, and with it its locals */
		t.tail -= t.retries > 0 ? bad + 1 : t.tail;
	}
	out->tail = t.tail;
	out->compared = t.compared;
	out->differs[0] = t.differs.x;
	out->differs[1] = t.differs.y;
}

const struct kt_type *match_hole_type(struct facts *f, const struct hole *hole, size_t arms)
{
	struct kt_unit *u = facts_unit(f);
	const struct kt_node *e = hole->expr[pair_typed(f, hole->expr, arms)];
	kt_id passed = kt_is_array(u, e) ? kt_param_of(u, e) : 0;
	return passed ? &u->type[u->sym[passed].type] : kt_type_of(u, e);
}

bool match_declares(const struct match_arm *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->stmt[i]->kind == KT_DECL) {
			return true;
		}
	}
	return false;
}
