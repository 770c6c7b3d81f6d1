/*
 * What is bound to a reference is more than a value: overloads and template arguments are chosen by
 * whether it is const. The variable that takes a hole is seen as the hole was.
 */
#include "strategy/hoist.h"

/* The place where n, or a choice that n is a branch of, stands. */
static const struct kt_node *outermost_choice(const struct kt_node *n)
{
	for (;;) {
		const struct kt_node *up = n->parent;
		bool branch = up->kind == KT_COND && n->slot != KT_COND_COND;
		bool last = up->kind == KT_BINARY && up->op == KT_OP_COMMA && n->slot == 1;
		if (!branch && !last) {
			return n;
		}
		n = up;
	}
}

/* Functions of system headers take what is const and what is not alike. */
static bool binds(const struct hoist *h, const struct kt_node *n)
{
	n = outermost_choice(n);
	const struct kt_node *up = n->parent;
	const struct kt_fn *fn = up->fn ? &h->u->fn[up->fn] : NULL;
	if (up->kind == KT_VAR) {
		return h->u->type[up->type].kind == KT_T_REFERENCE &&
		       !hoist_declared_type_is(h, up->sym); /* auto & */
	}
	if ((up->kind != KT_CALL && up->kind != KT_CONSTRUCT) || !fn || fn->in_system_header) {
		return false;
	}
	kt_id param = kt_param_of(h->u, n);
	return up->kind == KT_CONSTRUCT || (up->flags & KT_F_METHOD && n->slot == 0) || !fn->body ||
	       (param && kt_is_reference(h->u, param));
}

/* (The match lets a hole be bound only to a reference to const, and only where it names an object.
 * One that is not const was taken for want of a function that would change it.) */
bool hoist_binds_const(const struct hoist *h, const struct hole *hole)
{
	bool is_const = false;
	for (size_t i = 0; i < h->m->arms; i++) {
		is_const |= kt_type_of(h->u, hole->expr[i])->is_const;
	}
	return is_const && binds(h, hole->expr[0]);
}
