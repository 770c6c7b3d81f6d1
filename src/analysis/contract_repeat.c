/*
 * May a compiler take a product of the code that moves from an earlier turn of a loop? In an arm it
 * is calculated where that arm runs, beside the add that takes it. Behind the merge, or in a loop
 * of its own, every turn runs it: what depends on nothing that the loop changes is then calculated
 * once, in front of the loop or in its first turn (LICM, or unrolling and GVN), in another block
 * than its add.
 *
 * Followed is what the operands were calculated from, statement by statement and through the calls
 * that lead to the product, until something turns up that the loop surely changes: a variable from
 * outside that is calculated from itself (an index, an accumulator), or memory that it writes.
 */
#include "analysis/contract.h"

#include "base/array.h"

enum {
	CALLS_MAX = 16
};

/* A statement, or a part of one, that gives variables their values. */
struct setter {
	struct locset reads;
	struct locset writes;
};
typedef ARRAY(struct setter) setter_array;

/* Where code stands: in a function's body, or below a call to it. */
struct frame {
	kt_id fn;
	const struct kt_node *call; /* NULL: not followed further up */
	const struct frame *up;
	unsigned depth;
};

struct repeat {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	struct contract *c;
	const struct contract_cut *cut;
	const struct kt_node *loop;
	const struct frame *merge; /* its frame, and outward to that of the loop */
	const char *product;
};

/* ---- setters ---- */

static void add_setter(struct repeat *r, setter_array *out, const struct kt_node *n)
{
	struct setter s = {0};
	struct fx fx;
	if (n->kind == KT_VAR) {
		locset_add(&s.writes, r->a, LOC_VAR(n->sym));
	}
	const struct kt_node *from =
		n->parent && n->parent->kind == KT_RANGE_FOR && n->slot == KT_RANGE_VAR
			? n->parent->child[KT_RANGE_RANGE]
			: n;
	if (from != n) {
		facts_elements(&s.reads, r->f, r->a, from);
	}
	for (size_t i = 0; i < (from->kind == KT_VAR ? from->n : 1); i++) {
		const struct kt_node *e = from->kind == KT_VAR ? from->child[i] : from;
		if (e) {
			facts_effects(&fx, r->f, e);
			locset_union(&s.reads, r->a, &fx.reads);
			locset_union(&s.writes, r->a, &fx.writes);
		}
	}
	if (s.writes.n) {
		array_push(out, s);
	}
}

static void find_setters(struct repeat *r, setter_array *out, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool whole = !kt_is_stmt(n->kind) && n->parent && kt_is_stmt(n->parent->kind);
		if (n->kind == KT_VAR || whole) {
			add_setter(r, out, n);
		}
	}
}

static bool touches(struct repeat *r, const struct locset *s, loc_id loc)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (s->v[i] == loc || (LOC_IS_SYM(loc) && facts_is_private(r->f, loc) &&
					      facts_may_alias(r->f, s->v[i], loc))) {
			return true;
		}
	}
	return false;
}

/* ---- what a value is calculated from ---- */

static bool declared_below(const struct repeat *r, loc_id loc, const struct kt_node *n)
{
	const struct kt_sym *s = &r->u->sym[LOC_IS_VAR(loc) ? LOC_SYM(loc) : 0];
	return LOC_IS_VAR(loc) && s->kind == KT_S_LOCAL && s->file == n->file &&
	       s->at >= n->begin && s->at < n->end;
}

/* Of a callee: all that its setters calculate the values from. */
static void follow(struct repeat *r, struct locset *values, const struct kt_node *body)
{
	setter_array setters = {0};
	find_setters(r, &setters, body);
	for (bool grew = true; grew;) {
		grew = false;
		array_each (&setters, struct setter, s) {
			bool sets = false;
			for (uint32_t i = 0; i < values->n && !sets; i++) {
				sets = touches(r, &s->writes, values->v[i]);
			}
			grew |= sets && locset_union(values, r->a, &s->reads);
		}
	}
	array_release(&setters);
}

static bool holds_hole(const struct repeat *r, const struct kt_node *root)
{
	const struct match *m = r->cut->match;
	for (size_t h = 0; h < m->holes; h++) {
		for (size_t i = 0; i < r->cut->arms; i++) {
			if (kt_is_below(m->hole[h].expr[i], root) ||
				kt_is_below(root, m->hole[h].expr[i])) {
				return true;
			}
		}
	}
	return false;
}

/* Which arm's operand it is depends on the conditions. */
static void add_conditions(struct repeat *r, struct locset *values)
{
	struct fx fx;
	for (const struct kt_node *n = r->cut->merge; n;) {
		bool is_if = n->kind == KT_IF;
		const struct kt_node *cond = is_if		    ? n->child[KT_IF_COND]
					     : n->kind == KT_SWITCH ? n->child[KT_SWITCH_COND]
								    : NULL;
		if (cond) {
			facts_effects(&fx, r->f, cond);
			locset_union(values, r->a, &fx.reads);
		}
		n = is_if ? n->child[KT_IF_ELSE] : NULL;
	}
}

static void add_reads(struct repeat *r, struct locset *values, const struct kt_node *n)
{
	struct fx fx;
	facts_effects(&fx, r->f, n);
	locset_union(values, r->a, &fx.reads);
	if (holds_hole(r, n)) {
		add_conditions(r, values);
	}
}

/* The same values as the caller sees them. */
static struct locset at_call(struct repeat *r, const struct locset *values, const struct frame *at)
{
	const struct kt_fn *fn = &r->u->fn[at->fn];
	const struct fx in = {.reads = *values};
	struct fx out;
	facts_at_call(&out, r->f, r->a, at->call, &in);
	size_t first = at->call->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = first; i < at->call->n; i++) {
		kt_id param = i - first < fn->params ? fn->param[i - first] : 0;
		if (param && at->call->child[i] &&
			(locset_has(values, LOC_VAR(param)) ||
				locset_has(values, LOC_DEREF(param)) ||
				locset_has(values, LOC_BEYOND(param)))) {
			add_reads(r, &out.reads, at->call->child[i]);
		}
	}
	return out.reads;
}

/* ---- a loop ---- */

/* Does a turn of the loop surely change one of them? */
static bool loop_changes(struct repeat *r, const struct kt_node *loop, struct locset *values)
{
	const struct kt_node *body = kt_loop_body(loop);
	setter_array setters = {0};
	bool changes = false;
	find_setters(r, &setters, loop);
	for (bool grew = true; grew && !changes;) {
		grew = false;
		array_each (&setters, struct setter, s) {
			bool sets = false;
			for (uint32_t i = 0; i < values->n && !changes; i++) {
				loc_id loc = values->v[i];
				bool hit = touches(r, &s->writes, loc);
				bool own = declared_below(r, loc, body);
				bool private = LOC_IS_SYM(loc) && facts_is_private(r->f, loc);
				changes = hit && !own && (!private || touches(r, &s->reads, loc));
				sets |= hit;
			}
			grew |= sets && !changes && locset_union(values, r->a, &s->reads);
		}
	}
	array_release(&setters);
	return changes;
}

static bool is_multiply(const struct repeat *r, const struct kt_node *n)
{
	bool kind = n->kind == KT_BINARY || n->kind == KT_ASSIGN ||
		    (n->kind == KT_CALL && n->flags & KT_F_OPERATOR);
	return kind && n->n == 2 && n->op == KT_OP_MUL && contract_holds_float(r->u, n->type);
}

/* at: where n stands; home: where the loop does. */
static bool turn_changes(struct repeat *r, const struct kt_node *n, const struct frame *at,
	const struct kt_node *loop, const struct frame *home)
{
	struct locset values = {0};
	add_reads(r, &values, n);
	for (; at != home; at = at->up) {
		follow(r, &values, r->u->fn[at->fn].body);
		values = at_call(r, &values, at);
	}
	return values.n == 0 || loop_changes(r, loop, &values);
}

/* A loop inside, in which it changes, and of which no compiler knows how often it runs: nobody
 * keeps all its values for the next turn of the one around. */
static bool changes_inside(struct repeat *r, const struct kt_node *n, const struct frame *at)
{
	const struct frame *home = r->merge;
	for (const struct kt_node *l = r->cut->merge->parent; l != r->loop;) {
		if (kt_is_loop(l->kind) && contract_is_open_loop(r->c, l) &&
			turn_changes(r, n, at, l, home)) {
			return true;
		}
		l = l->parent;
		if (!l) {
			l = home->call->parent;
			home = home->up;
		}
	}
	return false;
}

static bool product_repeats(struct repeat *r, const struct kt_node *n, const struct frame *at)
{
	const struct frame *top = at;
	struct fx fx;
	facts_effects(&fx, r->f, n);
	while (top->call) {
		top = top->up;
	}
	return !(fx.flags & FX_ORDERED) && !turn_changes(r, n, at, r->loop, top) &&
	       !changes_inside(r, n, at);
}

static bool code_repeats(struct repeat *r, const struct kt_node *root, const struct frame *at)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (is_multiply(r, n) && contract_is_added(r->c, n) && product_repeats(r, n, at)) {
			struct str text = kt_source(r->u, n);
			text = text.n ? text : STR("what a macro calculates");
			r->product = arena_strndup(r->a, text.p, text.n);
			return true;
		}
		bool call = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn;
		const struct kt_fn *fn = call ? &r->u->fn[n->fn] : NULL;
		if (fn && fn->body && !fn->in_system_header && at->depth < CALLS_MAX) {
			const struct frame in = {n->fn, n, at, at->depth + 1};
			if (code_repeats(r, fn->body, &in)) {
				return true;
			}
		}
	}
	return false;
}

/* ---- the code that moves ---- */

/* at: the frame of the merge's function. */
static bool arms_repeat(struct repeat *r, const struct frame *at)
{
	size_t tail = r->cut->match->tail;
	for (size_t i = 0; i < r->cut->arms; i++) {
		const struct match_arm *arm = &r->cut->arm[i];
		for (size_t k = arm->n > tail ? arm->n - tail : 0; k < arm->n; k++) {
			if (code_repeats(r, arm->stmt[k], at)) {
				return true;
			}
		}
	}
	return false;
}

static bool moved_repeats(struct repeat *r, const struct frame *at)
{
	const struct contract_moved *moved = r->cut->moved;
	if (!moved) {
		return arms_repeat(r, at);
	}
	const struct kt_node *outer = moved->outer;
	struct frame through = {outer ? outer->fn : 0, outer, at, at->depth + 1};
	struct frame in = {moved->call->fn, moved->call, outer ? &through : at, at->depth + 2};
	for (size_t i = 0; i < moved->n; i++) {
		if (code_repeats(r, moved->stmt[i], &in)) {
			return true;
		}
	}
	return false;
}

/* The loops around n, which is the merge or a call that leads to it; top is the frame of n. */
static bool loops_repeat(struct repeat *r, const struct kt_node *n, struct frame *top, bool *seen)
{
	for (r->loop = n->parent; r->loop; r->loop = r->loop->parent) {
		if (kt_is_loop(r->loop->kind) && moved_repeats(r, r->merge)) {
			return true;
		}
	}
	const struct kt_node *const *call;
	size_t calls;
	facts_callers(&call, &calls, r->f, top->fn);
	for (size_t i = 0; i < calls && top->depth < CALLS_MAX; i++) {
		kt_id caller = facts_function_of(r->f, call[i]);
		if (caller && !seen[caller]) {
			struct frame up = {.fn = caller, .depth = top->depth + 1};
			seen[caller] = true;
			top->call = call[i];
			top->up = &up;
			bool repeats = loops_repeat(r, call[i], &up, seen);
			seen[caller] = false;
			top->call = NULL;
			if (repeats) {
				return true;
			}
		}
	}
	return false;
}

bool contract_repeats(struct facts *f, const struct contract_cut *cut, const char **why)
{
	struct frame merge = {.fn = cut->fn};
	struct repeat r = {.f = f,
		.u = facts_unit(f),
		.a = facts_arena(f),
		.c = contract_of(f),
		.cut = cut,
		.merge = &merge};
	bool *seen = ARENA_ARRAY(r.a, bool, r.u->fns);
	seen[cut->fn] = true;
	if (!loops_repeat(&r, cut->merge, &merge, seen)) {
		return false;
	}
	*why = arena_printf(r.a,
		"no turn of a loop around it changes '%s': where every turn runs it, the compiler "
		"could calculate it once, away from the add that takes it",
		r.product);
	return true;
}
