/* Cuts, and loops without their if: products and adds that get into one block or are separated. */
#include "analysis/arms/contract_unit.h"

/* ---- a cut ---- */

/* Statements of an arm before its tail. */
static size_t heads(const struct contract_cut *cut, const struct match_arm *arm)
{
	return arm->n > cut->match->tail ? arm->n - cut->match->tail : 0;
}

static bool in_tail(const struct contract_cut *cut, const struct kt_node *n)
{
	span_each (cut->arm, cut->arms, const struct match_arm, arm) {
		for (size_t k = heads(cut, arm); k < arm->n; k++) {
			if (kt_is_below(n, arm->stmt[k])) {
				return true;
			}
		}
	}
	return false;
}

static bool is_hole(const struct contract_cut *cut, const struct kt_node *n)
{
	for (size_t h = 0; h < cut->match->holes; h++) {
		bool moves = !cut->in_place || !cut->in_place[h];
		for (size_t i = 0; i < cut->arms && moves; i++) {
			if (n == cut->match->hole[h].expr[i]) {
				return true;
			}
		}
	}
	return false;
}

static bool hole_is_cut(struct contract *c, const struct contract_cut *cut, const char **why)
{
	for (size_t h = 0; h < cut->match->holes; h++) {
		for (size_t i = 0; i < cut->arms; i++) {
			const struct kt_node *n = cut->match->hole[h].expr[i];
			struct str s = kt_source(c->u, n);
			if (contract_is_product(c, n) && contract_is_added(c, n)) {
				*why = arena_printf(c->a,
					"the multiply in '%.*s' would be cut from the add that "
					"takes its "
					"result, which the compiler may have joined to one FMA",
					STR_ARG(s));
				return true;
			}
		}
	}
	return false;
}

/* Is sym declared in [begin, end) of the merge's function? */
static bool declared_in(struct contract *c, const struct contract_cut *cut, kt_id sym,
	const struct kt_node *first, const struct kt_node *last)
{
	const struct kt_sym *s = &c->u->sym[sym];
	return s->kind == KT_S_LOCAL && s->fn == cut->fn && s->file == first->file &&
	       s->at >= first->begin && s->at < last->end;
}

static bool local_to_tail(struct contract *c, const struct contract_cut *cut, kt_id sym)
{
	span_each (cut->arm, cut->arms, const struct match_arm, arm) {
		for (size_t k = heads(cut, arm); k < arm->n; k++) {
			if (declared_in(c, cut, sym, arm->stmt[k], arm->stmt[k])) {
				return true;
			}
		}
	}
	return false;
}

/* May n run after at: later in the code, or around the back edge of a loop with both? */
static bool runs_after(const struct kt_node *n, const struct kt_node *at)
{
	const struct kt_node *loop = kt_loop_of(at);
	while (loop && kt_loop_of(loop->parent)) {
		loop = kt_loop_of(loop->parent);
	}
	return n->begin >= at->end || (loop && kt_is_below(n, loop));
}

/* Is the value known only at run time: read from memory, or a kernel's argument? */
static bool is_open(struct contract *c, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		const struct kt_sym *s = &c->u->sym[n->kind == KT_REF ? n->sym : 0];
		if (n->kind == KT_REF && s->kind == KT_S_PARAM && s->fn &&
			c->u->fn[s->fn].kind == KT_FN_KERNEL) {
			return true;
		}
		const struct kt_type *t = &c->u->type[s->type];
		if (n->kind != KT_REF || s->kind != KT_S_LOCAL || !t->is_const || !s->fn) {
			continue;
		}
		const struct kt_node *body = c->u->fn[s->fn].body;
		for (const struct kt_node *v = body; v; v = kt_next(v, body)) {
			if (v->kind == KT_VAR && v->sym == n->sym && v->n &&
				is_open(c, v->child[0])) {
				return true;
			}
		}
	}
	return false;
}

bool contract_is_open_loop(struct contract *c, const struct kt_node *loop)
{
	return loop->kind == KT_FOR && loop->child[KT_FOR_COND] &&
	       is_open(c, loop->child[KT_FOR_COND]);
}

/* Does the end of a loop with an unknown count separate n from the block after the merge? */
static bool is_parted(struct contract *c, const struct contract_cut *cut, const struct kt_node *n)
{
	for (const struct kt_node *l = cut->merge; l; l = l->parent) {
		if (kt_is_loop(l->kind) && contract_is_open_loop(c, l) &&
			!(n && kt_is_below(n, l))) {
			return true;
		}
	}
	return false;
}

/* Does the add of operand p get into the block of the multiply that computes it, or out of it?
 * Inside the tail or an arm, that concerns values from outside; after the merge, values that live
 * across it, since the arms no longer separate the blocks. */
static bool access_is_cut(struct contract *c, const struct contract_cut *cut, const struct place *p,
	loc_id loc, const char **why)
{
	bool known;
	kt_id v = contract_slot_of(c, loc, &known);
	if (!known || !(c->var[v] & VAR_HOLDS) || !contract_is_added(c, p->node)) {
		return false;
	}
	if (facts_function_of(c->f, p->node) != cut->fn) {
		/* in a lambda that captures it, which may be called anywhere */
		*why = arena_printf(c->a,
			"'%s' may come from a multiply and is added in a lambda: the compiler "
			"might join the two to an FMA in other places than now",
			facts_loc_name(c->f, c->a, loc));
		return LOC_IS_VAR(loc) && c->u->sym[v].fn == cut->fn;
	}
	bool inside = kt_is_below(p->node, cut->merge);
	if (cut->arms_stay && (inside || is_parted(c, cut, p->node))) {
		return false;
	}
	bool tail = inside && in_tail(cut, p->node);
	if (tail ? v && local_to_tail(c, cut, v)
		 : inside && v && declared_in(c, cut, v, cut->merge, cut->merge)) {
		return false;
	}
	if (!inside && (!runs_after(p->node, cut->merge) ||
			       (LOC_IS_SYM(loc) && !liveness_after(cut->live, cut->merge, loc)))) {
		return false;
	}
	*why = arena_printf(c->a,
		"'%s' may come from a multiply and is added %s: the compiler would join the two to "
		"an FMA in other places than now",
		facts_loc_name(c->f, c->a, loc),
		tail	 ? "in the code that moves"
		: inside ? "in an arm"
			 : "after the merge");
	return true;
}

/* The same for values that live across a call of the merge's function, if that is inlined. */
static bool caller_is_cut(struct contract *c, kt_id fn, bool *seen, const char **why)
{
	const struct kt_node *const *call;
	size_t n;
	facts_callers(&call, &n, c->f, fn);
	for (size_t i = 0; i < n; i++) {
		kt_id caller = facts_function_of(c->f, call[i]);
		array_each (&c->added[caller], struct place, p) {
			bool added = caller && runs_after(p->node, call[i]) &&
				     facts_function_of(c->f, p->node) == caller;
			/* a variable declared after the call does not live across it */
			for (uint32_t k = 0; k < p->locs.n && added; k++) {
				loc_id loc = p->locs.v[k];
				added = !LOC_IS_VAR(loc) ||
					c->u->sym[LOC_SYM(loc)].at < call[i]->begin;
			}
			if (added) {
				*why = arena_printf(c->a,
					"'%s' may come from a multiply and is added after a call "
					"of this function: the compiler could join the two to an "
					"FMA",
					facts_loc_name(c->f, c->a, p->locs.v[0]));
				return true;
			}
		}
		if (caller && !seen[caller]) {
			seen[caller] = true;
			if (caller_is_cut(c, caller, seen, why)) {
				return true;
			}
		}
	}
	return false;
}

/* ---- branches inside the tail ---- */

static const struct kt_node *declaration_of(const struct match_arm *arm, kt_id sym)
{
	for (size_t i = 0; i < arm->n; i++) {
		const struct kt_node *root = arm->stmt[i];
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind == KT_VAR && n->sym == sym) {
				return n;
			}
		}
	}
	return NULL;
}

/* Does a loop run the branch, and then access a variable that lives across its iterations? */
static bool loop_around(const struct kt_node *access, const struct kt_node *var, struct span at)
{
	for (const struct kt_node *n = access->parent; n; n = n->parent) {
		if (kt_is_loop(n->kind) && n->begin <= at.begin && at.end <= n->end &&
			!kt_is_below(var, n)) {
			return true;
		}
	}
	return false;
}

/* May the branch be between the multiply of n's value and n? */
static bool comes_between(
	struct contract *c, const struct match_arm *arm, const struct kt_node *n, struct span at)
{
	if (contract_is_access(c, n)) {
		struct locset s = contract_lvalue(c, n);
		for (uint32_t i = 0; i < s.n; i++) {
			const struct kt_node *var =
				LOC_IS_VAR(s.v[i]) ? declaration_of(arm, LOC_SYM(s.v[i])) : NULL;
			bool leaves = var && at.begin <= var->begin && var->end <= at.end &&
				      n->begin >= at.end;
			if (var && (leaves || (at.begin >= var->end && at.begin <= n->begin) ||
					   loop_around(n, var, at))) {
				return true;
			}
		}
		return false;
	}
	/* the operands of n are evaluated before n */
	const struct kt_node *whole = kt_full_expression(n);
	bool inside = at.begin >= whole->begin && at.end <= whole->end;
	bool operand = at.begin >= n->begin && at.end <= n->end;
	bool around = at.begin <= n->begin && n->end <= at.end;
	return inside && !operand && !around;
}

static bool branch_cuts(struct contract *c, const struct match_arm *arm,
	const struct contract_branches *branches, const char **why)
{
	for (size_t i = 0; i < arm->n && branches->n; i++) {
		const struct kt_node *root = arm->stmt[i];
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (kt_is_stmt(n->kind) || n->kind == KT_VAR || !contract_is_float(c, n) ||
				!contract_is_product(c, n) || !contract_is_added(c, n)) {
				continue;
			}
			struct str text = kt_source(c->u, n);
			text = text.n ? text : STR("what a macro calculates");
			for (size_t k = 0; k < branches->n; k++) {
				if (comes_between(c, arm, n, branches->at[k])) {
					*why = arena_printf(c->a,
						"a branch would come between the multiply that "
						"'%.*s' is from and the add that takes its result, "
						"which the compiler may have joined to one FMA",
						STR_ARG(text));
					return true;
				}
			}
		}
	}
	return false;
}

bool contract_cuts(struct contract *c, const struct contract_cut *cut, const char **why)
{
	if (hole_is_cut(c, cut, why) || contract_repeats(c->f, cut, why)) {
		return true;
	}
	for (size_t i = 0; cut->branches && i < cut->arms; i++) {
		if (branch_cuts(c, &cut->arm[i], &cut->branches[i], why)) {
			return true;
		}
	}
	array_each (&c->added[cut->fn], struct place, p) {
		for (uint32_t i = 0; i < p->locs.n && !is_hole(cut, p->node); i++) {
			if (access_is_cut(c, cut, p, p->locs.v[i], why)) {
				return true;
			}
		}
	}
	if (cut->arms_stay && is_parted(c, cut, NULL)) {
		return false;
	}
	bool *seen = ARENA_ARRAY(c->a, bool, c->u->fns);
	return caller_is_cut(c, cut->fn, seen, why);
}

/* ---- a loop without its if ---- */

enum part {
	PART_BEFORE, /* the if */
	PART_THEN,
	PART_ELSE,
	PART_AFTER, /* with the loop's increment */
	PART_COUNT
};

static enum part part_of(const struct contract_join *j, const struct kt_node *n)
{
	if (kt_is_below(n, j->merge)) {
		return kt_is_below(n, j->merge->child[KT_IF_THEN]) ? PART_THEN : PART_ELSE;
	}
	bool step = j->loop->kind == KT_FOR && kt_is_below(n, j->loop->child[KT_FOR_INC]);
	return n->begin < j->merge->begin && !step ? PART_BEFORE : PART_AFTER;
}

static void add_part(struct contract *c, struct locset *part, const struct kt_node *n)
{
	struct fx fx = facts_effects(c->f, n);
	locset_union(part, c->a, &fx.writes);
	for (size_t i = 0; n->kind == KT_DECL && i < n->n; i++) {
		locset_add(part, c->a, LOC_VAR(n->child[i]->sym));
	}
}

/* Adds the writes of n, statement by statement, so that variables of the body count. */
static void add_writes(struct contract *c, const struct contract_join *j, const struct kt_node *n,
	struct locset *parts)
{
	if (n == j->merge) {
		add_part(c, &parts[PART_THEN], n->child[KT_IF_THEN]);
		if (n->child[KT_IF_ELSE]) {
			add_part(c, &parts[PART_ELSE], n->child[KT_IF_ELSE]);
		}
		return;
	}
	if (!kt_is_below(j->merge, n)) {
		add_part(c, &parts[part_of(j, n)], n);
		return;
	}
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i] && n->kind == KT_COMPOUND) {
			add_writes(c, j, n->child[i], parts);
		} else if (n->child[i] && kt_is_below(j->merge, n->child[i])) {
			add_writes(c, j, n->child[i], parts);
		} else if (n->child[i]) {
			/* the header of an inner loop runs before and after */
			add_part(c, &parts[PART_BEFORE], n->child[i]);
			add_part(c, &parts[PART_AFTER], n->child[i]);
		}
	}
}

static bool tracked(const struct liveness *l, loc_id loc)
{
	const loc_id *v;
	size_t n = liveness_locs(l, &v);
	for (size_t i = 0; i < n; i++) {
		if (v[i] == loc) {
			return true;
		}
	}
	return false;
}

static bool writes_alias(struct contract *c, const struct locset *s, loc_id loc)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (facts_may_alias(c->f, s->v[i], loc)) {
			return true;
		}
	}
	return false;
}

/* May the value that access p reads come from another part of the loop, or from another iteration?
 */
static bool comes_from_apart(struct contract *c, const struct contract_join *j,
	const struct locset *parts, const struct place *p, loc_id loc)
{
	enum part here = part_of(j, p->node);
	bool written = false;
	for (int k = 0; k < PART_COUNT; k++) {
		bool writes = writes_alias(c, &parts[k], loc);
		written |= writes;
		if (writes && k != (int)here) {
			return true;
		}
	}
	const struct kt_node *region = here == PART_THEN   ? j->merge->child[KT_IF_THEN]
				       : here == PART_ELSE ? j->merge->child[KT_IF_ELSE]
							   : kt_loop_body(j->loop);
	return written && (!tracked(j->live, loc) || liveness_exposed(j->live, region, loc));
}

static bool access_is_joined(struct contract *c, const struct contract_join *j,
	const struct locset *parts, const struct place *p, loc_id loc)
{
	bool known;
	kt_id v = contract_slot_of(c, loc, &known);
	if (!known || !(c->var[v] & VAR_HOLDS) || !contract_is_added(c, p->node)) {
		return false;
	}
	if (facts_function_of(c->f, p->node) != j->fn) {
		/* in a lambda that captures it, which may be called anywhere */
		return LOC_IS_VAR(loc) && c->u->sym[v].fn == j->fn;
	}
	if (!kt_is_below(p->node, j->loop)) {
		return false;
	}
	/* a variable declared inside an arm lives in one iteration */
	enum part here = part_of(j, p->node);
	const struct kt_node *arm = here == PART_THEN	? j->merge->child[KT_IF_THEN]
				    : here == PART_ELSE ? j->merge->child[KT_IF_ELSE]
							: NULL;
	if (arm && v && c->u->sym[v].kind == KT_S_LOCAL && c->u->sym[v].fn == j->fn &&
		c->u->sym[v].file == arm->file && c->u->sym[v].at >= arm->begin &&
		c->u->sym[v].at < arm->end) {
		return false;
	}
	return comes_from_apart(c, j, parts, p, loc);
}

/* A loop with a known count is unrolled, and then has no block boundary before or after it. */
static bool crosses_loop(struct contract *c, const struct contract_join *j,
	const struct locset *parts, const struct place *p, loc_id loc)
{
	bool known;
	kt_id v = contract_slot_of(c, loc, &known);
	if (!known || !(c->var[v] & VAR_HOLDS) || contract_is_open_loop(c, j->loop) ||
		facts_function_of(c->f, p->node) != j->fn) {
		return false;
	}
	if (kt_is_below(p->node, j->loop)) {
		return !tracked(j->live, loc) || liveness_exposed(j->live, j->loop, loc);
	}
	bool written = false;
	for (int k = 0; k < PART_COUNT; k++) {
		written |= writes_alias(c, &parts[k], loc);
	}
	return written && runs_after(p->node, j->loop);
}

/* A loop made of one arm runs it in every iteration. */
static bool arms_repeat(struct contract *c, const struct contract_join *j, const char **why)
{
	const struct kt_node *const *child = (const struct kt_node *const *)j->merge->child;
	const struct match_arm arm[] = {
		{&child[KT_IF_THEN], 1}, {&child[KT_IF_ELSE], child[KT_IF_ELSE] ? 1 : 0}};
	const struct match whole = {.tail = SIZE_MAX};
	const struct contract_cut cut = {
		.merge = j->merge, .fn = j->fn, .arm = arm, .arms = 2, .match = &whole};
	return contract_repeats(c->f, &cut, why);
}

bool contract_joins(struct contract *c, const struct contract_join *join, const char **why)
{
	if (arms_repeat(c, join, why)) {
		return true;
	}
	struct locset parts[PART_COUNT] = {0};
	add_writes(c, join, kt_loop_body(join->loop), parts);
	if (join->loop->kind == KT_FOR && join->loop->child[KT_FOR_INC]) {
		struct fx fx = facts_effects(c->f, join->loop->child[KT_FOR_INC]);
		locset_union(&parts[PART_AFTER], c->a, &fx.writes);
	}
	array_each (&c->added[join->fn], struct place, p) {
		for (uint32_t i = 0; i < p->locs.n; i++) {
			bool joined = access_is_joined(c, join, parts, p, p->locs.v[i]);
			if (joined || crosses_loop(c, join, parts, p, p->locs.v[i])) {
				*why = arena_printf(c->a,
					"'%s' may come from a multiply and is added %s",
					facts_loc_name(c->f, c->a, p->locs.v[i]),
					joined ? "in the loop: without the if the compiler could "
						 "join the two to an FMA"
					       : "on another side of the loop's border, which "
						 "goes where the compiler unrolls the loop");
				return true;
			}
		}
	}
	return false;
}
