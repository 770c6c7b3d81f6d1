#include "analysis/facts/writes.h"

/* The use of a variable at a mention. */
enum use {
	USE_READ,
	USE_SET, /* set by the parent node: =, +=, ++ */
	USE_ANY
};

static enum use use_of(const struct kt_unit *u, const struct kt_node *ref)
{
	const struct kt_node *up = ref->parent;
	if (!up) {
		return USE_ANY;
	}
	switch (up->kind) {
	case KT_ASSIGN:
		return ref->slot == 0 ? USE_SET : USE_READ;
	case KT_UNARY:
		if (up->op == KT_OP_ADDR || up->op == KT_OP_OTHER) {
			return USE_ANY;
		}
		return kt_is_step(up) ? USE_SET : USE_READ;
	case KT_BINARY:
		return up->op == KT_OP_COMMA ? USE_ANY : USE_READ;
	case KT_COND:
		return ref->slot == KT_COND_COND ? USE_READ : USE_ANY;
	case KT_CAST: {
		const struct kt_type *t = kt_type_of(u, up);
		return t->kind == KT_T_REFERENCE ? USE_ANY : USE_READ;
	}
	case KT_VAR:
		return kt_type_of(u, up)->kind == KT_T_REFERENCE ? USE_ANY : USE_READ;
	case KT_CALL: {
		if (up->flags & (KT_F_METHOD | KT_F_OPERATOR) || !up->fn) {
			return USE_ANY;
		}
		const struct kt_fn *fn = &u->fn[up->fn];
		bool by_value = ref->slot < fn->params &&
				u->type[u->sym[fn->param[ref->slot]].type].kind != KT_T_REFERENCE;
		return by_value ? USE_READ : USE_ANY;
	}
	case KT_INDEX:
	case KT_IF:
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
	case KT_SWITCH:
	case KT_COMPOUND:
		return USE_READ;
	case KT_MEMBER:
		return up->flags & KT_F_ARROW ? USE_READ : USE_ANY;
	default:
		return USE_ANY;
	}
}

bool local_is_plain(const struct kt_unit *u, kt_id sym)
{
	const struct kt_sym *s = &u->sym[sym];
	return kt_is_variable(u, sym) && s->kind == KT_S_LOCAL && s->space == KT_PRIVATE &&
	       !s->is_static && !kt_is_reference(u, sym);
}

const struct kt_node *local_next_write(
	const struct kt_unit *u, const struct kt_node *body, kt_id sym, const struct kt_node *after)
{
	const struct kt_node *n = after ? kt_next(after, body) : body;
	for (; n; n = kt_next(n, body)) {
		bool declares = n->kind == KT_VAR && n->sym == sym;
		bool hides = n->kind == KT_ASM || n->kind == KT_STMT_UNKNOWN ||
			     n->kind == KT_EXPR_UNKNOWN || n->kind == KT_GOTO ||
			     n->kind == KT_LAMBDA;
		if (declares || hides || (kt_names(n, sym) && use_of(u, n) != USE_READ)) {
			return n;
		}
	}
	return NULL;
}

bool local_is_declared_by(const struct kt_node *n)
{
	return n->kind == KT_VAR && n->parent && n->parent->kind == KT_DECL;
}

const struct kt_node *local_only_value(
	const struct kt_unit *u, const struct kt_node *body, kt_id sym)
{
	if (!local_is_plain(u, sym)) {
		return NULL;
	}
	const struct kt_node *first = local_next_write(u, body, sym, NULL);
	bool declared = first && local_is_declared_by(first) && first->n == 1;
	return declared && !local_next_write(u, body, sym, first) ? first->child[0] : NULL;
}
