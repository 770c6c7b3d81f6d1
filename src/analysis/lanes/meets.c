#include "analysis/lanes/meets.h"

#include "analysis/facts/asm.h"
#include "base/array.h"

/* The operation that a function's body reaches; NULL also during the search, so that recursion
 * ends. */
struct body_met {
	kt_id fn;
	const struct kt_node *at;
};

/* Does a function's body always return? True also during the search. */
struct body_back {
	kt_id fn;
	bool back;
};

struct way {
	struct facts *f;
	const struct kt_unit *u;
	ARRAY(struct body_met) bodies;
	ARRAY(struct body_back) backs;
};

static const struct kt_node *met(struct way *w, const struct kt_node *n);

static unsigned flags_of(struct way *w, const struct kt_node *n)
{
	return facts_effects(w->f, n).flags;
}

/* ---- code that returns ---- */

static bool comes_back(struct way *w, const struct kt_node *root);

static bool body_comes_back(struct way *w, kt_id fn)
{
	array_each (&w->backs, const struct body_back, b) {
		if (b->fn == fn) {
			return b->back;
		}
	}
	size_t i = w->backs.n;
	array_push(&w->backs, ((struct body_back){fn, true}));
	bool back = comes_back(w, w->u->fn[fn].body);
	w->backs.v[i].back = back;
	return back;
}

/* Is the only unknown code in it asm with listed instructions? */
static bool comes_back(struct way *w, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool call = n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
		bool back = n->kind != KT_EXPR_UNKNOWN && n->kind != KT_STMT_UNKNOWN;
		if (n->kind == KT_ASM) {
			back = asm_goes_on(facts_intrinsics(w->f), n) ||
			       !(flags_of(w, n) & FX_UNKNOWN);
		} else if (call && flags_of(w, n) & FX_UNKNOWN) {
			back = n->fn && w->u->fn[n->fn].body && body_comes_back(w, n->fn);
		}
		if (!back) {
			return false;
		}
	}
	return true;
}

/* May n leave before its end, or be entered by a jump? */
static bool may_leave(struct way *w, const struct kt_node *n)
{
	unsigned flags = flags_of(w, n);
	return flags & (FX_EXIT | FX_LABEL) || (flags & FX_UNKNOWN && !comes_back(w, n));
}

/* ---- operations that are reached ---- */

/* The parts of n, one after the other. */
static const struct kt_node *met_part(
	struct way *w, const struct kt_node *n, size_t first, size_t last)
{
	for (size_t i = first; i < last && i < n->n; i++) {
		const struct kt_node *at = n->child[i] ? met(w, n->child[i]) : NULL;
		if (at || (n->child[i] && may_leave(w, n->child[i]))) {
			return at;
		}
	}
	return NULL;
}

static const struct kt_node *met_slot(struct way *w, const struct kt_node *n, size_t slot)
{
	return met_part(w, n, slot, slot + 1);
}

/* ---- calls ---- */

/* Is it a barrier at which all lanes of a work-group wait? Others only signal, or are for
 * clusters. */
static bool is_whole(const struct intrinsic *in)
{
	bool barrier = in->form == FORM_BLOCK || in->form == FORM_BARE || in->form == FORM_VALUE;
	return barrier || in->kind == INTRINSIC_MATRIX;
}

static const struct kt_node *met_body(struct way *w, kt_id fn)
{
	array_each (&w->bodies, const struct body_met, b) {
		if (b->fn == fn) {
			return b->at;
		}
	}
	size_t i = w->bodies.n;
	array_push(&w->bodies, ((struct body_met){.fn = fn}));
	const struct kt_node *at = met(w, w->u->fn[fn].body);
	w->bodies.v[i].at = at;
	return at;
}

static const struct kt_node *met_call(struct way *w, const struct kt_node *n)
{
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(w->f, n) : NULL;
	if (in) {
		return is_whole(in) ? n : NULL; /* others may not evaluate all arguments */
	}
	const struct kt_node *at = met_part(w, n, 0, n->n);
	if (!at && n->fn && w->u->fn[n->fn].body) {
		at = met_body(w, n->fn);
		at = at && at->file != n->file ? n : at;
	}
	return at;
}

/* ---- branches and loops ---- */

/* For a choice by child cond: the operation that both others reach, or that the one taken by a
 * constant reaches. */
static const struct kt_node *met_choice(
	struct way *w, const struct kt_node *n, size_t cond, size_t then)
{
	const struct kt_node *c = n->child[cond];
	const struct kt_node *one = met_slot(w, n, then);
	const struct kt_node *other = met_slot(w, n, then + 1);
	if (c && c->flags & KT_F_VALUE) {
		return c->value ? one : other;
	}
	return other ? one : NULL;
}

static bool compares(enum kt_op op, int64_t x, int64_t y)
{
	switch (op) {
	case KT_OP_LT:
		return x < y;
	case KT_OP_LE:
		return x <= y;
	case KT_OP_GT:
		return x > y;
	case KT_OP_GE:
		return x >= y;
	case KT_OP_NE:
		return x != y;
	default:
		return false;
	}
}

/* Is the first test known to be true: for (T i = A; i < B; ...) with constants, or no test at
 * all? */
static bool is_entered(const struct kt_node *loop)
{
	bool counts = loop->kind == KT_FOR;
	const struct kt_node *cond = loop->child[counts ? KT_FOR_COND : KT_WHILE_COND];
	const struct kt_node *init = counts ? loop->child[KT_FOR_INIT] : NULL;
	if (!cond || cond->flags & KT_F_VALUE) {
		return cond ? cond->value != 0 : counts;
	}
	const struct kt_node *var =
		init && init->kind == KT_DECL && init->n == 1 ? init->child[0] : NULL;
	bool plain = var && var->kind == KT_VAR && var->n == 1 &&
		     var->child[0]->flags & KT_F_VALUE && var->child[0]->value >= 0;
	return plain && cond->kind == KT_BINARY && cond->n == 2 &&
	       kt_names(cond->child[0], var->sym) && cond->child[1]->flags & KT_F_VALUE &&
	       cond->child[1]->value >= 0 &&
	       compares(cond->op, var->child[0]->value, cond->child[1]->value);
}

static const struct kt_node *met_loop(struct way *w, const struct kt_node *n)
{
	size_t last = n->kind == KT_FOR ? KT_FOR_COND : KT_WHILE_COND;
	const struct kt_node *at = met_part(w, n, 0, last + 1);
	return at || !is_entered(n) ? at : met(w, kt_loop_body(n));
}

/* ---- statements ---- */

static const struct kt_node *met_statement(struct way *w, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_COMPOUND:
	case KT_DECL:
	case KT_RETURN:
	case KT_DEFAULT:
		return met_part(w, n, 0, n->n);
	case KT_CASE:
		return met_slot(w, n, KT_CASE_STMT);
	case KT_IF: {
		const struct kt_node *at = met_part(w, n, 0, KT_IF_COND + 1);
		return at ? at : met_choice(w, n, KT_IF_COND, KT_IF_THEN);
	}
	case KT_SWITCH:
		return met_part(w, n, 0, KT_SWITCH_COND + 1);
	case KT_FOR:
	case KT_WHILE:
		return met_loop(w, n);
	case KT_DO:
		return met(w, kt_loop_body(n));
	case KT_ASM:
		return asm_effect(w->u, facts_intrinsics(w->f), n) == ASM_MATRIX ? n : NULL;
	default:
		return NULL;
	}
}

static const struct kt_node *met_expression(struct way *w, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_VAR: /* a static variable is initialized once, by the first caller */
		return kt_is_variable(w->u, n->sym) ? met_part(w, n, 0, n->n) : NULL;
	case KT_CALL:
	case KT_CONSTRUCT:
		return met_call(w, n);
	case KT_BINARY:
		return met_part(w, n, 0, n->op == KT_OP_LAND || n->op == KT_OP_LOR ? 1 : n->n);
	case KT_COND: {
		const struct kt_node *at = met_slot(w, n, KT_COND_COND);
		return at ? at : met_choice(w, n, KT_COND_COND, KT_COND_THEN);
	}
	case KT_UNARY:
	case KT_ASSIGN:
	case KT_CAST:
	case KT_MEMBER:
	case KT_INDEX:
	case KT_INIT_LIST:
		return met_part(w, n, 0, n->n);
	default:
		return NULL;
	}
}

static const struct kt_node *met(struct way *w, const struct kt_node *n)
{
	if (!(flags_of(w, n) & (FX_MATRIX | FX_BARRIER))) {
		return NULL;
	}
	if (kt_is_stmt(n->kind)) {
		return met_statement(w, n);
	}
	/* code that leaves the expression may do so before any part of it */
	return may_leave(w, n) ? NULL : met_expression(w, n);
}

const struct kt_node *meets_whole(struct facts *f, const struct kt_node *n)
{
	struct way w = {.f = f, .u = facts_unit(f)};
	const struct kt_node *at = n ? met(&w, n) : NULL;
	array_release(&w.bodies);
	array_release(&w.backs);
	return at;
}

const struct kt_node *meets_whole_part(
	struct facts *f, const struct kt_node *n, size_t first, size_t last)
{
	struct way w = {.f = f, .u = facts_unit(f)};
	const struct kt_node *at = met_part(&w, n, first, last);
	array_release(&w.bodies);
	array_release(&w.backs);
	return at;
}
