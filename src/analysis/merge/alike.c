#include "analysis/merge/alike.h"

#include <string.h>
#include "analysis/facts/liveness.h"
#include "analysis/merge/arm.h"
#include "analysis/merge/ends.h"
#include "base/array.h"
#include "base/map.h"

enum {
	CALLS_MAX = 16,	   /* nested calls that are followed */
	NODES_MAX = 20000, /* pairs of nodes that are compared for one merge */
	UNROLL_MAX = 64,
	WIDTH_MOST = 512 /* VGPRs that a wave can have */
};

static const kt_id NOTHING = UINT32_MAX; /* stands for a missing counterpart */

/* A variable that both arms declare, by its symbol in the first arm. */
struct local {
	kt_id sym;
	unsigned width;
	unsigned calls; /* calls around it */
};

typedef ARRAY(struct local) locals;

/* The comparison of two arms from their beginnings on. */
struct alike_walk {
	struct facts *f;
	struct uniformity *u;
	struct kt_unit *unit;
	struct arena *a;
	struct map to; /* symbol of the first arm -> that of the second */
	unsigned calls;
	unsigned nodes;
	int64_t times; /* iterations of the unrolled loops around */
	locals local;
	const struct kt_node *body; /* the first arm, from whole_arm */
	const struct arm *arm;	    /* the first arm */
	const struct kt_node *at;   /* the current statement of the first arm */
	unsigned inner;		    /* VGPRs of the widest common start in an if of both arms */
	int64_t loads;		    /* VGPRs per lane that common loads fill */
	int64_t locals;		    /* VGPRs of the common variables so far */
	int64_t rest;		    /* VGPRs that later code declares, or writes again */
	bool ended;		    /* the arms differ here, or a basic block ends */
};

/* VGPRs that the common start keeps: of the common variables those that loads fill, but no more
 * than the rest of the arm needs registers for. While one arm overwrites its copies, the loaded
 * values are kept for the other. */
static unsigned width_of(const struct alike_walk *t)
{
	int64_t width = t->loads < t->locals ? t->loads : t->locals;

	width = t->rest < width ? t->rest : width;
	width = t->inner > width ? t->inner : width;
	return width < WIDTH_MOST ? (unsigned)width : WIDTH_MOST;
}

static void statement(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y);
static void expression(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y);

static bool same_symbol(const struct alike_walk *t, kt_id x, kt_id y)
{
	return map_get_u64(&t->to, x, x) == y;
}

static void bind(struct alike_walk *t, kt_id x, kt_id y)
{
	bool same = kt_same_type(t->unit, t->unit->sym[x].type, t->unit->sym[y].type);

	map_set_u64(&t->to, x, same ? y : NOTHING);
}

/* Notes that argument i of the call differs between the arms. */
static void differs(struct alike_walk *t, const struct kt_node *call, size_t i)
{
	const struct kt_fn *fn = &t->unit->fn[call->fn];
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;

	if (i < first ? fn->self : i - first < fn->params) {
		map_set_u64(&t->to, i < first ? fn->self : fn->param[i - first], NOTHING);
	}
}

/* Are both instances of one function text? */
static bool same_text(const struct kt_fn *x, const struct kt_fn *y)
{
	return x->body && y->body && x->file == y->file && x->begin == y->begin &&
	       x->params == y->params && strcmp(x->base, y->base) == 0;
}

/* Is the place in memory that other lanes see? */
static bool is_memory(struct alike_walk *t, const struct kt_node *n)
{
	struct locset at = {0};

	facts_lvalue(&at, t->f, t->a, n);
	for (size_t i = 0; i < at.n; i++) {
		if (facts_is_private(t->f, at.v[i])) {
			return false;
		}
	}
	return true;
}

static void count_load(struct alike_walk *t, const struct kt_node *n)
{
	const struct kt_type *type = kt_type_of(t->unit, n);
	bool value = type->kind == KT_T_INT || type->kind == KT_T_FLOAT ||
		     type->kind == KT_T_VECTOR || type->kind == KT_T_RECORD;

	if (value && kt_is_access(n) && is_memory(t, n) && !uniformity_expr(t->u, n, NULL)) {
		t->loads += t->times * kt_type_width(type);
	}
}

static void children(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	for (size_t i = 0; i < x->n && !t->ended; i++) {
		expression(t, x->child[i], y->child[i]);
	}
}

static bool is_wide(const struct alike_walk *t, const struct kt_node *var)
{
	const struct kt_type *type = &t->unit->type[t->unit->sym[var->sym].type];

	return type->kind == KT_T_ARRAY || type->kind == KT_T_VECTOR || type->kind == KT_T_RECORD;
}

/* Adds the common variables that the statement writes again, and those that it declares. */
static void look_at_rest(struct alike_walk *t, const struct kt_node *n)
{
	array_each (&t->local, struct local, l) {
		if (l->calls == t->calls && facts_writes(t->f, n, LOC_VAR(l->sym))) {
			t->rest += l->width;
			l->width = 0;
		}
	}
	for (const struct kt_node *v = n; v; v = kt_next(v, n)) {
		if (v->kind == KT_VAR && is_wide(t, v)) {
			t->rest += kt_type_width(&t->unit->type[t->unit->sym[v->sym].type]);
		}
	}
}

/* Looks at the code from the first difference to the end of the function or of the arm. */
static void look_after(struct alike_walk *t)
{
	if (t->ended && t->at) {
		look_at_rest(t, t->at);
		const struct kt_node *list = t->arm->last ? t->arm->body : NULL;
		for (const struct kt_node *n = t->at; n->parent && n != t->body && n != list;
			n = n->parent) {
			const struct kt_node *up = n->parent;
			size_t end = up == list ? t->arm->last : up->n;
			for (size_t i = n->slot + 1; up->kind == KT_COMPOUND && i < end; i++) {
				look_at_rest(t, up->child[i]);
			}
		}
	}
	while (t->local.n && t->local.v[t->local.n - 1].calls == t->calls && t->calls) {
		t->local.n--;
	}
}

static void call(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_fn *fx = x->fn ? &t->unit->fn[x->fn] : NULL;
	const struct kt_fn *fy = y->fn ? &t->unit->fn[y->fn] : NULL;
	bool inlined =
		fx && fy && same_text(fx, fy) && !fx->in_system_header && !facts_intrinsic(t->f, x);
	size_t first = x->flags & KT_F_METHOD ? 1 : 0;

	if (!inlined) {
		children(t, x, y);
		const struct intrinsic *in = facts_intrinsic(t->f, x);
		bool known = in || (fx && fx->in_system_header);
		t->ended |= x->fn != y->fn || !known ||
			    (x->text && y->text && strcmp(x->text, y->text) != 0) ||
			    facts_acts(t->f, x);
		return;
	}
	if (t->calls == CALLS_MAX) {
		t->ended = true;
		return;
	}
	for (size_t i = 0; i < x->n && i < y->n; i++) {
		int64_t loads = t->loads;
		expression(t, x->child[i], y->child[i]);
		if (t->ended) { /* only uses of this argument differ */
			t->ended = t->nodes > NODES_MAX;
			t->loads = loads;
			differs(t, x, i);
		} else if (i >= first && i - first < fx->params) {
			bind(t, fx->param[i - first], fy->param[i - first]);
		} else if (i == 0 && first && fx->self && fy->self) {
			bind(t, fx->self, fy->self);
		}
	}
	if (t->ended) {
		return;
	}
	const struct kt_node *at = t->at;
	t->calls++;
	statement(t, fx->body, fy->body);
	look_after(t);
	t->calls--;
	t->at = at;
}

/* The place that is written is no load. LLVM also moves equal stores. */
static void assignment(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_node *to = x->child[0];

	expression(t, x->child[1], y->child[1]);
	if (t->ended) {
		return;
	}
	int64_t loads = t->loads;
	expression(t, to, y->child[0]);
	t->loads = x->op == KT_OP_NONE ? loads : t->loads;
}

static void expression(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	if (t->ended || (!x && !y)) {
		return;
	}
	t->ended = !x || !y || ++t->nodes > NODES_MAX;
	if (t->ended) {
		return;
	}
	if (x->flags & KT_F_VALUE || y->flags & KT_F_VALUE) {
		t->ended =
			!(x->flags & KT_F_VALUE && y->flags & KT_F_VALUE) || x->value != y->value;
		return;
	}
	t->ended = x->kind != y->kind || x->op != y->op || x->n != y->n ||
		   !kt_same_type(t->unit, x->type, y->type);
	if (t->ended) {
		return;
	}
	switch (x->kind) {
	case KT_REF:
		t->ended = x->fn != y->fn || !same_symbol(t, x->sym, y->sym);
		break;
	case KT_CALL:
		call(t, x, y);
		break;
	case KT_ASSIGN:
		assignment(t, x, y);
		break;
	case KT_LITERAL:
	case KT_MEMBER:
		t->ended = !x->text || !y->text || strcmp(x->text, y->text) != 0;
		children(t, x, y);
		break;
	case KT_INDEX:
	case KT_UNARY:
	case KT_BINARY:
	case KT_COND:
	case KT_CAST:
	case KT_INIT_LIST:
	case KT_THIS:
	case KT_SIZEOF:
		children(t, x, y);
		break;
	case KT_CONSTRUCT:
		children(t, x, y);
		t->ended |= facts_acts(t->f, x);
		break;
	default:
		t->ended = true;
		break;
	}
	if (!t->ended) {
		count_load(t, x);
	}
}

static void declaration(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_sym *s = &t->unit->sym[x->sym];
	const struct kt_type *type = &t->unit->type[s->type];

	t->ended |= x->n != y->n || s->space != KT_PRIVATE || s->is_static;
	children(t, x, y);
	bind(t, x->sym, y->sym);
	if (!t->ended && type->kind != KT_T_REFERENCE && type->kind != KT_T_POINTER &&
		!type->is_const && kt_type_width(type) <= WIDTH_MOST) {
		unsigned width = kt_type_width(type);
		t->locals += width;
		array_push(&t->local, (struct local){x->sym, width, t->calls});
	}
}

/* A loop that is not unrolled ends the basic block. If the bodies differ, the common start is in
 * the first iteration only. */
static void loop(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	struct counted_loop cx, cy;

	if (x->kind != KT_FOR || !loop_is_counted(&cx, t->f, x) || !loop_is_counted(&cy, t->f, y) ||
		cx.first != cy.first || cx.last != cy.last || cx.last - cx.first > UNROLL_MAX) {
		t->ended = true;
		return;
	}
	int64_t loads = t->loads, times = t->times;
	bind(t, cx.var, cy.var);
	t->times *= cx.last > cx.first ? cx.last - cx.first : 0;
	statement(t, x->child[KT_FOR_BODY], y->child[KT_FOR_BODY]);
	if (t->ended && t->times > times) {
		t->loads = loads + (t->loads - loads) / (t->times / times);
	}
	t->times = times;
}

static const struct kt_node *taken(const struct kt_node *n)
{
	return n->child[n->child[KT_IF_COND]->value ? KT_IF_THEN : KT_IF_ELSE];
}

/* Compares code that both arms run under the same condition, as a common start of its own. */
static void inner(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	struct alike_walk in = *t;

	in.local = (locals){0};
	in.loads = in.locals = in.rest = 0;
	in.body = x;
	in.at = NULL;
	statement(&in, x, y);
	look_after(&in);
	t->to = in.to;
	t->nodes = in.nodes;
	t->inner = width_of(&in);
	array_release(&in.local);
}

static void if_else(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_node *cx = x->child[KT_IF_COND], *cy = y->child[KT_IF_COND];

	if (x->child[KT_IF_INIT] || x->child[KT_IF_VAR]) {
		t->ended = true;
		return;
	}
	if (cx->flags & KT_F_VALUE && cy->flags & KT_F_VALUE) {
		statement(t, taken(x), taken(y));
		return;
	}
	expression(t, cx, cy);
	for (int slot = KT_IF_THEN; !t->ended && slot <= KT_IF_ELSE; slot++) {
		if (x->child[slot] && y->child[slot]) {
			inner(t, x->child[slot], y->child[slot]);
		}
	}
	t->at = x;
	t->ended = true;
}

static void statement(struct alike_walk *t, const struct kt_node *x, const struct kt_node *y)
{
	if (t->ended || (!x && !y)) {
		return;
	}
	t->at = x ? x : t->at;
	t->ended = !x || !y || x->kind != y->kind || ++t->nodes > NODES_MAX || t->times == 0;
	if (t->ended) {
		return;
	}
	switch (x->kind) {
	case KT_COMPOUND:
		for (size_t i = 0; !t->ended && (i < x->n || i < y->n); i++) {
			statement(t, i < x->n ? x->child[i] : NULL, i < y->n ? y->child[i] : NULL);
		}
		break;
	case KT_DECL:
		t->ended = x->n != y->n;
		for (size_t i = 0; !t->ended && i < x->n; i++) {
			declaration(t, x->child[i], y->child[i]);
		}
		break;
	case KT_FOR:
	case KT_RANGE_FOR:
	case KT_WHILE:
	case KT_DO:
		loop(t, x, y);
		break;
	case KT_IF:
		if_else(t, x, y);
		break;
	case KT_EMPTY:
		break;
	default:
		if (kt_is_stmt(x->kind)) {
			t->ended = true;
		} else {
			expression(t, x, y);
		}
		break;
	}
}

/* ---- arms ---- */

typedef ARRAY(struct kt_node *) node_array;

/* Does the statement jump from an arm to the merge? */
static bool is_leaving(const struct merge *m, const struct kt_node *n)
{
	return m->kind == MERGE_SWITCH
		       ? n->kind == KT_BREAK
		       : n->kind == KT_CONTINUE || (n->kind == KT_RETURN && n->n == 0);
}

/* Adds statements [first, last) of a block, and of a block at its end, without a jump at the
 * end. */
static void add_statements(node_array *v, const struct merge *m, const struct kt_node *block,
	size_t first, size_t last)
{
	for (size_t i = first; i < last; i++) {
		struct kt_node *n = block->child[i];
		while (n && (n->kind == KT_CASE || n->kind == KT_DEFAULT)) {
			n = n->child[n->kind == KT_CASE ? KT_CASE_STMT : 0];
		}
		bool end = i + 1 == last || (i + 2 == last && is_leaving(m, block->child[i + 1]));
		if (n && end && n->kind == KT_COMPOUND) {
			add_statements(v, m, n, 0, n->n);
		} else if (n && !is_leaving(m, n)) {
			array_push(v, n);
		}
	}
}

/* The arm as one block. For a part of a block: a copy, which is not the parent of its
 * statements. */
static const struct kt_node *whole_arm(
	struct arena *a, const struct merge *m, const struct arm *arm)
{
	const struct kt_node *body = arm->body;
	node_array v = {0};

	if (m->kind == MERGE_IF || !body || body->kind != KT_COMPOUND) {
		return body;
	}
	add_statements(&v, m, body, arm->first, arm->last ? arm->last : body->n);
	struct kt_node *n = ARENA_NEW(a, struct kt_node);
	*n = *body;
	n->parent = NULL;
	kt_set_children(n, a, v.v, v.n);
	array_release(&v);
	return n;
}

/* VGPRs per lane of the common start of two arms. */
static unsigned alike_in(struct facts *f, struct uniformity *u, struct arena *a,
	const struct arm *arm, const struct kt_node *x, const struct kt_node *y)
{
	struct alike_walk t = {
		.f = f, .u = u, .unit = facts_unit(f), .a = a, .times = 1, .body = x, .arm = arm};

	statement(&t, x, y);
	look_after(&t);
	map_release(&t.to);
	array_release(&t.local);
	return width_of(&t);
}

/* Only values that cross at both ends cost: the loads enter the arms, and the stored results leave
 * them. */
static unsigned both_ways(unsigned begin, const struct ends *e)
{
	return begin < e->values ? begin : e->values;
}

/* Does the statement have a matrix operation outside of loops that are not unrolled? */
static bool is_straight(struct facts *f, const struct kt_node *n, unsigned calls)
{
	const struct kt_unit *u = facts_unit(f);
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(f, n) : NULL;
	const struct kt_node *body = n->kind == KT_CALL && n->fn ? u->fn[n->fn].body : NULL;
	struct counted_loop c;

	if (n->kind == KT_IF && n->child[KT_IF_COND]->flags & KT_F_VALUE) {
		return taken(n) && is_straight(f, taken(n), calls);
	}
	bool stays = kt_is_loop(n->kind) && !loop_is_counted(&c, f, n);
	bool found =
		(in && in->kind == INTRINSIC_MATRIX) ||
		(n->kind == KT_ASM && facts_effects(f, n).flags & FX_MATRIX) ||
		(!in && body && calls < CALLS_MAX && facts_effects(f, body).flags & FX_MATRIX &&
			is_straight(f, body, calls + 1));
	for (size_t i = 0; i < n->n && !found && !stays; i++) {
		found = n->child[i] && is_straight(f, n->child[i], calls);
	}
	return found;
}

static bool arm_is_straight(struct facts *f, const struct arm *arm)
{
	bool found = arm->last == 0 && is_straight(f, arm->body, 0);

	for (size_t i = arm->first; i < arm->last && !found; i++) {
		found = is_straight(f, arm->body->child[i], 0);
	}
	return found;
}

static void look_at(struct merge *m, struct facts *f, struct uniformity *u, struct arena *a)
{
	const struct kt_node *x = NULL; /* the first arm that is not empty */
	const struct arm *first = NULL;
	/* VGPRs that every pair of arms has in common */
	unsigned begin = 0, end = 0, results = 0;
	bool looped = false, straight = false;
	size_t pairs = 0;

	for (size_t k = 0; k < m->arms; k++) {
		const struct kt_node *y = whole_arm(a, m, &m->arm[k]);
		struct ends e;
		if (!y || y->kind == KT_EMPTY || (y->kind == KT_COMPOUND && y->n == 0)) {
			continue;
		}
		if (!x) {
			x = y;
			first = &m->arm[k];
			continue;
		}
		ends_find(&e, f, u, a, x, y);
		unsigned w = e.values ? both_ways(alike_in(f, u, a, first, x, y), &e) : 0;
		begin = pairs == 0 || w < begin ? w : begin;
		end = pairs == 0 || e.indices < end ? e.indices : end;
		bool both = arm_holds_matrix(f, first) && arm_holds_matrix(f, &m->arm[k]);
		looped |= !arm_is_straight(f, first) || !arm_is_straight(f, &m->arm[k]);
		straight |= arm_is_straight(f, first) || arm_is_straight(f, &m->arm[k]);
		unsigned made = both && e.values < WIDTH_MOST ? e.values : 0;
		results = pairs == 0 || made < results ? made : results;
		pairs++;
	}
	m->alike = begin < end ? end : begin;
	m->ends = begin < end;
	if (m->alike < results && !(looped && straight)) {
		m->results = looped ? RESULTS_LOOPED : RESULTS_STRAIGHT;
		m->alike = results;
		m->ends = false;
	}
}

/* May the common code of its arms make it a merge? Only if it has no carrier. */
static bool may_be(const struct merge *m)
{
	return m->kind != MERGE_COND && !m->carriers && m->arms > 1 && !m->fallthrough;
}

void alike_find(struct merge_list *merges, struct facts *f, struct uniformity *u)
{
	struct arena *scratch = arena_create();
	size_t exits = 0;

	for (size_t i = 0; i < merges->n; i++) {
		if (may_be(&merges->v[i])) {
			look_at(&merges->v[i], f, u, scratch);
			arena_clear(scratch);
		}
	}
	for (size_t i = 0; i < merges->exits; i++) {
		if (may_be(&merges->exit[i])) {
			look_at(&merges->exit[i], f, u, scratch);
			arena_clear(scratch);
		}
		if (merges->exit[i].carriers || merges->exit[i].alike) {
			merges->exit[exits++] = merges->exit[i];
		}
	}
	merges->exits = exits;
	arena_free(scratch);
}
