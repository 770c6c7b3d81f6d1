#include "analysis/arms/contract.h"

#include <string.h>
#include "base/array.h"

/* What is known of a variable; slot 0 stands for every *this. */
enum {
	VAR_STORED = 1 << 0, /* a product is assigned to it */
	VAR_HOLDS = 1 << 1,  /* it may hold a product: stored here, or by who passed it */
	VAR_ADDED = 1 << 2,  /* its value is added */
};

/* Places in the unit that make facts. */
struct place {
	const struct kt_node *node;
	struct locset locs; /* of the object that is read, written or passed */
};

typedef ARRAY(struct place) place_array;

struct contract {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	unsigned *var;	    /* per symbol */
	bool *returns;	    /* per function: a product */
	bool *result_added; /* per function: a caller adds the result */
	place_array accesses;
	place_array stores; /* assignments, and declarations with initializer */
	place_array calls;  /* of functions with a body */
	/* per function: those of accesses that add what may be a product, in it or to one of its
	 * variables */
	place_array *added;
};

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

static bool is_float(const struct contract *c, const struct kt_node *n)
{
	return contract_holds_float(c->u, n->type);
}

/* ---- variables ---- */

static kt_id slot_of(struct contract *c, loc_id loc, bool *known)
{
	/* what is private to one caller of a function may not be to another */
	bool reference = LOC_IS_DEREF(loc) && kt_is_reference(c->u, LOC_SYM(loc));
	*known = loc == LOC_THIS || (LOC_IS_SYM(loc) && (reference || facts_is_private(c->f, loc)));
	return loc == LOC_THIS || !LOC_IS_SYM(loc) ? 0 : LOC_SYM(loc);
}

static bool any_var(struct contract *c, const struct locset *s, unsigned bit)
{
	for (uint32_t i = 0; i < s->n; i++) {
		bool known;
		kt_id v = slot_of(c, s->v[i], &known);
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
		kt_id v = slot_of(c, s->v[i], &known);
		if (known && (c->var[v] & bits) != bits) {
			c->var[v] |= bits;
			grew = true;
		}
	}
	return grew;
}

static struct locset lvalue(struct contract *c, const struct kt_node *n)
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
		struct locset s = lvalue(c, n);
		return c->returns[n->fn] || any_var(c, &s, VAR_HOLDS);
	}
	/* Inlined library code may well end in a multiply; one instruction, or a choice, does not.
	 */
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
	if (!is_float(c, n)) {
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
			struct locset s = lvalue(c, n);
			return any_var(c, &s, VAR_HOLDS);
		}
		return n->op == KT_OP_OTHER;
	case KT_REF:
	case KT_INDEX:
	case KT_MEMBER: {
		struct locset s = lvalue(c, n);
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
			struct locset s = lvalue(c, call->child[0]);
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
		/* a builtin takes no multiply in; of anything else nothing is known */
		return !facts_intrinsic(c->f, call) || call->kind == KT_CONSTRUCT;
	}
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	if (slot < first) {
		return c->var[fn->self] & VAR_ADDED;
	}
	return slot - first >= fn->params || c->var[fn->param[slot - first]] & VAR_ADDED ||
	       (call->kind == KT_CONSTRUCT && contract_is_added(c, call));
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
		return (up->op == KT_OP_ADD || up->op == KT_OP_SUB) && is_float(c, up);
	case KT_ASSIGN: {
		if (up->op == KT_OP_ADD || up->op == KT_OP_SUB) {
			return is_float(c, up);
		}
		if (up->op != KT_OP_NONE || n->slot == 0) {
			return false;
		}
		struct locset s = lvalue(c, up->child[0]);
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

/* The whole of acc[i].x, of which acc and acc[i] are parts. */
static bool is_part_of_access(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return up && n->slot == 0 &&
	       ((up->kind == KT_MEMBER && !(up->flags & KT_F_ARROW)) || up->kind == KT_INDEX);
}

static bool is_access(const struct kt_node *n)
{
	return n->kind == KT_REF ? n->sym != 0
				 : n->kind == KT_MEMBER || n->kind == KT_INDEX ||
					   (n->kind == KT_UNARY && n->op == KT_OP_DEREF);
}

static void collect_node(struct contract *c, const struct kt_node *n)
{
	if (is_access(n) && is_float(c, n) && !is_part_of_access(n)) {
		array_push(&c->accesses, (struct place){n, lvalue(c, n)});
	}
	if (n->kind == KT_ASSIGN && n->n == 2 && is_float(c, n)) {
		array_push(&c->stores, (struct place){n, lvalue(c, n->child[0])});
	} else if (n->kind == KT_VAR && n->n && contract_holds_float(c->u, n->type)) {
		struct place p = {.node = n};
		locset_add(&p.locs, c->a, LOC_VAR(n->sym));
		array_push(&c->stores, p);
	} else if (is_operator_assign(n)) {
		array_push(&c->stores, (struct place){n, lvalue(c, n->child[0])});
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

/* The caller's object that a parameter stands for, whole: by value it is a copy. */
static struct locset argument_locs(struct contract *c, const struct kt_node *arg)
{
	struct locset s = lvalue(c, arg);
	facts_reach(&s, c->f, c->a, arg);
	return s;
}

/* Does the value lead to objects that the callee may change? */
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
		grew |= mark_vars(c, &s, VAR_ADDED);
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
	if (!c->result_added[n->fn] && contract_holds_float(c->u, fn->ret) &&
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
			grew |= contract_is_added(c, p->node) && mark_vars(c, &p->locs, VAR_ADDED);
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

/* So that a cut looks at its own function, not at the unit. */
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

/* ---- a cut ---- */

/* Statements of an arm before its tail. */
static size_t heads(const struct contract_cut *cut, const struct match_arm *arm)
{
	return arm->n > cut->match->tail ? arm->n - cut->match->tail : 0;
}

static bool in_tail(const struct contract_cut *cut, const struct kt_node *n)
{
	for (size_t i = 0; i < cut->arms; i++) {
		const struct match_arm *arm = &cut->arm[i];
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
	for (size_t i = 0; i < cut->arms; i++) {
		const struct match_arm *arm = &cut->arm[i];
		for (size_t k = heads(cut, arm); k < arm->n; k++) {
			if (declared_in(c, cut, sym, arm->stmt[k], arm->stmt[k])) {
				return true;
			}
		}
	}
	return false;
}

static const struct kt_node *innermost_loop(const struct kt_node *n)
{
	while (n && !kt_is_loop(n->kind)) {
		n = n->parent;
	}
	return n;
}

/* May n run after at did: behind it, or around the back edge of a loop that holds both? */
static bool runs_behind(const struct kt_node *n, const struct kt_node *at)
{
	const struct kt_node *loop = innermost_loop(at);
	while (loop && innermost_loop(loop->parent)) {
		loop = innermost_loop(loop->parent);
	}
	return n->begin >= at->end || (loop && kt_is_below(n, loop));
}

/* Is the value known at run time only: read from memory, or a kernel's argument? */
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

/* Does an open loop that ends in between part n from the block behind the merge? */
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

/* Does the add in which access p is an operand come into, or lose, the block of a multiply that
 * gives it? Inside the tail or an arm that is so for what comes from outside; behind the merge for
 * what lives across it, since the arms that kept the blocks apart are gone. */
static bool access_is_cut(struct contract *c, const struct contract_cut *cut, const struct place *p,
	loc_id loc, const char **why)
{
	bool known;
	kt_id v = slot_of(c, loc, &known);
	if (!known || !(c->var[v] & VAR_HOLDS) || !contract_is_added(c, p->node)) {
		return false;
	}
	if (facts_function_of(c->f, p->node) != cut->fn) {
		/* in a lambda that captured it: called from wherever */
		*why = arena_printf(c->a,
			"'%s' may come from a multiply and is added in a lambda: the compiler "
			"might join "
			"the two to an FMA in other places than now",
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
	if (!inside && (!runs_behind(p->node, cut->merge) ||
			       (LOC_IS_SYM(loc) && !liveness_after(cut->live, cut->merge, loc)))) {
		return false;
	}
	*why = arena_printf(c->a,
		"'%s' may come from a multiply and is added %s: the compiler would join the two to "
		"an FMA "
		"in other places than now",
		facts_loc_name(c->f, c->a, loc),
		tail	 ? "in the code that moves"
		: inside ? "in an arm"
			 : "behind the merge");
	return true;
}

/* The same for what lives across a call to the merge's function, where that is inlined. */
static bool caller_is_cut(struct contract *c, kt_id fn, bool *seen, const char **why)
{
	const struct kt_node *const *call;
	size_t n;
	facts_callers(&call, &n, c->f, fn);
	for (size_t i = 0; i < n; i++) {
		kt_id caller = facts_function_of(c->f, call[i]);
		array_each (&c->added[caller], struct place, p) {
			bool added = caller && runs_behind(p->node, call[i]) &&
				     facts_function_of(c->f, p->node) == caller;
			/* what is declared behind the call does not live across it */
			for (uint32_t k = 0; k < p->locs.n && added; k++) {
				loc_id loc = p->locs.v[k];
				added = !LOC_IS_VAR(loc) ||
					c->u->sym[LOC_SYM(loc)].at < call[i]->begin;
			}
			if (added) {
				*why = arena_printf(c->a,
					"'%s' may come from a multiply and is added behind a call "
					"to this "
					"function: the compiler could join the two to an FMA",
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

static const struct kt_node *full_expression(const struct kt_node *n)
{
	while (n->parent && !kt_is_stmt(n->parent->kind) && n->parent->kind != KT_VAR) {
		n = n->parent;
	}
	return n;
}

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

/* Does a loop run the branch, and then the access to a variable that lives across its turns? */
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

/* May the branch come between the multiply that n's value is from, and n? */
static bool comes_between(
	struct contract *c, const struct match_arm *arm, const struct kt_node *n, struct span at)
{
	if (is_access(n)) {
		struct locset s = lvalue(c, n);
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
	/* what the operands of n hold comes before n */
	const struct kt_node *whole = full_expression(n);
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
			if (kt_is_stmt(n->kind) || n->kind == KT_VAR || !is_float(c, n) ||
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
	PART_BEHIND, /* the loop's own increment included */
	PART_COUNT
};

static enum part part_of(const struct contract_join *j, const struct kt_node *n)
{
	if (kt_is_below(n, j->merge)) {
		return kt_is_below(n, j->merge->child[KT_IF_THEN]) ? PART_THEN : PART_ELSE;
	}
	bool step = j->loop->kind == KT_FOR && kt_is_below(n, j->loop->child[KT_FOR_INC]);
	return n->begin < j->merge->begin && !step ? PART_BEFORE : PART_BEHIND;
}

static void add_part(struct contract *c, struct locset *part, const struct kt_node *n)
{
	struct fx fx = facts_effects(c->f, n);
	locset_union(part, c->a, &fx.writes);
	for (size_t i = 0; n->kind == KT_DECL && i < n->n; i++) {
		locset_add(part, c->a, LOC_VAR(n->child[i]->sym));
	}
}

/* What n writes, statement by statement, so that variables of the body count. */
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
			/* the header of a loop inside runs before and behind */
			add_part(c, &parts[PART_BEFORE], n->child[i]);
			add_part(c, &parts[PART_BEHIND], n->child[i]);
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
	kt_id v = slot_of(c, loc, &known);
	if (!known || !(c->var[v] & VAR_HOLDS) || !contract_is_added(c, p->node)) {
		return false;
	}
	if (facts_function_of(c->f, p->node) != j->fn) {
		/* in a lambda that captured it: called from wherever */
		return LOC_IS_VAR(loc) && c->u->sym[v].fn == j->fn;
	}
	if (!kt_is_below(p->node, j->loop)) {
		return false;
	}
	/* what is declared inside an arm lives in one iteration of it */
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

/* A loop whose turns are counted is unrolled, and then no border of blocks stands before it nor
 * behind it; what is made of it may be none. */
static bool crosses_loop(struct contract *c, const struct contract_join *j,
	const struct locset *parts, const struct place *p, loc_id loc)
{
	bool known;
	kt_id v = slot_of(c, loc, &known);
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
	return written && runs_behind(p->node, j->loop);
}

/* A loop of one arm runs it in every turn. */
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
		locset_union(&parts[PART_BEHIND], c->a, &fx.writes);
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
