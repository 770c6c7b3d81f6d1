#include "kernel/pointed.h"

#include "base/map.h"

enum {
	DEPTH_MAX = 16,	   /* nested calls, and chains of variables */
	STEPS_MAX = 10000, /* nodes visited for one variable */
};

/* A call that is followed, for the values of its parameters. */
struct frame {
	const struct kt_node *call; /* NULL: the function with the variable */
	kt_id fn;
	kt_id member;		   /* the member of the result that is wanted; 0: all of it */
	const struct frame *outer; /* the frame of the call itself */
	unsigned depth;
};

struct search {
	struct kt_unit *u;
	struct map init; /* symbol of a constant pointer -> its initializer */
	unsigned steps;
};

enum flow {
	FLOW_ON,
	FLOW_BREAK,
	FLOW_RETURN, /* with a known value */
	FLOW_UNKNOWN
};

static kt_id function_of(struct search *s, const struct kt_node *n, kt_id member,
	const struct frame *at, unsigned depth);

/* The argument of the call for the parameter; NULL if it is not a parameter of this function. */
static const struct kt_node *given(
	const struct search *s, const struct kt_node *ref, const struct frame *at)
{
	const struct kt_fn *fn = &s->u->fn[at->fn];

	for (size_t i = 0; at->call && i < fn->params && i < at->call->n; i++) {
		if (fn->param[i] == ref->sym) {
			return at->call->child[i];
		}
	}
	return NULL;
}

/* Does the code around the name only use its value? */
static bool asks_value(const struct kt_node *ref)
{
	const struct kt_node *up = ref->parent;

	switch (up ? up->kind : KT_NONE) {
	case KT_IF:
	case KT_SWITCH:
	case KT_RETURN:
		return true;
	case KT_BINARY:
		return up->op != KT_OP_COMMA;
	case KT_COND:
		return ref->slot == KT_COND_COND;
	case KT_ASSIGN:
		return ref->slot == 1 && !(up->flags & KT_F_BINDS);
	default:
		return false;
	}
}

/* May the variable change after its initialization? */
static bool is_changed(const struct search *s, kt_id fn, kt_id sym)
{
	const struct kt_node *body = s->u->fn[fn].body;

	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (kt_names(n, sym) && !asks_value(n)) {
			return true;
		}
	}
	return false;
}

static bool number_of(int64_t *out, struct search *s, const struct kt_node *n,
	const struct frame *at, unsigned depth)
{
	int64_t x, y;

	if (!n || depth > DEPTH_MAX || ++s->steps > STEPS_MAX) {
		return false;
	}
	if (n->flags & KT_F_VALUE) {
		*out = n->value;
		return true;
	}
	if (n->kind == KT_REF && n->sym) {
		const struct kt_node *arg = given(s, n, at);
		/* a conversion may change the number */
		return arg && kt_same_type(s->u, s->u->sym[n->sym].type, arg->type) &&
		       !is_changed(s, at->fn, n->sym) &&
		       number_of(out, s, arg, at->outer, depth + 1);
	}
	if (n->kind != KT_BINARY || (n->op != KT_OP_EQ && n->op != KT_OP_NE) ||
		!kt_same_type(s->u, n->child[0]->type, n->child[1]->type) ||
		!number_of(&x, s, n->child[0], at, depth + 1) ||
		!number_of(&y, s, n->child[1], at, depth + 1)) {
		return false;
	}
	*out = (x == y) == (n->op == KT_OP_EQ);
	return true;
}

static enum flow run(kt_id *out, struct search *s, const struct kt_node *n, const struct frame *at);

/* Does a label before statement n have the value or, with other, is one the default? *known: the
 * values of all its labels are known. */
static bool is_labelled(const struct kt_node *n, int64_t value, bool other, bool *known)
{
	bool found = false;

	while (n && (n->kind == KT_CASE || n->kind == KT_DEFAULT)) {
		bool is_case = n->kind == KT_CASE;
		const struct kt_node *label = is_case ? n->child[KT_CASE_VALUE] : NULL;
		*known &=
			!is_case || (label && label->flags & KT_F_VALUE && !n->child[KT_CASE_HIGH]);
		found |= is_case ? *known && !other && label->value == value : other;
		n = n->child[is_case ? KT_CASE_STMT : 0];
	}
	*known &= !kt_may_be_jumped_into(n);
	return found;
}

/* The first statement of the switch that runs, or the number of statements; SIZE_MAX: unknown. */
static size_t first_of(const struct kt_node *body, int64_t value)
{
	for (int other = 0; other < 2; other++) {
		for (size_t i = 0; i < body->n; i++) {
			bool known = true;
			bool found = is_labelled(body->child[i], value, other == 1, &known);
			if (!known || found) {
				return known ? i : SIZE_MAX;
			}
		}
	}
	return body->n;
}

static enum flow run_switch(
	kt_id *out, struct search *s, const struct kt_node *n, const struct frame *at)
{
	const struct kt_node *body = n->child[KT_SWITCH_BODY];
	int64_t value;

	if (n->child[KT_SWITCH_INIT] || n->child[KT_SWITCH_VAR] || !body ||
		body->kind != KT_COMPOUND ||
		!number_of(&value, s, n->child[KT_SWITCH_COND], at, 0)) {
		return FLOW_UNKNOWN;
	}
	size_t i = first_of(body, value);
	for (; i < body->n; i++) {
		enum flow f = run(out, s, kt_past_labels(body->child[i]), at);
		if (f != FLOW_ON) {
			return f == FLOW_BREAK ? FLOW_ON : f;
		}
	}
	return i == SIZE_MAX ? FLOW_UNKNOWN : FLOW_ON;
}

static enum flow run(kt_id *out, struct search *s, const struct kt_node *n, const struct frame *at)
{
	int64_t value;

	if (!n) {
		return FLOW_ON;
	}
	if (++s->steps > STEPS_MAX) {
		return FLOW_UNKNOWN;
	}
	switch (n->kind) {
	case KT_EMPTY:
	case KT_DECL: /* named() looks up the variables */
		return FLOW_ON;
	case KT_BREAK:
		return FLOW_BREAK;
	case KT_COMPOUND:
		for (size_t i = 0; i < n->n; i++) {
			enum flow f = run(out, s, n->child[i], at);
			if (f != FLOW_ON) {
				return f;
			}
		}
		return FLOW_ON;
	case KT_IF:
		if (n->child[KT_IF_INIT] || n->child[KT_IF_VAR] ||
			!number_of(&value, s, n->child[KT_IF_COND], at, 0)) {
			return FLOW_UNKNOWN;
		}
		return run(out, s, n->child[value ? KT_IF_THEN : KT_IF_ELSE], at);
	case KT_SWITCH:
		return run_switch(out, s, n, at);
	case KT_RETURN:
		*out = n->n ? function_of(s, n->child[0], at->member, at, at->depth + 1) : 0;
		return *out ? FLOW_RETURN : FLOW_UNKNOWN;
	default:
		return FLOW_UNKNOWN;
	}
}

/* The function that a call returns. */
static kt_id returned(
	struct search *s, const struct kt_node *call, kt_id member, const struct frame *at)
{
	const struct kt_fn *fn = &s->u->fn[call->fn];
	struct frame in = {call, call->fn, member, at, at->depth + 1};
	kt_id found;

	if (!call->fn || !fn->body || fn->is_method || call->flags & KT_F_OPERATOR ||
		in.depth > DEPTH_MAX) {
		return 0;
	}
	return run(&found, s, fn->body, &in) == FLOW_RETURN ? found : 0;
}

/* The value that a constructor gives to the member, if it only sets members. */
static kt_id constructed(
	struct search *s, const struct kt_node *n, kt_id member, const struct frame *at)
{
	const struct kt_node *body = s->u->fn[n->fn].body, *value = NULL;
	struct frame in = {n, n->fn, 0, at, at->depth + 1};

	for (size_t i = 0; body && i < body->n; i++) {
		const struct kt_node *c = body->child[i];
		const struct kt_node *to = c && c->kind == KT_ASSIGN ? c->child[0] : NULL;
		bool empty = c && c->kind == KT_COMPOUND && c->n == 0;
		if (!empty && (!to || c->op != KT_OP_NONE || to->kind != KT_MEMBER || !to->sym)) {
			return 0;
		}
		value = !empty && to->sym == member ? c->child[1] : value;
	}
	return value && in.depth <= DEPTH_MAX ? function_of(s, value, 0, &in, in.depth) : 0;
}

/* A parameter, or a variable that keeps its value. */
static kt_id named(
	struct search *s, const struct kt_node *n, const struct frame *at, unsigned depth)
{
	const struct kt_node *arg = given(s, n, at);

	if (arg) {
		bool changed = is_changed(s, at->fn, n->sym);
		return changed ? 0 : function_of(s, arg, 0, at->outer, depth + 1);
	}
	/* a variable of a function around a lambda or class has no known call */
	const struct frame around = {.fn = s->u->sym[n->sym].fn};
	arg = (const struct kt_node *)map_get_u64(&s->init, n->sym, 0);
	return function_of(s, arg, 0, around.fn == at->fn ? at : &around, depth + 1);
}

/* The function that n, or its member, evaluates to; 0: unknown. */
static kt_id function_of(struct search *s, const struct kt_node *n, kt_id member,
	const struct frame *at, unsigned depth)
{
	int64_t value;

	if (!n || depth > DEPTH_MAX || ++s->steps > STEPS_MAX) {
		return 0;
	}
	switch (n->kind) {
	case KT_REF:
		return member ? 0 : n->fn ? n->fn : named(s, n, at, depth);
	case KT_UNARY: /* &f, *f */
		return !member && (n->op == KT_OP_ADDR || n->op == KT_OP_DEREF)
			       ? function_of(s, n->child[0], 0, at, depth + 1)
			       : 0;
	case KT_COND:
		return n->child[KT_COND_THEN] && number_of(&value, s, n->child[KT_COND_COND], at, 0)
			       ? function_of(s, n->child[value ? KT_COND_THEN : KT_COND_ELSE],
					 member, at, depth + 1)
			       : 0;
	case KT_CALL:
		return returned(s, n, member, at);
	case KT_CONSTRUCT:
		return member ? constructed(s, n, member, at) : 0;
	case KT_MEMBER:
		return !member && n->sym && !(n->flags & KT_F_ARROW) && n->n == 1
			       ? function_of(s, n->child[KT_MEMBER_BASE], n->sym, at, depth + 1)
			       : 0;
	default:
		return 0;
	}
}

static void see_variable(struct search *s, const struct kt_node *var)
{
	const struct kt_type *t = &s->u->type[s->u->sym[var->sym].type];

	bool constant = (t->kind == KT_T_POINTER && t->is_const) || t->kind == KT_T_REFERENCE;
	if (constant && !t->is_volatile && var->n == 1 && var->child[0]) {
		map_set_u64(&s->init, var->sym, (uintptr_t)var->child[0]);
	}
}

/* Gives step(...), where step is a variable, its function. */
static void name_callee(struct search *s, struct kt_node *call, kt_id in)
{
	struct kt_node *head = call->n ? call->child[0] : NULL;
	const struct frame at = {.fn = in};

	if (call->fn || call->flags & (KT_F_METHOD | KT_F_OPERATOR) || !head ||
		head->kind != KT_REF || !map_get_u64(&s->init, head->sym, 0)) {
		return;
	}
	s->steps = 0;
	kt_id id = function_of(s, head, 0, &at, 0);
	const struct kt_fn *fn = &s->u->fn[id];
	if (!id || fn->is_method || fn->params != (size_t)call->n - 1 ||
		!kt_same_type(s->u, fn->ret, call->type)) {
		return;
	}
	for (size_t i = 0; i + 1 < call->n; i++) {
		call->child[i] = call->child[i + 1];
	}
	call->child[call->n - 1] = head;
	call->fn = id;
	call->text = fn->base;
	kt_link(call);
}

void pointed_find(struct kt_unit *u)
{
	struct search s = {.u = u};

	for (kt_id id = 1; id < u->fns; id++) {
		const struct kt_node *body = u->fn[id].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			if (n->kind == KT_VAR) {
				see_variable(&s, n);
			}
		}
	}
	for (kt_id id = 1; id < u->fns && s.init.n; id++) {
		struct kt_node *body = u->fn[id].body;
		for (struct kt_node *n = body; n; n = kt_next(n, body)) {
			if (n->kind == KT_CALL) {
				name_callee(&s, n, id);
			}
		}
	}
	map_release(&s.init);
}
