/* The expressions that count as memory accesses, and whether an access happens whenever its
 * statement runs. */
#include "analysis/memory/access_seen.h"

#include <string.h>

/* Is it a number type that vectors can have as elements? By its C++ name. */
static bool is_element(const struct access_finder *w, kt_id type)
{
	static const char *const names[] = {"char", "signed char", "unsigned char", "short",
		"unsigned short", "int", "unsigned int", "long", "unsigned long", "long long",
		"unsigned long long", "float", "double", "_Float16", NULL};
	const char *name = kt_type_bare_name(w->a, &w->u->type[type], true);
	static const char qualifier[] = "volatile "; /* found too, and refused later */
	bool qualified = name && strncmp(name, qualifier, strlen(qualifier)) == 0;
	name = qualified ? name + strlen(qualifier) : name;
	return name && str_is_any(str_of(name), names);
}

bool access_is_pointer_variable(const struct access_finder *w, const struct kt_node *n)
{
	const struct kt_sym *s = &w->u->sym[n->kind == KT_REF ? n->sym : 0];
	return n->kind == KT_REF && kt_is_variable(w->u, n->sym) && !s->is_static &&
	       s->space == KT_PRIVATE && w->u->type[s->type].kind == KT_T_POINTER;
}

bool access_take_apart(const struct access_finder *w, const struct kt_node *n,
	const struct kt_node **ref, const struct kt_node **index)
{
	const struct kt_node *pair = n->kind == KT_INDEX ? n : NULL;
	if (n->kind == KT_UNARY && n->op == KT_OP_DEREF) {
		const struct kt_node *c = n->child[0];
		pair = c->kind == KT_BINARY && c->op == KT_OP_ADD ? c : NULL;
		*ref = c;
		*index = NULL;
		if (!pair) {
			return access_is_pointer_variable(w, c);
		}
	}
	for (size_t i = 0; pair && i < 2; i++) {
		if (access_is_pointer_variable(w, pair->child[i])) {
			*ref = pair->child[i];
			*index = pair->child[1 - i];
			return true;
		}
	}
	return false;
}

static bool by_value(const struct access_finder *w, kt_id type)
{
	return w->u->type[type].kind != KT_T_REFERENCE;
}

/* Is the node used only for its value, so that a copy would do? */
static bool is_load(const struct access_finder *w, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	switch (up->kind) {
	case KT_BINARY:
		return up->op != KT_OP_COMMA;
	case KT_ASSIGN:
		return n->slot == 1;
	case KT_UNARY:
		return up->op == KT_OP_NEG || up->op == KT_OP_PLUS || up->op == KT_OP_NOT ||
		       up->op == KT_OP_LNOT;
	case KT_COND:
		return n->slot == KT_COND_COND && up->child[KT_COND_THEN];
	case KT_VAR:
	case KT_CAST:
		return by_value(w, up->type) &&
		       (up->kind == KT_CAST || by_value(w, w->u->sym[up->sym].type));
	case KT_RETURN:
		return by_value(w, w->u->fn[w->fn].ret);
	case KT_INDEX:
		return n->slot == 1;
	case KT_INIT_LIST: {
		const struct kt_type *t = kt_type_of(w->u, up);
		return t->kind == KT_T_VECTOR || t->kind == KT_T_ARRAY;
	}
	case KT_CALL: {
		bool plain = !(up->flags & (KT_F_METHOD | KT_F_OPERATOR)) && up->fn;
		const struct kt_fn *fn = plain ? &w->u->fn[up->fn] : NULL;
		return fn && n->slot < fn->params &&
		       by_value(w, w->u->sym[fn->param[n->slot]].type);
	}
	default:
		return false;
	}
}

static bool is_store(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return up->kind == KT_ASSIGN && up->op == KT_OP_NONE && n->slot == 0 && up->parent &&
	       (up->parent->kind == KT_COMPOUND || kt_is_loop(up->parent->kind));
}

/* Is n evaluated whenever the statement is? */
static bool is_always(const struct kt_node *n, const struct kt_node *stmt)
{
	for (; n != stmt; n = n->parent) {
		const struct kt_node *up = n->parent;
		switch (up->kind) {
		case KT_BINARY:
			if ((up->op == KT_OP_LAND || up->op == KT_OP_LOR) && n->slot == 1) {
				return false;
			}
			break;
		case KT_COND:
			if (n->slot != KT_COND_COND) {
				return false;
			}
			break;
		case KT_IF:
			if (n->slot == KT_IF_THEN || n->slot == KT_IF_ELSE) {
				return false;
			}
			break;
		case KT_DECL:
		case KT_VAR:
		case KT_ASSIGN:
		case KT_UNARY:
		case KT_CALL:
		case KT_CAST:
		case KT_CONSTRUCT:
		case KT_INIT_LIST:
		case KT_INDEX:
		case KT_MEMBER:
		case KT_RETURN:
			break;
		default:
			return false;
		}
	}
	return true;
}

void access_look_at(struct access_finder *w, const struct kt_node *stmt)
{
	for (const struct kt_node *n = stmt; n; n = kt_next(n, stmt)) {
		struct seen s = {.node = n, .stmt = stmt};
		const struct kt_node *index;
		if (n == stmt || !access_take_apart(w, n, &s.ref, &index) ||
			!is_element(w, n->type)) {
			continue;
		}
		s.store = is_store(n);
		if ((!s.store && !is_load(w, n)) || !is_always(n, stmt)) {
			continue;
		}
		index_sum_of(&s.sum, &w->x, index);
		if (!s.sum.bad) {
			array_push(&w->seen, s);
		}
	}
}
