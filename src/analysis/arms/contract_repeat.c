/*
 * May a compiler reuse a product of the moved code from an earlier iteration of a loop? In an arm
 * it is computed when that arm runs, beside its add. After the merge, or in a loop of its own,
 * every iteration runs it. A product that does not depend on values that the loop changes is then
 * computed once, before the loop or in its first iteration (LICM, or unrolling and GVN), in another
 * block than its add.
 *
 * A loop surely changes a variable from outside that is computed from itself (an index, an
 * accumulator), memory that it writes, and values computed from these, statement by statement and
 * through the calls that lead to the product. A value changed in one arm of an if is changed there,
 * but after the if only if the other arm changes it, too: on the path through the other arm, the
 * product of the last iteration is still available (GVN's PRE). So a product in an arm of the merge
 * has to be changed by this arm, or by the code around the merge. Inner loops are assumed to run.
 * Outer loops do not matter after an inner loop that changes the product and has an unknown count:
 * no compiler keeps all its values.
 */
#include "analysis/arms/contract.h"

#include "base/array.h"
#include "base/map.h"

enum {
	CALLS_MAX = 16,
	LOOPS_MAX = 16,
	CHAINS_MAX = 256
};

/* A statement, or a part of one, that sets variables. */
struct setter {
	struct locset reads;
	struct locset writes;
	size_t arm;
};

/* An if with an else: one of its arms runs. */
struct branch {
	size_t up;
	size_t arm[2];
};

struct setters {
	kt_id fn;
	ARRAY(struct setter) list;
	ARRAY(size_t)
	around; /* code that an iteration may skip, an arm: the arm around it; 0 is all */
	ARRAY(struct branch) branch;
	struct ids begins;   /* node -> the arm that begins with it */
	struct ids open;     /* if -> 1 + its branch; switch body -> the arm of its last label */
	struct locset reads; /* of all */
};

/* The locations that an iteration of a loop surely changes, as each arm sees them: in it and in the
 * arms around it. */
struct changes {
	const struct setters *of;
	struct locset *sure; /* one for each arm */
};

/* The place of code: a function's body, reached by a chain of calls. */
struct frame {
	kt_id fn;
	const struct kt_node *call; /* NULL: the outermost */
	struct frame *up;
	unsigned depth;
	struct changes changed[LOOPS_MAX]; /* by each loop, in the terms of fn */
};

struct loop {
	const struct kt_node *node;
	const struct frame *home;
	bool open;
};

struct repeat {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	struct contract *c;
	const struct contract_cut *cut;
	struct loop loop[LOOPS_MAX]; /* around the merge, innermost first */
	size_t loops;
	unsigned chains; /* chains of callers that were followed */
	ARRAY(struct setters *) bodies;
	struct str product; /* the last one checked */
	struct ids holes;   /* an arm's expression for a hole -> HOLE; nodes around one -> AROUND */
};

enum {
	HOLE = 1,
	AROUND
};

/* ---- setters ---- */

static void add_setter(struct repeat *r, struct setters *out, const struct kt_node *n, size_t arm)
{
	struct setter s = {.arm = arm};
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
			struct fx fx = facts_effects(r->f, e);
			locset_union(&s.reads, r->a, &fx.reads);
			locset_union(&s.writes, r->a, &fx.writes);
		}
	}
	if (s.writes.n) {
		array_push(&out->list, s);
		locset_union(&out->reads, r->a, &s.reads);
	}
}

/* Code that only some iterations evaluate: takes its own writes out of those of the last setter,
 * the expression around it. */
static void take_apart(struct repeat *r, struct setters *out, const struct kt_node *n, size_t arm)
{
	struct fx fx = facts_effects(r->f, n);
	if (fx.writes.n && out->list.n) {
		struct setter *whole = &out->list.v[out->list.n - 1];
		for (uint32_t i = 0; i < fx.writes.n; i++) {
			locset_remove(&whole->writes, r->a, fx.writes.v[i]);
		}
		add_setter(r, out, n, arm);
	}
}

/* A part of an expression that is not always evaluated. */
static bool is_optional(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	bool later = up && up->kind == KT_BINARY && n->slot == 1 &&
		     (up->op == KT_OP_LAND || up->op == KT_OP_LOR);
	return later || (up && up->kind == KT_COND && n->slot != KT_COND_COND);
}

static size_t new_arm(struct setters *out, size_t up)
{
	array_push(&out->around, up);
	return out->around.n - 1;
}

static size_t arm_of_if(struct setters *out, const struct kt_node *n, size_t up)
{
	uintptr_t key = (uintptr_t)n->parent;
	size_t at = ids_get(&out->open, key, 0);
	if (!at) {
		array_push(&out->branch, (struct branch){.up = up});
		at = out->branch.n;
		ids_set(&out->open, key, at);
	}
	size_t arm = new_arm(out, up);
	out->branch.v[at - 1].arm[n->slot == KT_IF_ELSE] = arm;
	return arm;
}

/* The code after a label, up to the next one. */
static size_t arm_of_label(struct setters *out, const struct kt_node *n, size_t up)
{
	uintptr_t key = (uintptr_t)n->parent;
	if (n->kind == KT_CASE || n->kind == KT_DEFAULT) {
		ids_set(&out->open, key, new_arm(out, up));
	}
	return ids_get(&out->open, key, up);
}

/* The arm inside arm up that begins or continues with n; up if there is none. */
static size_t arm_at(struct setters *out, const struct kt_node *n, size_t up)
{
	const struct kt_node *in = n->parent;
	if (in && in->kind == KT_IF && in->child[KT_IF_ELSE] &&
		(n->slot == KT_IF_THEN || n->slot == KT_IF_ELSE)) {
		return arm_of_if(out, n, up);
	}
	bool of_switch =
		in && in->parent && in->parent->kind == KT_SWITCH && in->slot == KT_SWITCH_BODY;
	if (of_switch) {
		return arm_of_label(out, n, up);
	}
	bool alone = in && in->kind == KT_IF && n->slot == KT_IF_THEN;
	return alone || is_optional(n) ? new_arm(out, up) : up;
}

struct nesting {
	const struct kt_node *end; /* the first node after it */
	size_t around;
};

static void find_setters(struct repeat *r, struct setters *out, const struct kt_node *root)
{
	ARRAY(struct nesting) open = {0};
	size_t arm = 0;
	new_arm(out, 0);
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		while (open.n && open.v[open.n - 1].end == n) {
			arm = open.v[--open.n].around;
		}
		size_t at = n == root ? 0 : arm_at(out, n, arm);
		if (at != arm) {
			ids_set(&out->begins, (uintptr_t)n, at);
			array_push(&open, (struct nesting){kt_skip(n, root), arm});
			arm = at;
		}
		bool whole = !kt_is_stmt(n->kind) && n->parent && kt_is_stmt(n->parent->kind);
		if (n->kind == KT_VAR || whole) {
			add_setter(r, out, n, arm);
		} else if (is_optional(n)) {
			take_apart(r, out, n, arm);
		}
	}
	array_release(&open);
}

static void release_setters(struct setters *s)
{
	array_release(&s->list);
	array_release(&s->around);
	array_release(&s->branch);
	ids_release(&s->begins);
	ids_release(&s->open);
}

static struct setters *add_setters(struct repeat *r, kt_id fn, const struct kt_node *root)
{
	struct setters *s = ARENA_NEW(r->a, struct setters);
	s->fn = fn;
	find_setters(r, s, root);
	array_push(&r->bodies, s);
	return s;
}

static const struct setters *setters_of(struct repeat *r, kt_id fn)
{
	array_each (&r->bodies, struct setters *, b) {
		if ((*b)->fn == fn) {
			return *b;
		}
	}
	return add_setters(r, fn, r->u->fn[fn].body);
}

/* Variables are distinct; objects of parameters may be variables. */
static bool touches(struct repeat *r, const struct locset *s, loc_id loc)
{
	if (locset_has(s, loc)) {
		return true;
	}
	if (!LOC_IS_SYM(loc) || !facts_is_private(r->f, loc)) {
		return false;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		bool apart = LOC_IS_VAR(s->v[i]) && LOC_IS_VAR(loc);
		if (!apart && facts_may_alias(r->f, s->v[i], loc)) {
			return true;
		}
	}
	return false;
}

static bool any_touches(struct repeat *r, const struct locset *s, const struct locset *locs)
{
	for (uint32_t i = 0; i < locs->n; i++) {
		if (touches(r, s, locs->v[i])) {
			return true;
		}
	}
	return false;
}

/* ---- changes ---- */

static struct changes no_changes(struct repeat *r, const struct setters *of)
{
	return (struct changes){of, ARENA_ARRAY(r->a, struct locset, of->around.n)};
}

/* Does it change a value of these locations for code in this arm? */
static bool sees_changed(
	struct repeat *r, const struct changes *c, size_t arm, const struct locset *locs)
{
	while (!any_touches(r, &c->sure[arm], locs)) {
		if (arm == 0) {
			return false;
		}
		arm = c->of->around.v[arm];
	}
	return true;
}

/* The arm for n: a call that all arms of a merge have represents those of all arms. */
static size_t arm_of(const struct repeat *r, const struct setters *s, const struct kt_node *n)
{
	if (r->cut->moved && kt_is_below(n, r->cut->merge)) {
		n = r->cut->merge;
	}
	for (; n; n = n->parent) {
		size_t arm = ids_get(&s->begins, (uintptr_t)n, SIZE_MAX);
		if (arm != SIZE_MAX) {
			return arm;
		}
	}
	return 0;
}

/* A location changed in both arms is changed after them. */
static bool join(struct repeat *r, struct changes *c)
{
	bool grew = false;
	array_each (&c->of->branch, const struct branch, b) {
		const struct locset *x = &c->sure[b->arm[0]], *y = &c->sure[b->arm[1]];
		for (uint32_t i = 0; i < x->n; i++) {
			grew |= locset_has(y, x->v[i]) &&
				locset_add(&c->sure[b->up], r->a, x->v[i]);
		}
	}
	return grew;
}

/* Values computed from changed ones are changed. */
static void spread(struct repeat *r, struct changes *c)
{
	for (bool grew = true; grew;) {
		grew = false;
		array_each (&c->of->list, const struct setter, s) {
			grew |= sees_changed(r, c, s->arm, &s->reads) &&
				locset_union(&c->sure[s->arm], r->a, &s->writes);
		}
		grew |= join(r, c);
	}
}

/* ---- a loop ---- */

static bool declared_below(const struct repeat *r, loc_id loc, const struct kt_node *n)
{
	const struct kt_sym *s = &r->u->sym[LOC_IS_VAR(loc) ? LOC_SYM(loc) : 0];
	return LOC_IS_VAR(loc) && s->kind == KT_S_LOCAL && s->file == n->file &&
	       s->at >= n->begin && s->at < n->end;
}

static struct changes changed_by(struct repeat *r, const struct kt_node *loop)
{
	const struct setters *setters = add_setters(r, 0, loop);
	struct changes c = no_changes(r, setters);
	array_each (&setters->list, const struct setter, s) {
		for (uint32_t i = 0; i < s->writes.n; i++) {
			loc_id loc = s->writes.v[i];
			bool private = LOC_IS_SYM(loc) && facts_is_private(r->f, loc);
			if (!declared_below(r, loc, kt_loop_body(loop)) &&
				(!private || touches(r, &s->reads, loc))) {
				locset_add(&c.sure[s->arm], r->a, loc);
			}
		}
	}
	spread(r, &c);
	return c;
}

/* ---- calls ---- */

static void find_holes(struct repeat *r)
{
	const struct match *m = r->cut->match;
	for (size_t h = 0; h < m->holes; h++) {
		for (size_t i = 0; i < r->cut->arms; i++) {
			const struct kt_node *n = m->hole[h].expr[i];
			if (n) {
				ids_set(&r->holes, (uintptr_t)n, HOLE);
				n = n->parent;
			}
			for (; n && !ids_get(&r->holes, (uintptr_t)n, 0); n = n->parent) {
				ids_set(&r->holes, (uintptr_t)n, AROUND);
			}
		}
	}
}

/* Is the code part of a hole, or does it have one? */
static bool holds_hole(const struct repeat *r, const struct kt_node *root)
{
	uintptr_t is = ids_get(&r->holes, (uintptr_t)root, 0);
	for (; root && !is; root = root->parent) {
		is = ids_get(&r->holes, (uintptr_t)root, 0) == HOLE ? HOLE : 0;
	}
	return is != 0;
}

/* The conditions decide which arm's operand is used. */
static void add_conditions(struct repeat *r, struct locset *values)
{
	for (const struct kt_node *n = r->cut->merge; n;) {
		bool is_if = n->kind == KT_IF;
		const struct kt_node *cond = is_if		    ? n->child[KT_IF_COND]
					     : n->kind == KT_SWITCH ? n->child[KT_SWITCH_COND]
								    : NULL;
		if (cond) {
			struct fx fx = facts_effects(r->f, cond);
			locset_union(values, r->a, &fx.reads);
		}
		n = is_if ? n->child[KT_IF_ELSE] : NULL;
	}
}

static void add_reads(struct repeat *r, struct locset *values, const struct kt_node *n)
{
	struct fx fx = facts_effects(r->f, n);
	locset_union(values, r->a, &fx.reads);
	if (holds_hole(r, n)) {
		add_conditions(r, values);
	}
}

/* Does the loop change the caller's object for loc of the callee? */
static bool changed_outside(struct repeat *r, const struct frame *at, size_t loop, loc_id loc)
{
	const struct kt_fn *fn = &r->u->fn[at->fn];
	struct fx in = {0}, out;
	locset_add(&in.reads, r->a, loc);
	facts_at_call(&out, r->f, r->a, at->call, &in);
	size_t first = at->call->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = first; i < at->call->n; i++) {
		kt_id param = i - first < fn->params ? fn->param[i - first] : 0;
		if (param && at->call->child[i] &&
			(loc == LOC_VAR(param) || loc == LOC_DEREF(param) ||
				loc == LOC_BEYOND(param))) {
			add_reads(r, &out.reads, at->call->child[i]);
		}
	}
	const struct changes *c = &at->up->changed[loop];
	return sees_changed(r, c, arm_of(r, c->of, at->call), &out.reads);
}

/* Finds the changes in the callee: of changed arguments, and of values computed from them. */
static void enter(struct repeat *r, struct frame *at, size_t loop)
{
	const struct setters *setters = setters_of(r, at->fn);
	struct changes *c = &at->changed[loop];
	*c = no_changes(r, setters);
	for (uint32_t i = 0; i < setters->reads.n; i++) {
		if (changed_outside(r, at, loop, setters->reads.v[i])) {
			locset_add(&c->sure[0], r->a, setters->reads.v[i]);
		}
	}
	spread(r, c);
}

/* ---- products ---- */

static bool is_multiply(const struct repeat *r, const struct kt_node *n)
{
	bool kind = n->kind == KT_BINARY || n->kind == KT_ASSIGN ||
		    (n->kind == KT_CALL && n->flags & KT_F_OPERATOR);
	return kind && n->n == 2 && n->op == KT_OP_MUL && contract_holds_float(r->u, n->type);
}

static bool loop_changes(struct repeat *r, const struct kt_node *n, const struct locset *reads,
	const struct frame *at, size_t loop)
{
	const struct changes *c = &at->changed[loop];
	if (sees_changed(r, c, arm_of(r, c->of, n), reads)) {
		return true;
	}
	for (uint32_t i = 0; i < reads->n && r->loop[loop].home != at; i++) {
		if (changed_outside(r, at, loop, reads->v[i])) {
			return true;
		}
	}
	return false;
}

static bool product_repeats(struct repeat *r, const struct kt_node *n, const struct frame *at)
{
	struct locset reads = {0};
	add_reads(r, &reads, n);
	if (facts_effects(r->f, n).flags & FX_ORDERED || reads.n == 0) {
		return false;
	}
	for (size_t i = 0; i < r->loops; i++) {
		if (!loop_changes(r, n, &reads, at, i)) {
			return true;
		}
		if (r->loop[i].open) {
			return false;
		}
	}
	return false;
}

static bool code_repeats(struct repeat *r, const struct kt_node *root, struct frame *at);

static bool call_repeats(struct repeat *r, const struct kt_node *call, struct frame *at)
{
	const struct kt_fn *fn = &r->u->fn[call->fn];
	if (!fn->body || fn->in_system_header || at->depth >= CALLS_MAX) {
		return false;
	}
	struct frame in = {.fn = call->fn, .call = call, .up = at, .depth = at->depth + 1};
	for (size_t i = 0; i < r->loops; i++) {
		enter(r, &in, i);
	}
	return code_repeats(r, fn->body, &in);
}

static bool code_repeats(struct repeat *r, const struct kt_node *root, struct frame *at)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (is_multiply(r, n) && contract_is_added(r->c, n)) {
			struct str text = kt_source(r->u, n);
			r->product = text.n ? text : STR("what a macro calculates");
			if (product_repeats(r, n, at)) {
				return true;
			}
		}
		bool call = (n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn;
		if (call && call_repeats(r, n, at)) {
			return true;
		}
	}
	return false;
}

/* ---- the code that moves ---- */

/* at: the frame of the merge's function. */
static bool arms_repeat(struct repeat *r, struct frame *at)
{
	size_t tail = r->cut->match->tail;
	span_each (r->cut->arm, r->cut->arms, const struct match_arm, arm) {
		for (size_t k = arm->n > tail ? arm->n - tail : 0; k < arm->n; k++) {
			if (code_repeats(r, arm->stmt[k], at)) {
				return true;
			}
		}
	}
	return false;
}

static bool moved_repeats(struct repeat *r, struct frame *at)
{
	const struct contract_moved *moved = r->cut->moved;
	if (!moved) {
		return arms_repeat(r, at);
	}
	struct frame in = {.fn = moved->call->fn, .call = moved->call, .up = at};
	for (size_t i = 0; i < r->loops; i++) {
		enter(r, &in, i);
	}
	for (size_t i = 0; i < moved->n; i++) {
		if (code_repeats(r, moved->stmt[i], &in)) {
			return true;
		}
	}
	return false;
}

/* ---- the loops around it ---- */

static void add_loop(
	struct repeat *r, const struct kt_node *loop, struct frame *merge, struct frame *home)
{
	size_t at = r->loops++;
	r->loop[at] = (struct loop){loop, home, contract_is_open_loop(r->c, loop)};
	home->changed[at] = changed_by(r, loop);
	/* from outer to inner calls */
	for (const struct frame *up = home; up != merge;) {
		struct frame *f = merge;
		while (f->up != up) {
			f = f->up;
		}
		enter(r, f, at);
		up = f;
	}
}

/* n: the merge, or a call that leads to it; top is the frame of n. If there are too many loops or
 * callers, a product is assumed to repeat. */
static bool loops_repeat(struct repeat *r, const struct kt_node *n, struct frame *top,
	struct frame *merge, bool *seen)
{
	size_t inner = r->loops;
	const struct kt_node *const *call;
	size_t calls;
	for (const struct kt_node *l = n->parent; l; l = l->parent) {
		if (kt_is_loop(l->kind) && r->loops < LOOPS_MAX) {
			add_loop(r, l, merge, top);
		}
	}
	bool repeats = r->loops > inner && moved_repeats(r, merge);
	facts_callers(&call, &calls, r->f, top->fn);
	for (size_t i = 0; i < calls && !repeats && top->depth < CALLS_MAX; i++) {
		kt_id caller = facts_function_of(r->f, call[i]);
		if (caller && !seen[caller]) {
			struct frame up = {.fn = caller, .depth = top->depth + 1};
			seen[caller] = true;
			top->call = call[i];
			top->up = &up;
			repeats = r->chains++ >= CHAINS_MAX ||
				  loops_repeat(r, call[i], &up, merge, seen);
			seen[caller] = false;
			top->call = NULL;
			top->up = NULL;
		}
	}
	r->loops = inner;
	return repeats;
}

bool contract_repeats(struct facts *f, const struct contract_cut *cut, const char **why)
{
	struct repeat r = {
		.f = f, .u = facts_unit(f), .a = arena_create(), .c = contract_of(f), .cut = cut};
	struct frame merge = {.fn = cut->fn};
	bool *seen = ARENA_ARRAY(r.a, bool, r.u->fns);
	seen[cut->fn] = true;
	find_holes(&r);
	moved_repeats(&r, &merge); /* in no loop: is there a product at all? */
	bool repeats = r.product.n && loops_repeat(&r, cut->merge, &merge, &merge, seen);
	if (repeats) {
		*why = arena_printf(facts_arena(f),
			"an iteration of a loop around it need not change '%.*s': if every "
			"iteration runs it, the compiler could take it from an earlier one, away "
			"from the add that takes it",
			STR_ARG(r.product));
	}
	array_each (&r.bodies, struct setters *, b) {
		release_setters(*b);
	}
	array_release(&r.bodies);
	ids_release(&r.holes);
	arena_free(r.a);
	return repeats;
}
