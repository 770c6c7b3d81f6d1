#include "analysis/lanes.h"

#include <string.h>

enum {
	ROUNDS_MAX = 32 /* what is not found by then is taken not to depend on the lane */
};

struct lanes {
	struct facts *f;
	const struct kt_unit *u;
	bool *value;   /* by symbol: what it was set to */
	bool *content; /* by symbol: what was stored in it, or through it */
	bool *result;  /* by function */
	bool changed;
};

static void mark(struct lanes *l, bool *at)
{
	l->changed |= !*at;
	*at = true;
}

static bool is_source(const struct lanes *l, const struct kt_node *n)
{
	if (n->kind == KT_REF && n->sym) {
		const struct kt_sym *s = &l->u->sym[n->sym];
		return l->value[n->sym] || l->content[n->sym] ||
		       (s->kind == KT_S_GLOBAL && strcmp(s->name, "threadIdx") == 0);
	}
	if (n->kind != KT_CALL && n->kind != KT_CONSTRUCT) {
		return false;
	}
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(l->f, n) : NULL;
	return (in && in->kind == INTRINSIC_LANE) || (n->fn && l->result[n->fn]);
}

/* readfirstlane and its like: what lanes make of each other's values is not told apart. */
static bool is_exchange(const struct lanes *l, const struct kt_node *n)
{
	const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(l->f, n) : NULL;

	return in && in->kind == INTRINSIC_CROSSLANE;
}

bool lanes_differ(const struct lanes *l, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n;) {
		if (is_source(l, n)) {
			return true;
		}
		n = is_exchange(l, n) ? kt_skip(n, root) : kt_next(n, root);
	}
	return false;
}

/* The variable that an lvalue or an address is made of, or 0. *through: what is reached from it. */
static kt_id root_of(const struct kt_node *n, bool *through)
{
	while (n && n->kind != KT_REF) {
		bool passes = n->kind == KT_MEMBER || n->kind == KT_INDEX || n->kind == KT_UNARY ||
			      n->kind == KT_CAST || (n->kind == KT_BINARY && n->op != KT_OP_COMMA);
		*through |= n->kind == KT_MEMBER || n->kind == KT_INDEX || n->op == KT_OP_DEREF;
		n = passes && n->n ? n->child[0] : NULL;
	}
	return n ? n->sym : 0;
}

static void set(struct lanes *l, const struct kt_node *to)
{
	bool through = false;
	kt_id sym = root_of(to, &through);

	if (sym) {
		through |= kt_is_reference(l->u, sym);
		mark(l, through ? &l->content[sym] : &l->value[sym]);
	}
}

/* Both ways: values into parameters, and what is stored through these out again. */
static void pass(struct lanes *l, const struct kt_node *call)
{
	const struct kt_fn *fn = &l->u->fn[call->fn];
	bool method = call->flags & KT_F_METHOD;

	for (size_t i = 0; i < call->n; i++) {
		size_t at = method ? i - 1 : i;
		kt_id to = method && i == 0 ? fn->self : at < fn->params ? fn->param[at] : 0;
		bool through = false;
		kt_id from = to && call->child[i] ? root_of(call->child[i], &through) : 0;
		if (to && call->child[i] && lanes_differ(l, call->child[i])) {
			mark(l, &l->value[to]);
		}
		if (from && l->content[to]) {
			mark(l, &l->content[from]);
		}
	}
}

static void look_at(struct lanes *l, kt_id fn, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_VAR:
		if (n->sym && n->n && n->child[0] && lanes_differ(l, n->child[0])) {
			mark(l, &l->value[n->sym]);
		}
		break;
	case KT_ASSIGN:
		if (lanes_differ(l, n)) {
			set(l, n->child[0]);
		}
		break;
	case KT_RETURN:
		if (n->n && n->child[0] && lanes_differ(l, n->child[0])) {
			mark(l, &l->result[fn]);
		}
		break;
	case KT_CALL:
	case KT_CONSTRUCT:
		if (n->fn) {
			pass(l, n);
		}
		break;
	default:
		break;
	}
}

struct lanes *lanes_create(struct facts *f, struct arena *a)
{
	struct lanes *l = ARENA_NEW(a, struct lanes);

	*l = (struct lanes){.f = f, .u = facts_unit(f), .changed = true};
	l->value = ARENA_ARRAY(a, bool, l->u->syms);
	l->content = ARENA_ARRAY(a, bool, l->u->syms);
	l->result = ARENA_ARRAY(a, bool, l->u->fns);
	for (unsigned round = 0; l->changed && round < ROUNDS_MAX; round++) {
		l->changed = false;
		for (kt_id fn = 1; fn < l->u->fns; fn++) {
			const struct kt_node *body =
				l->u->fn[fn].kind == KT_FN_HOST ? NULL : l->u->fn[fn].body;
			for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
				look_at(l, fn, n);
			}
		}
	}
	return l;
}
