/*
 * Clause 30 of the callee split: may the compiler contract multiplies and adds differently in the
 * parts than in the function? Every move after a merge may separate them
 * (analysis/arms/contract.h). In addition, constants of an arm become variables of the wide part
 * here.
 */
#include "analysis/arms/contract.h"
#include "strategy/extract/extract.h"

struct contraction {
	struct callee *c;
	struct contract *contract;
	bool *seen;  /* functions */
	bool varies; /* a new variable may decide a branch */
	const char *why;
};

static bool is_add(const struct callee *c, const struct kt_node *n)
{
	bool kind = n->kind == KT_BINARY || n->kind == KT_ASSIGN ||
		    (n->kind == KT_CALL && n->flags & KT_F_OPERATOR);
	return kind && n->n == 2 && (n->op == KT_OP_ADD || n->op == KT_OP_SUB) &&
	       contract_holds_float(c->u, n->type);
}

static bool branches(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_COND ||
			(n->kind == KT_BINARY && (n->op == KT_OP_LAND || n->op == KT_OP_LOR))) {
			return true;
		}
	}
	return false;
}

/* Is the product computed in this expression itself? */
static bool is_direct(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_BINARY:
		return n->op == KT_OP_MUL;
	case KT_CALL:
		return true;
	case KT_CAST:
	case KT_UNARY:
	case KT_INIT_LIST:
		for (size_t i = 0; i < n->n; i++) {
			if (!is_direct(n->child[i]) && n->child[i]->kind != KT_LITERAL) {
				return false;
			}
		}
		return n->op != KT_OP_DEREF;
	default:
		return false;
	}
}

/* Code that is not cut: the wide part, or a function that it calls. */
struct region {
	kt_id fn;
	struct span at;
};

static bool in_region(const struct region *r, const struct kt_sym *s)
{
	bool in = s->at >= r->at.begin && s->at < r->at.end;
	return in && s->kind == KT_S_LOCAL && s->fn == r->fn;
}

/* Is every variable of the expression declared in the region? */
static bool all_local(const struct callee *c, const struct kt_node *root, const struct region *r)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		const struct kt_sym *s = &c->u->sym[n->kind == KT_REF ? n->sym : 0];
		bool local = in_region(r, s);
		if ((n->kind == KT_REF && n->sym && contract_holds_float(c->u, s->type) &&
			    !local) ||
			n->kind == KT_THIS || (n->kind == KT_MEMBER && !n->child[0])) {
			return false;
		}
	}
	return true;
}

static bool add_is_cut(struct contraction *k, const struct kt_node *n, const struct region *r)
{
	struct callee *c = k->c;
	bool product[2];
	for (int i = 0; i < 2; i++) {
		/* x += a * b: x itself is an operand */
		product[i] = contract_is_product(k->contract, n->child[i]);
	}
	if (product[0] && product[1] && c->fields) {
		k->why = arena_printf(c->p->a,
			"'%s' adds two values that may come from multiplies, and with a variable "
			"in place of a constant the compiler might join the add with the other one",
			plan_quote(c->p, n));
		return true;
	}
	for (int i = 0; i < 2; i++) {
		const struct kt_node *o = n->child[i];
		if (!product[i]) {
			continue;
		}
		bool cut =
			is_direct(o) ? k->varies && branches(n) : k->varies || !all_local(c, o, r);
		if (cut) {
			k->why = arena_printf(c->p->a,
				"the add in '%s' may take the result of a multiply that would be "
				"cut from it, or be brought together with it",
				plan_quote(c->p, n));
			return true;
		}
	}
	return false;
}

static bool function_is_cut(struct contraction *k, kt_id fn);

static bool region_is_cut(struct contraction *k, const struct kt_node *root, const struct region *r)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (is_add(k->c, n) && add_is_cut(k, n, r)) {
			return true;
		}
		bool call = n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
		if (call && n->fn && function_is_cut(k, n->fn)) {
			return true;
		}
	}
	return false;
}

static bool function_is_cut(struct contraction *k, kt_id fn)
{
	const struct kt_fn *f = &k->c->u->fn[fn];
	if (k->seen[fn] || !f->body || f->in_system_header) {
		return false;
	}
	k->seen[fn] = true;
	struct span all = {f->body->begin, f->body->end};
	return region_is_cut(k, f->body, &(struct region){fn, all});
}

static bool varies(const struct callee *c)
{
	for (size_t i = 0; i < c->fields; i++) {
		if (!c->field[i].is_float) {
			return true;
		}
	}
	return false;
}

/* Does an arm keep code that the compiler cannot speculate on both paths? */
static bool arms_stay(struct callee *c)
{
	for (size_t i = 0; i < c->leaves; i++) {
		const struct fx *fx = &c->leaf[i].narrow;
		bool acts = fx->flags & (FX_CONVERGENT | FX_ORDERED);
		for (uint32_t k = 0; k < fx->writes.n && !acts; k++) {
			acts = LOC_IS_SYM(fx->writes.v[k]) &&
			       !facts_is_private(c->f, fx->writes.v[k]);
		}
		if (acts) {
			return true;
		}
	}
	return false;
}

static bool caller_is_cut(struct callee *c, struct contract *contract, const char **why)
{
	struct match_arm *arm = ARENA_ARRAY(c->p->a, struct match_arm, c->m->arms);
	struct match none = {0};
	const struct kt_node *body = callee_body(c, 0);
	const struct kt_node **wide = ARENA_ARRAY(c->p->a, const struct kt_node *, body->n);
	struct contract_moved moved = {.stmt = wide, .call = c->leaf[0].call};
	for (size_t s = 0; s < body->n; s++) {
		if (callee_is_wide(c, s)) {
			wide[moved.n++] = body->child[s];
		}
	}
	for (size_t i = 0; i < c->m->arms; i++) {
		struct arm_body b;
		arm_body_find(&b, c->p, c->m, &c->m->arm[i]);
		arm[i] = b.list;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *n = c->m->kind == MERGE_COND ? c->m->node
					  : c->leaf[i].given	   ? c->leaf[i].call
								   : NULL;
		if (n && contract_is_product(contract, n) && contract_is_added(contract, n)) {
			*why = arena_printf(c->p->a,
				"the value of '%s' may come from a multiply, and an add may take "
				"it",
				plan_quote(c->p, n));
			return true;
		}
	}
	struct contract_cut cut = {.merge = merge_statement(c->m),
		.fn = c->m->fn,
		.arm = arm,
		.arms = c->m->arms,
		.match = &none,
		.moved = &moved,
		.live = liveness_of(c->f, c->m->fn),
		.arms_stay = arms_stay(c)};
	return contract_cuts(contract, &cut, why);
}

const char *callee_cut_in(struct callee *c, const struct kt_node *stmt)
{
	struct contraction k = {.c = c,
		.contract = contract_of(c->f),
		.seen = ARENA_ARRAY(c->p->a, bool, c->u->fns),
		.varies = true};
	struct region r = {c->m->fn, {stmt->begin, stmt->end}};
	return region_is_cut(&k, stmt, &r) ? k.why : NULL;
}

bool callee_check_contract(struct callee *c)
{
	if (c->p->opts->contract_off) {
		return true;
	}
	struct contraction k = {.c = c,
		.contract = contract_of(c->f),
		.seen = ARENA_ARRAY(c->p->a, bool, c->u->fns),
		.varies = varies(c)};
	bool is_cut = caller_is_cut(c, k.contract, &k.why);
	for (size_t i = 0; i < c->leaves && !is_cut; i++) {
		struct region r = {c->leaf[i].fn, c->wide_text};
		for (size_t s = c->cut; s < c->body->n && !is_cut; s++) {
			is_cut = callee_is_wide(c, s) &&
				 region_is_cut(&k, callee_body(c, i)->child[s], &r);
		}
	}
	const struct kt_node *folded = is_cut ? NULL : callee_folded(c);
	if (folded) {
		return plan_refuse(c->p, CALLEE_CONTRACT,
			"'%s' may be a rounded constant in an arm, and not in the new function, "
			"where an add could be joined with it",
			plan_quote(c->p, folded));
	}
	return !is_cut || plan_refuse(c->p, CALLEE_CONTRACT, "%s", k.why);
}
