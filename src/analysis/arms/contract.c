#include "analysis/arms/contract_unit.h"

#include <string.h>

/* ---- types ---- */

bool contract_holds_float(const struct kt_unit *u, kt_id type)
{
	const struct kt_type *t = &u->type[type];
	switch (t->kind) {
	case KT_T_FLOAT:
	case KT_T_RECORD:
	case KT_T_OTHER:
		return true;
	case KT_T_ARRAY:
	case KT_T_VECTOR:
	case KT_T_REFERENCE:
		return contract_holds_float(u, t->elem);
	default:
		return false;
	}
}

bool contract_is_float(const struct contract *c, const struct kt_node *n)
{
	return contract_holds_float(c->u, n->type);
}

/* ---- variables ---- */

kt_id contract_slot_of(struct contract *c, loc_id loc, bool *known)
{
	/* an object that is private to one caller may not be private to another */
	bool reference = LOC_IS_DEREF(loc) && kt_is_reference(c->u, LOC_SYM(loc));
	*known = loc == LOC_THIS || (LOC_IS_SYM(loc) && (reference || facts_is_private(c->f, loc)));
	return loc == LOC_THIS || !LOC_IS_SYM(loc) ? 0 : LOC_SYM(loc);
}

static bool any_var(struct contract *c, const struct locset *s, unsigned bit)
{
	for (uint32_t i = 0; i < s->n; i++) {
		bool known;
		kt_id v = contract_slot_of(c, s->v[i], &known);
		if (known && c->var[v] & bit) {
			return true;
		}
	}
	return false;
}

static bool mark_vars(struct contract *c, const struct locset *s, unsigned bits)
{
	bool grew = false;
	for (uint32_t i = 0; i < s->n; i++) {
		bool known;
		kt_id v = contract_slot_of(c, s->v[i], &known);
		if (known && (c->var[v] & bits) != bits) {
			c->var[v] |= bits;
			grew = true;
		}
	}
	return grew;
}

struct locset contract_lvalue(struct contract *c, const struct kt_node *n)
{
	struct locset s = {0};
	facts_lvalue(&s, c->f, c->a, n);
	return s;
}

static const struct kt_fn *body_of(const struct contract *c, const struct kt_node *call)
{
	const struct kt_fn *fn = call->fn ? &c->u->fn[call->fn] : NULL;
	return fn && fn->body ? fn : NULL;
}

/* A call that returns a reference to its caller's object: accesses happen at the call, and not at
 * the function's return. */
static bool gives_place(struct contract *c, const struct kt_node *n)
{
	const struct kt_fn *fn = n->kind == KT_CALL ? body_of(c, n) : NULL;
	if (!fn || c->u->type[fn->ret].kind != KT_T_REFERENCE) {
		return false;
	}
	struct locset s = contract_lvalue(c, n);
	return s.n > 0 && !locset_has(&s, LOC_UNKNOWN);
}

static bool is_operator_assign(const struct kt_node *n)
{
	size_t len = n->text ? strlen(n->text) : 0;
	bool compare =
		n->op == KT_OP_LE || n->op == KT_OP_GE || n->op == KT_OP_EQ || n->op == KT_OP_NE;
	return n->kind == KT_CALL && n->flags & KT_F_OPERATOR && n->n == 2 && len > 8 &&
	       n->text[len - 1] == '=' && !compare;
}

/* ---- values ---- */

static bool product_call(struct contract *c, const struct kt_node *n)
{
	if (n->flags & KT_F_OPERATOR && n->op == KT_OP_MUL) {
		return true;
	}
	if (is_operator_assign(n)) {
		return n->op == KT_OP_NONE && contract_is_product(c, n->child[1]);
	}
	if (body_of(c, n)) {
		struct locset s = contract_lvalue(c, n);
		return (c->returns[n->fn] && !gives_place(c, n)) || any_var(c, &s, VAR_HOLDS);
	}
	/* Inlined library code may end in a multiply; a single instruction or a select does not. */
	static const char *const exact[] = {"fma", "min", "max", "abs", "sqrt", "mfma", "smfmac",
		"wmma", "rcp", "rsq", "cvt", "med3", "floor", "ceil", "rint", "trunc", "shfl",
		"lane", "dpp", "permute", "swizzle", "load", "2float", "2half"};
	const char *name = n->fn ? c->u->fn[n->fn].base : n->text;
	for (size_t i = 0; name && i < sizeof(exact) / sizeof(exact[0]); i++) {
		if (strstr(name, exact[i])) {
			return false;
		}
	}
	return true;
}

static bool any_product(struct contract *c, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i] && contract_is_product(c, n->child[i])) {
			return true;
		}
	}
	return false;
}

bool contract_is_product(struct contract *c, const struct kt_node *n)
{
	if (!contract_is_float(c, n)) {
		return false;
	}
	switch (n->kind) {
	case KT_LITERAL:
		return false;
	case KT_BINARY:
		return n->op == KT_OP_MUL ||
		       (n->op == KT_OP_COMMA && contract_is_product(c, n->child[1]));
	case KT_ASSIGN:
		return n->n == 2 &&
		       (n->op == KT_OP_MUL ||
			       (n->op == KT_OP_NONE && contract_is_product(c, n->child[1])));
	case KT_COND:
		return any_product(c, n);
	case KT_CAST:
	case KT_INIT_LIST:
		return any_product(c, n);
	case KT_CONSTRUCT:
		return any_product(c, n) ||
		       (body_of(c, n) && c->var[body_of(c, n)->self] & VAR_STORED);
	case KT_UNARY:
		if (n->op == KT_OP_NEG || n->op == KT_OP_PLUS) {
			return any_product(c, n);
		}
		if (n->op == KT_OP_DEREF) {
			struct locset s = contract_lvalue(c, n);
			return any_var(c, &s, VAR_HOLDS);
		}
		return n->op == KT_OP_OTHER;
	case KT_REF:
	case KT_INDEX:
	case KT_MEMBER: {
		struct locset s = contract_lvalue(c, n);
		if (n->n && n->child[0] && n->child[0]->kind != KT_REF &&
			kt_type_of(c->u, n->child[0])->kind != KT_T_POINTER &&
			contract_is_product(c, n->child[0])) {
			return true; /* (a * b).x */
		}
		return any_var(c, &s, VAR_HOLDS);
	}
	case KT_CALL:
		return product_call(c, n);
	case KT_EXPR_UNKNOWN:
		return true;
	default:
		return false;
	}
}

static bool added_argument(struct contract *c, const struct kt_node *call, size_t slot)
{
	if (call->flags & KT_F_OPERATOR && call->op != KT_OP_OTHER) {
		if (is_operator_assign(call) && call->op == KT_OP_NONE) {
			struct locset s = contract_lvalue(c, call->child[0]);
			return slot == 1 &&
			       (any_var(c, &s, VAR_ADDED) || contract_is_added(c, call));
		}
		if (call->op == KT_OP_NEG) {
			return contract_is_added(c, call);
		}
		return call->op == KT_OP_ADD || call->op == KT_OP_SUB;
	}
	const struct kt_fn *fn = body_of(c, call);
	if (!fn) {
		/* a builtin does not contract; other functions are unknown */
		return !facts_intrinsic(c->f, call) || call->kind == KT_CONSTRUCT;
	}
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	bool handed_back = call->kind == KT_CONSTRUCT || gives_place(c, call);
	if (slot >= first && slot - first >= fn->params) {
		return true;
	}
	kt_id to = slot < first ? fn->self : fn->param[slot - first];
	return c->var[to] & VAR_ADDS || (handed_back && contract_is_added(c, call));
}

static bool added_to_variable(struct contract *c, kt_id sym)
{
	return c->var[sym] & VAR_ADDED;
}

bool contract_is_added(struct contract *c, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up) {
		return false;
	}
	switch (up->kind) {
	case KT_BINARY:
		if (up->op == KT_OP_COMMA) {
			return n->slot == 1 && contract_is_added(c, up);
		}
		return (up->op == KT_OP_ADD || up->op == KT_OP_SUB) && contract_is_float(c, up);
	case KT_ASSIGN: {
		if (up->op == KT_OP_ADD || up->op == KT_OP_SUB) {
			return contract_is_float(c, up);
		}
		if (up->op != KT_OP_NONE || n->slot == 0) {
			return false;
		}
		struct locset s = contract_lvalue(c, up->child[0]);
		return any_var(c, &s, VAR_ADDED) || contract_is_added(c, up);
	}
	case KT_UNARY:
		switch (up->op) {
		case KT_OP_NEG:
		case KT_OP_PLUS:
			return contract_is_added(c, up);
		case KT_OP_PREINC:
		case KT_OP_PREDEC:
		case KT_OP_POSTINC:
		case KT_OP_POSTDEC:
		case KT_OP_OTHER:
			return true;
		default:
			return false;
		}
	case KT_CAST:
	case KT_INIT_LIST:
		return contract_is_added(c, up);
	case KT_COND:
		return n->slot != KT_COND_COND && contract_is_added(c, up);
	case KT_MEMBER:
		return contract_is_added(c, up);
	case KT_INDEX:
		return n->slot == 0 && contract_is_added(c, up);
	case KT_CALL:
	case KT_CONSTRUCT:
		return added_argument(c, up, n->slot);
	case KT_VAR:
		return added_to_variable(c, up->sym);
	case KT_RANGE_FOR:
		return added_to_variable(c, up->child[KT_RANGE_VAR]->sym);
	case KT_RETURN: {
		kt_id fn = facts_function_of(c->f, up);
		return !fn || c->result_added[fn];
	}
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		return true;
	default:
		return false;
	}
}

/* ---- the unit ---- */

/* Is n only a part of a larger access, like acc and acc[i] in acc[i].x? */
static bool is_part_of_access(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return up && n->slot == 0 &&
	       ((up->kind == KT_MEMBER && !(up->flags & KT_F_ARROW)) || up->kind == KT_INDEX);
}

bool contract_is_access(struct contract *c, const struct kt_node *n)
{
	return n->kind == KT_REF
		       ? n->sym != 0
		       : n->kind == KT_MEMBER || n->kind == KT_INDEX ||
				 (n->kind == KT_UNARY && n->op == KT_OP_DEREF) || gives_place(c, n);
}

static void collect_node(struct contract *c, const struct kt_node *n)
{
	if (contract_is_float(c, n) && !is_part_of_access(n) && contract_is_access(c, n)) {
		array_push(&c->accesses, (struct place){n, contract_lvalue(c, n)});
	}
	if (n->kind == KT_ASSIGN && n->n == 2 && contract_is_float(c, n)) {
		array_push(&c->stores, (struct place){n, contract_lvalue(c, n->child[0])});
	} else if (n->kind == KT_VAR && n->n && contract_holds_float(c->u, n->type)) {
		struct place p = {.node = n};
		locset_add(&p.locs, c->a, LOC_VAR(n->sym));
		array_push(&c->stores, p);
	} else if (is_operator_assign(n)) {
		array_push(&c->stores, (struct place){n, contract_lvalue(c, n->child[0])});
	}
	if ((n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn && body_of(c, n)) {
		array_push(&c->calls, (struct place){.node = n});
	}
}

static bool stores_product(struct contract *c, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_VAR:
		return contract_is_product(c, n->child[0]);
	case KT_ASSIGN:
		return contract_is_product(c, n);
	default:
		return n->op == KT_OP_MUL ||
		       (n->op == KT_OP_NONE && contract_is_product(c, n->child[1]));
	}
}

/* The caller's object that a parameter names; one by value is a copy. */
static struct locset argument_locs(struct contract *c, const struct kt_node *arg)
{
	struct locset s = contract_lvalue(c, arg);
	facts_reach(&s, c->f, c->a, arg);
	return s;
}

/* Does the value give the callee access to objects that it may change? */
static bool leads_on(struct contract *c, const struct kt_node *arg)
{
	struct locset s = {0};
	facts_reach(&s, c->f, c->a, arg);
	return s.n > 0;
}

static bool bind_argument(struct contract *c, const struct kt_node *arg, kt_id param, bool shared)
{
	bool grew = false;
	struct locset s = argument_locs(c, arg);
	unsigned *v = &c->var[param];
	bool holds = contract_is_product(c, arg) || any_var(c, &s, VAR_HOLDS);
	if (holds && !(*v & VAR_HOLDS)) {
		*v |= VAR_HOLDS;
		grew = true;
	}
	if (!shared) {
		return grew;
	}
	if (*v & VAR_STORED) {
		grew |= mark_vars(c, &s, VAR_STORED | VAR_HOLDS);
	}
	if (*v & VAR_ADDED) {
		grew |= mark_vars(c, &s, *v & (VAR_ADDED | VAR_ADDS));
	}
	if (any_var(c, &s, VAR_ADDED) && !(*v & VAR_ADDED)) {
		*v |= VAR_ADDED;
		grew = true;
	}
	return grew;
}

static bool bind_call(struct contract *c, const struct kt_node *n)
{
	const struct kt_fn *fn = &c->u->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	bool grew = false;
	for (size_t i = 0; i < n->n; i++) {
		if (!n->child[i]) {
			continue;
		}
		if (i < first) {
			grew |= bind_argument(c, n->child[i], fn->self, true);
		} else if (i - first < fn->params) {
			kt_id param = fn->param[i - first];
			bool shared = kt_is_reference(c->u, param) || leads_on(c, n->child[i]);
			if (shared || contract_holds_float(c->u, c->u->sym[param].type)) {
				grew |= bind_argument(c, n->child[i], param, shared);
			}
		}
	}
	if (!c->result_added[n->fn] && contract_holds_float(c->u, fn->ret) && !gives_place(c, n) &&
		contract_is_added(c, n)) {
		c->result_added[n->fn] = true;
		grew = true;
	}
	return grew;
}

static bool mark_returns(struct contract *c, kt_id id)
{
	const struct kt_fn *fn = &c->u->fn[id];
	if (c->returns[id] || !fn->body || !contract_holds_float(c->u, fn->ret)) {
		return false;
	}
	for (const struct kt_node *n = fn->body; n; n = kt_next(n, fn->body)) {
		if (n->kind == KT_RETURN && n->n && contract_is_product(c, n->child[0])) {
			c->returns[id] = true;
			return true;
		}
	}
	return false;
}

static void solve(struct contract *c)
{
	for (bool grew = true; grew;) {
		grew = false;
		array_each (&c->stores, struct place, p) {
			if (!(any_var(c, &p->locs, VAR_STORED)) || p->locs.n > 1) {
				grew |= stores_product(c, p->node) &&
					mark_vars(c, &p->locs, VAR_STORED | VAR_HOLDS);
			}
		}
		array_each (&c->accesses, struct place, p) {
			grew |= contract_is_added(c, p->node) &&
				mark_vars(c, &p->locs, VAR_ADDED | VAR_ADDS);
		}
		array_each (&c->calls, struct place, p) {
			grew |= bind_call(c, p->node);
		}
		for (kt_id id = 1; id < c->u->fns; id++) {
			grew |= mark_returns(c, id);
		}
	}
}

static void note_added(struct contract *c, kt_id fn, const struct place *p)
{
	place_array *l = &c->added[fn];
	if (l->n == 0 || l->v[l->n - 1].node != p->node) {
		array_push(l, *p);
	}
}

/* Collects them by function, so that a cut only visits its own function. */
static void find_added(struct contract *c)
{
	c->added = ARENA_ARRAY(c->a, place_array, c->u->fns);
	array_each (&c->accesses, struct place, p) {
		if (!contract_is_added(c, p->node) || !any_var(c, &p->locs, VAR_HOLDS)) {
			continue;
		}
		note_added(c, facts_function_of(c->f, p->node), p);
		for (uint32_t i = 0; i < p->locs.n; i++) {
			if (LOC_IS_VAR(p->locs.v[i])) {
				note_added(c, c->u->sym[LOC_SYM(p->locs.v[i])].fn, p);
			}
		}
	}
}

static void release(void *user)
{
	struct contract *c = user;
	for (kt_id fn = 0; fn < c->u->fns; fn++) {
		array_release(&c->added[fn]);
	}
	array_release(&c->accesses);
	array_release(&c->stores);
	array_release(&c->calls);
}

struct contract *contract_of(struct facts *f)
{
	struct contract *c = facts_kept(f, FACTS_KEEP_CONTRACT, 0);
	if (c) {
		return c;
	}
	struct arena *a = facts_arena(f);
	c = ARENA_NEW(a, struct contract);
	*c = (struct contract){.f = f, .u = facts_unit(f), .a = a};
	c->var = ARENA_ARRAY(a, unsigned, c->u->syms);
	c->returns = ARENA_ARRAY(a, bool, c->u->fns);
	c->result_added = ARENA_ARRAY(a, bool, c->u->fns);
	for (kt_id id = 1; id < c->u->fns; id++) {
		const struct kt_node *body = c->u->fn[id].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			collect_node(c, n);
		}
	}
	solve(c);
	find_added(c);
	facts_keep(f, FACTS_KEEP_CONTRACT, 0, c, release);
	return c;
}
