#include "analysis/merge/ends.h"

#include "analysis/facts/liveness.h"
#include "base/array.h"
#include "base/map.h"

enum {
	CALLS_MAX = 16,	   /* nested calls that are followed */
	NODES_MAX = 20000, /* nodes that are looked at for one pair of arms */
	TIMES_MAX = 512	   /* unrolled iterations */
};

/* The comparison of two arms from their ends back. */
struct tails {
	struct facts *f;
	struct uniformity *u;
	struct kt_unit *unit;
	struct arena *a;
	const struct kt_node *arm;	  /* the first arm */
	ARRAY(struct counted_loop) loops; /* loops around the node, in the first arm */
	struct map args;		  /* in the first arm: parameter -> argument */
	struct ends *found;
	unsigned times;
	unsigned calls;
	unsigned nodes;
	bool ended; /* the arms differ here */
};

static void statements(struct tails *t, const struct kt_node *x, const struct kt_node *y);

/* Have both the same operations, with any names? If operands differ, the compiler makes phis of
 * them. */
static bool same_form(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	if (!x || !y || ++t->nodes > NODES_MAX) {
		return !x && !y;
	}
	bool same = x->kind == y->kind && x->op == y->op && x->n == y->n &&
		    (x->kind != KT_CALL || x->fn == y->fn) && x->kind != KT_EXPR_UNKNOWN;

	for (size_t i = 0; same && i < x->n; i++) {
		same = same_form(t, x->child[i], y->child[i]);
	}
	return same;
}

static bool is_private(struct tails *t, const struct kt_node *place)
{
	struct locset at = {0};

	facts_lvalue(&at, t->f, t->a, place);
	for (size_t i = 0; i < at.n; i++) {
		if (facts_is_private(t->f, at.v[i])) {
			return true;
		}
	}
	return at.n == 0;
}

/* Does the value depend on a variable, which is neither a constant nor in memory? */
static bool is_made(struct tails *t, const struct kt_node *value)
{
	for (const struct kt_node *n = value; n; n = kt_next(n, value)) {
		if (n->kind == KT_REF && n->sym && !(n->flags & KT_F_VALUE) &&
			t->unit->sym[n->sym].space == KT_PRIVATE) {
			return true;
		}
	}
	return false;
}

/* ---- indices ---- */

struct search {
	struct tails *t;
	const struct kt_node *index;	  /* of the store */
	ARRAY(struct counted_loop) loops; /* loops around the node */
	struct map args;		  /* parameter -> argument */
	unsigned calls;
};

static void bind_arguments(struct map *args, const struct kt_fn *fn, const struct kt_node *call)
{
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;

	for (size_t i = 0; i < fn->params && i + first < call->n; i++) {
		map_set_u64(args, fn->param[i], (uintptr_t)call->child[i + first]);
	}
}

/* The argument of the parameter that n names; n if it names none. */
static const struct kt_node *argument_of(const struct map *args, const struct kt_node *n)
{
	for (unsigned i = 0; n && n->kind == KT_REF && n->sym && i < CALLS_MAX; i++) {
		uintptr_t to = map_get_u64(args, n->sym, 0);
		if (!to) {
			break;
		}
		n = (const struct kt_node *)to;
	}
	return n;
}

static const struct counted_loop *loop_of(const struct counted_loop *v, size_t n, kt_id sym)
{
	for (size_t i = 0; i < n; i++) {
		if (v[i].var == sym) {
			return &v[i];
		}
	}
	return NULL;
}

/* Do both indices take the same values over all iterations of the loops around them? */
static bool same_index(struct search *s, const struct kt_node *x, const struct kt_node *y)
{
	x = argument_of(&s->t->args, x);
	y = argument_of(&s->args, y);
	if (!x || !y || ++s->t->nodes > NODES_MAX) {
		return !x && !y;
	}
	if (x->flags & KT_F_VALUE || y->flags & KT_F_VALUE) {
		return x->flags & y->flags & KT_F_VALUE && x->value == y->value;
	}
	bool same = x->kind == y->kind && x->op == y->op && x->n == y->n && x->fn == y->fn;

	if (same && x->kind == KT_REF && x->sym != y->sym) {
		const struct counted_loop *a = loop_of(s->t->loops.v, s->t->loops.n, x->sym);
		const struct counted_loop *b = loop_of(s->loops.v, s->loops.n, y->sym);
		same = a && b && a->first == b->first && a->last == b->last;
	}
	for (size_t i = 0; same && i < x->n; i++) {
		same = same_index(s, x->child[i], y->child[i]);
	}
	return same;
}

static bool is_loaded(struct search *s, const struct kt_node *n);

/* The same for the body of the function that n calls. */
static bool is_loaded_in_call(struct search *s, const struct kt_node *n)
{
	const struct kt_fn *fn = n->kind == KT_CALL && n->fn ? &s->t->unit->fn[n->fn] : NULL;

	if (!fn || !fn->body || fn->in_system_header || s->calls == CALLS_MAX) {
		return false;
	}
	s->calls++;
	bind_arguments(&s->args, fn, n);
	bool found = is_loaded(s, fn->body);
	s->calls--;
	return found;
}

/* Does n read memory at the index of the search? */
static bool is_loaded(struct search *s, const struct kt_node *n)
{
	struct counted_loop loop;
	size_t loops = s->loops.n;

	if (!n || ++s->t->nodes > NODES_MAX) {
		return false;
	}
	bool stored = n->parent && n->parent->kind == KT_ASSIGN && n->parent->child[0] == n;
	if (n->kind == KT_INDEX && !stored && same_index(s, s->index, n->child[1]) &&
		!is_private(s->t, n)) {
		return true;
	}
	if (n->kind == KT_FOR && loop_is_counted(&loop, s->t->f, n)) {
		array_push(&s->loops, loop);
	}
	bool found = is_loaded_in_call(s, n);
	for (size_t i = 0; !found && i < n->n; i++) {
		found = is_loaded(s, n->child[i]);
	}
	s->loops.n = loops;
	return found;
}

/* Does the store have a 32-bit index per lane that the arm has used for a load before? (A pointer
 * that is calculated before leaves only an offset; from clang 19 on LLVM takes the constant part
 * out of 64-bit indices.) */
static bool is_index_kept(struct tails *t, const struct kt_node *store)
{
	const struct kt_node *index = store->kind == KT_INDEX ? store->child[1] : NULL;

	if (!index || index->flags & KT_F_VALUE || kt_type_width(kt_type_of(t->unit, index)) != 1 ||
		uniformity_expr(t->u, index, NULL)) {
		return false;
	}
	struct search s = {.t = t, .index = index};
	bool kept = is_loaded(&s, t->arm);

	array_release(&s.loops);
	map_release(&s.args);
	return kept;
}

/* ---- statements, from the end back ---- */

static void store(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_node *to = x->child[0], *value = x->child[1];

	t->ended = x->op != KT_OP_NONE || !kt_is_access(to) || is_private(t, to) ||
		   is_private(t, y->child[0]) || !same_form(t, x, y);
	if (t->ended || !is_made(t, value)) {
		return;
	}
	t->found->values += t->times * kt_type_width(kt_type_of(t->unit, to));
	if (is_index_kept(t, to)) {
		t->found->indices += t->times;
	}
}

/* Follows calls of one function text, with the same or other template arguments. */
static void call(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_fn *fx = x->fn ? &t->unit->fn[x->fn] : NULL;
	const struct kt_fn *fy = y->fn ? &t->unit->fn[y->fn] : NULL;

	t->ended = !fx || !fy || !fx->body || !fy->body || fx->in_system_header ||
		   fx->file != fy->file || fx->begin != fy->begin || t->calls == CALLS_MAX;
	if (!t->ended) {
		t->calls++;
		bind_arguments(&t->args, fx, x);
		statements(t, fx->body, fy->body);
		t->calls--;
	}
}

static void loop(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	struct counted_loop cx, cy;
	unsigned times = t->times;

	if (!loop_is_counted(&cx, t->f, x) || !loop_is_counted(&cy, t->f, y) ||
		cx.first != cy.first || cx.last != cy.last || cx.last <= cx.first ||
		cx.last - cx.first > TIMES_MAX / times) {
		t->ended = true;
		return;
	}
	array_push(&t->loops, cx);
	t->times *= (unsigned)(cx.last - cx.first);
	statements(t, x->child[KT_FOR_BODY], y->child[KT_FOR_BODY]);
	t->times = times;
	t->loops.n--;
}

/* The arm that runs, if n is an if on a constant; else n. */
static const struct kt_node *past_constants(const struct kt_node *n)
{
	while (n && n->kind == KT_IF && !n->child[KT_IF_INIT] && !n->child[KT_IF_VAR] &&
		n->child[KT_IF_COND]->flags & KT_F_VALUE) {
		n = n->child[n->child[KT_IF_COND]->value ? KT_IF_THEN : KT_IF_ELSE];
	}
	return n;
}

static bool is_nothing(const struct kt_node *n)
{
	return !n || n->kind == KT_EMPTY || (n->kind == KT_COMPOUND && n->n == 0);
}

/* Compares both lists from their ends back, without empty statements. */
static void list(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	size_t i = x->n, k = y->n;

	while (!t->ended) {
		while (i > 0 && is_nothing(past_constants(x->child[i - 1]))) {
			i--;
		}
		while (k > 0 && is_nothing(past_constants(y->child[k - 1]))) {
			k--;
		}
		if (i == 0 || k == 0) {
			break;
		}
		statements(t, x->child[--i], y->child[--k]);
	}
	t->ended |= i > 0 || k > 0;
}

static unsigned least(unsigned x, unsigned y)
{
	return x < y ? x : y;
}

/* Compares the then arms with each other, and the else arms. */
static void if_else(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	struct ends *out = t->found, both[2] = {{0}, {0}};

	for (int i = 0; i < 2; i++) {
		t->found = &both[i];
		t->ended = false;
		statements(t, x->child[i ? KT_IF_ELSE : KT_IF_THEN],
			y->child[i ? KT_IF_ELSE : KT_IF_THEN]);
	}
	t->found = out;
	t->ended = true;
	out->values += least(both[0].values, both[1].values);
	out->indices += least(both[0].indices, both[1].indices);
}

static void statements(struct tails *t, const struct kt_node *x, const struct kt_node *y)
{
	x = past_constants(x);
	y = past_constants(y);
	t->ended |= !x || !y || x->kind != y->kind || ++t->nodes > NODES_MAX;
	if (t->ended) {
		return;
	}
	switch (x->kind) {
	case KT_COMPOUND:
		list(t, x, y);
		break;
	case KT_FOR:
		loop(t, x, y);
		break;
	case KT_CALL:
		call(t, x, y);
		break;
	case KT_ASSIGN:
		store(t, x, y);
		break;
	case KT_IF:
		if_else(t, x, y);
		break;
	case KT_DECL: /* a value that both calculate for a store */
		t->ended = !same_form(t, x, y);
		break;
	default:
		t->ended = true;
		break;
	}
}

void ends_find(struct ends *out, struct facts *f, struct uniformity *u, struct arena *a,
	const struct kt_node *x, const struct kt_node *y)
{
	struct tails t = {
		.f = f, .u = u, .unit = facts_unit(f), .a = a, .arm = x, .found = out, .times = 1};

	*out = (struct ends){0};
	statements(&t, x, y);
	array_release(&t.loops);
	map_release(&t.args);
}
