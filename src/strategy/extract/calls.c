#include "strategy/extract/calls.h"

enum {
	CALL_DEPTH_MAX = 16
};

typedef ARRAY(struct callee_leaf) leaf_array;
typedef ARRAY(const struct kt_node *) node_array;

struct collector {
	struct callee *c;
	leaf_array leaves;
	node_array conds;
};

const struct kt_node *callee_body(const struct callee *c, size_t leaf)
{
	return c->u->fn[c->leaf[leaf].fn].body;
}

const struct kt_node *callee_argument(const struct callee *c, size_t leaf, size_t i)
{
	const struct kt_node *call = c->leaf[leaf].call;
	size_t at = i + (call->flags & KT_F_METHOD ? 1 : 0);
	return i < c->leaf[leaf].text.args && at < call->n ? call->child[at] : NULL;
}

void callee_at_call(
	struct fx *out, struct callee *c, const struct callee_leaf *l, const struct fx *fx)
{
	facts_at_call(out, c->f, c->p->a, l->call, fx);
}

bool callee_names_symbol(const struct callee *c, const struct kt_node *n, struct str name)
{
	return n->kind == KT_REF && n->sym && str_is(name, c->u->sym[n->sym].name);
}

static bool off_topic(struct callee *c, const char *why)
{
	return plan_off_topic(c->p, CALLEE_CALLS, why);
}

/* ---- writes to a wide accumulator ---- */

/* Is the written place a narrow member of a struct that holds the accumulator? */
static bool narrow_member(const struct callee *c, const struct kt_node *n)
{
	const struct kt_node *outermost = NULL;
	while (n) {
		const struct kt_node *down = NULL;
		if (n->kind == KT_MEMBER) {
			outermost = n;
			down = n->n ? n->child[0] : NULL;
		} else if (n->kind == KT_INDEX) {
			outermost = NULL;
			down = n->child[0];
		} else if (n->kind == KT_UNARY && n->op == KT_OP_DEREF && n->n) {
			down = n->child[0];
		}
		n = down;
	}
	unsigned width = outermost ? kt_type_width(kt_type_of(c->u, outermost)) : 0;
	return width > 0 && width < WIDE_MIN;
}

/* Is that the place that a function names, as acc.top(i) may? */
static bool gives_narrow_member(const struct callee *c, const struct kt_node *body)
{
	const struct kt_node *ret = body->n == 1 ? body->child[0] : NULL;
	return ret && ret->kind == KT_RETURN && ret->n && narrow_member(c, ret->child[0]);
}

struct locset callee_wide_in(
	struct callee *c, const struct callee_leaf *l, const struct locset *wide)
{
	struct locset out = {0};
	const struct fx *sum = facts_summary(c->f, l->call->fn);
	for (uint32_t i = 0; i < sum->writes.n; i++) {
		struct fx one = {0}, here;
		locset_add(&one.writes, c->p->a, sum->writes.v[i]);
		callee_at_call(&here, c, l, &one);
		if (facts_sets_alias(c->f, &here.writes, wide)) {
			locset_add(&out, c->p->a, sum->writes.v[i]);
		}
	}
	return out;
}

bool callee_writes(
	struct callee *c, const struct kt_node *root, const struct locset *wide, unsigned depth);

static bool event_writes(
	struct callee *c, const struct event *e, const struct locset *wide, unsigned depth)
{
	struct locset one = {0};
	if (e->kind == EVENT_READ) {
		return false;
	}
	locset_add(&one, c->p->a, e->loc);
	if (!facts_sets_alias(c->f, &one, wide)) {
		return false;
	}
	const struct kt_node *n = e->node;
	bool call = n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
	if (call && n->fn && c->u->fn[n->fn].body && depth < CALL_DEPTH_MAX) {
		struct callee_leaf l = {.call = n};
		struct locset inner = callee_wide_in(c, &l, wide);
		const struct kt_node *body = c->u->fn[n->fn].body;
		return (kt_is_target(n) && !gives_narrow_member(c, body)) ||
		       callee_writes(c, body, &inner, depth + 1);
	}
	return call || !narrow_member(c, n);
}

bool callee_writes(
	struct callee *c, const struct kt_node *root, const struct locset *wide, unsigned depth)
{
	for (const struct kt_node *n = root; n;) {
		if (kt_is_stmt(n->kind) && n->kind != KT_ASM && n->kind != KT_STMT_UNKNOWN) {
			n = kt_next(n, root);
			continue;
		}
		size_t count;
		struct event *ev = facts_events(c->f, n, &count);
		for (size_t i = 0; i < count; i++) {
			if (event_writes(c, &ev[i], wide, depth)) {
				return true;
			}
		}
		n = kt_skip(n, root);
	}
	return false;
}

/* ---- clause 21: the calls ---- */

static bool collect_merge(struct collector *k, const struct merge *m, const struct fx *after);

const struct kt_node *callee_assigned(
	const struct callee *c, const struct kt_node *n, const struct kt_node **result)
{
	bool copies = n->kind == KT_CALL && n->flags & KT_F_OPERATOR && n->n == 2 &&
		      str_is(str_of(c->u->fn[n->fn].base), "operator=") &&
		      kt_type_of(c->u, n->child[0])->trivial;
	bool assigns = n->kind == KT_ASSIGN && n->op == KT_OP_NONE && n->n == 2;
	*result = copies || assigns ? n->child[0] : NULL;
	return *result ? n->child[1] : n;
}

bool callee_check_result(struct callee *c, const struct callee_leaf *l)
{
	const struct kt_fn *fn = &c->u->fn[l->fn];
	const struct kt_type *ret = &c->u->type[fn->ret];
	if (!l->result) {
		return ret->kind == KT_T_VOID ||
		       plan_refuse(c->p, CALLEE_CALLS,
			       "'%s' gives a result that no accumulator takes", fn->base);
	}
	const struct kt_type *to = kt_type_of(c->u, l->result);
	bool plain = ret->kind != KT_T_REFERENCE && ret->trivial && !ret->is_volatile &&
		     !to->is_volatile && ret->canon && to->canon &&
		     strcmp(ret->canon, to->canon) == 0;
	return plain || plan_refuse(c->p, CALLEE_CALLS,
				"the result of '%s' is converted, or cannot be copied byte by byte",
				fn->base);
}

bool callee_is_known(struct callee *c, const struct kt_node *n)
{
	const struct kt_fn *fn = &c->u->fn[n->fn];
	bool known = n->kind == KT_CALL && n->fn && fn->body;
	bool named = !(n->flags & KT_F_OPERATOR) && !fn->in_system_header;
	return (known && (named || fn->is_lambda || callee_is_functor(c->u, n))) ||
	       off_topic(c, "an arm does not leave the accumulator to a function that is known");
}

/* Reads a statement that is a call, or assigns a call's result. False after a refusal. */
static bool take_call(struct callee_leaf *out, struct callee *c, const struct kt_node *stmt)
{
	const struct kt_node *result;
	const struct kt_node *n = callee_assigned(c, stmt, &result);
	*out = (struct callee_leaf){.stmt = stmt, .call = n, .result = result, .fn = n->fn};
	return callee_is_known(c, n) && callee_check_result(c, out);
}

static bool collect_call(struct collector *k, const struct kt_node *stmt, const struct fx *after)
{
	struct callee_leaf l;
	if (!take_call(&l, k->c, stmt)) {
		return false;
	}
	l.after = *after;
	array_push(&k->leaves, l);
	return true;
}

static bool collect_statement(struct collector *k, const struct kt_node *n, const struct fx *after);

/* Handles an arm that does not write the accumulators: the wide part must not run for it. */
static bool without_call(struct callee *c, const struct kt_node *const *stmt, size_t n)
{
	c->guarded = true;
	for (size_t i = 0; i < n; i++) {
		struct fx fx = {0};
		facts_add_effects(&fx, c->f, c->p->a, stmt[i]);
		if (fx.flags & (FX_LABEL | FX_GOTO)) {
			return plan_refuse(c->p, CALLEE_LEAVES,
				"an arm jumps, or is jumped into: '%s'", plan_quote(c->p, stmt[i]));
		}
	}
	return true;
}

/* Reads the statements of an arm; at most one of them writes the accumulators. */
static bool collect_list(
	struct collector *k, const struct kt_node *const *stmt, size_t n, const struct fx *after)
{
	struct callee *c = k->c;
	size_t at = SIZE_MAX;
	for (size_t i = 0; i < n; i++) {
		if (callee_writes(c, stmt[i], &c->wide.set, 0)) {
			if (at != SIZE_MAX) {
				return off_topic(c, "an arm writes the accumulator in more than "
						    "one statement");
			}
			at = i;
		}
	}
	if (at == SIZE_MAX) {
		return without_call(c, stmt, n);
	}
	struct fx later = {.flags = after->flags};
	locset_union(&later.reads, c->p->a, &after->reads);
	locset_union(&later.writes, c->p->a, &after->writes);
	for (size_t i = 0; i < n; i++) {
		struct fx fx = {0};
		if (i == at) {
			continue;
		}
		facts_add_effects(i > at ? &later : &fx, c->f, c->p->a, stmt[i]);
		if ((i > at ? later.flags : fx.flags) & (FX_EXIT | FX_LABEL)) {
			return plan_refuse(c->p, CALLEE_LEAVES,
				"an arm is left in its middle, or jumped into: '%s'",
				plan_quote(c->p, stmt[i]));
		}
	}
	return collect_statement(k, stmt[at], &later);
}

static bool collect_statement(struct collector *k, const struct kt_node *n, const struct fx *after)
{
	struct callee *c = k->c;
	const struct merge *m;
	switch (n->kind) {
	case KT_CALL:
	case KT_ASSIGN:
		return collect_call(k, n, after);
	case KT_COMPOUND:
		return collect_list(k, (const struct kt_node *const *)n->child, n->n, after);
	case KT_IF:
	case KT_SWITCH:
		m = merge_at(&c->p->parse->merges, n);
		return m ? collect_merge(k, m, after)
			 : off_topic(c, "an arm has an if with a constant condition");
	default:
		return off_topic(c, "an arm does more about the accumulator than to call a "
				    "function");
	}
}

static bool collect_merge(struct collector *k, const struct merge *m, const struct fx *after)
{
	struct callee *c = k->c;
	if (m->kind == MERGE_COND || m->fallthrough) {
		return off_topic(c, m->kind == MERGE_COND
					    ? "it is a conditional expression, not a statement"
					    : "an arm of the switch falls through into the next");
	}
	c->guarded |= !m->has_else;
	if (m->kind == MERGE_SWITCH) {
		array_push(&k->conds, m->node->child[KT_SWITCH_COND]);
	}
	for (size_t i = 0; i < m->arms; i++) {
		struct arm_body b;
		if (m->arm[i].cond) {
			array_push(&k->conds, m->arm[i].cond);
		}
		arm_body_find(&b, c->p, m, &m->arm[i]);
		if (!collect_list(k, b.list.stmt, b.list.n, after)) {
			return false;
		}
	}
	return true;
}

/* The state of a guarded call has an initializer: no jump may cross its declaration. */
static bool check_jumps(struct callee *c)
{
	const struct kt_node *root = c->u->fn[c->m->fn].body;
	for (const struct kt_node *n = root; c->guarded && n; n = kt_next(n, root)) {
		if (n->kind == KT_LABEL) {
			return plan_refuse(c->p, CALLEE_LEAVES,
				"a path has no call, and a jump to a label may pass the flag for "
				"it");
		}
	}
	return true;
}

bool callee_check_function(struct callee *c)
{
	const struct kt_fn *first = &c->u->fn[c->leaf[0].fn];
	for (size_t i = 1; i < c->leaves; i++) {
		const struct kt_fn *fn = &c->u->fn[c->leaf[i].fn];
		if (first->file != fn->file || first->body->begin != fn->body->begin ||
			first->body->n != fn->body->n || first->body->end != fn->body->end) {
			return off_topic(c, "the arms call different functions");
		}
		for (size_t s = 0; s < fn->body->n; s++) {
			if (fn->body->child[s]->begin != first->body->child[s]->begin) {
				return off_topic(c, "the instances of the function differ in "
						    "their text");
			}
		}
	}
	return true;
}

bool callee_find_calls(struct callee *c)
{
	struct collector k = {.c = c};
	struct fx none = {0};
	bool ok = collect_merge(&k, c->m, &none);
	array_move(c->leaf, c->leaves, c->p->a, &k.leaves);
	array_move(c->cond, c->conds, c->p->a, &k.conds);
	return ok && (c->leaves > 1 || off_topic(c, "only one arm writes the accumulator")) &&
	       check_jumps(c);
}
