/* Numbers to launch with, from the literals of the code. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verify/init/params.h"

static void add_real(struct params *p, double v)
{
	static const size_t most = 12;
	bool known = !isfinite(v) || fabs(v) > 1e30;
	array_each (&p->reals, const double, r) {
		known |= *r == v;
	}
	if (!known && p->reals.n < most) {
		array_push(&p->reals, v);
	}
}

static void add_whole(struct params *p, int64_t v)
{
	static const size_t most = 24;
	bool known = false;
	array_each (&p->wholes, const int64_t, w) {
		known |= *w == v;
	}
	if (!known && p->wholes.n < most) {
		array_push(&p->wholes, v);
	}
}

static bool compares(enum kt_op op)
{
	return op == KT_OP_LT || op == KT_OP_GT || op == KT_OP_LE || op == KT_OP_GE ||
	       op == KT_OP_EQ || op == KT_OP_NE;
}

static void add_constants(struct params *p, const struct kt_node *body)
{
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		const struct kt_node *up = n->parent;
		bool is_real = kt_type_of(p->u, n)->kind == KT_T_FLOAT;
		if (n->kind == KT_LITERAL && n->text && is_real) {
			add_real(p, strtod(n->text, NULL));
		}
		if ((n->flags & KT_F_VALUE) && up && !is_real &&
			(up->kind == KT_CASE || (up->kind == KT_BINARY && compares(up->op)))) {
			add_whole(p, n->value);
		}
	}
}

void params_add_constants(struct params *p)
{
	for (size_t i = 1; i < p->u->fns; i++) {
		const struct kt_fn *fn = &p->u->fn[i];
		if (fn->kind != KT_FN_HOST && !fn->in_system_header && fn->body) {
			add_constants(p, fn->body);
		}
	}
}

/* Is n the parameter being split, or its member at path? */
static bool is_number_at(const struct params *p, const struct kt_node *n, const char *path)
{
	const char *dot = strrchr(path, '.');
	return dot ? n->kind == KT_MEMBER && n->text && strcmp(n->text, dot + 1) == 0
		   : kt_names(n, p->symbol);
}

/* The literal that n is compared with for equality; KT_NO_VALUE: none. */
static int64_t equated_with(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	const struct kt_node *other = NULL;
	if (up && up->kind == KT_BINARY && (up->op == KT_OP_EQ || up->op == KT_OP_NE)) {
		other = up->child[up->child[0] == n];
	}
	return other && other->flags & KT_F_VALUE ? other->value : KT_NO_VALUE;
}

void params_find_constants(struct slot *s, const struct params *p, const char *path)
{
	enum {
		MOST = 8
	};
	int64_t *v = ARENA_ARRAY(p->a, int64_t, MOST);
	const struct kt_node *body = p->fn->body;
	const struct kt_node *at = NULL; /* the switch on it */
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		int64_t found = is_number_at(p, n, path) ? equated_with(n) : KT_NO_VALUE;
		if (n->kind == KT_SWITCH) {
			const struct kt_node *on = n->child[KT_SWITCH_COND];
			at = on && is_number_at(p, on, path) ? n : at;
		} else if (n->kind == KT_CASE && at && n->begin < at->end) {
			found = n->child[KT_CASE_VALUE] ? n->child[KT_CASE_VALUE]->value : found;
		}
		bool known = found == KT_NO_VALUE || s->constants == MOST;
		for (size_t i = 0; i < s->constants; i++) {
			known |= v[i] == found;
		}
		if (!known) {
			v[s->constants++] = found;
		}
	}
	s->constant = v;
}
