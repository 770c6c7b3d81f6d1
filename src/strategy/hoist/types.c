#include <string.h>
#include "strategy/hoist/hoist.h"
#include "strategy/plan/value.h"

/* Clause 10: the types of the variables that replace holes. */

static bool type_is_fixed(const struct hoist *h, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		switch (n->kind) {
		case KT_REF: {
			const struct kt_sym *s = &h->u->sym[n->sym];
			bool fixed = n->sym && (s->kind == KT_S_CONST || s->space == KT_CONSTANT);
			if (!n->sym || (!fixed && !plan_declares_type(h->p, n->sym))) {
				return false;
			}
			break;
		}
		case KT_LITERAL:
			if (n->text &&
				((n->text[0] >= 'A' && n->text[0] <= 'Z') || n->text[0] == '_')) {
				return false; /* a template's parameter */
			}
			break;
		case KT_CALL:
			if (n->fn &&
				(h->u->fn[n->fn].is_method || strchr(h->u->fn[n->fn].name, '<'))) {
				return false;
			}
			break;
		case KT_CAST: {
			struct str s = kt_source(h->u, n);
			const char *name = kt_type_bare_name(h->p->a, kt_type_of(h->u, n), false);
			if (str_find(s, name, 0) == SIZE_MAX) {
				return false;
			}
			break;
		}
		case KT_CONSTRUCT:
		case KT_THIS:
			return false;
		default:
			break;
		}
	}
	return true;
}

/* The spelling of a pointer's pointee type; NULL: not a pointer. */
static const char *pointee(const struct hoist *h, const char *type)
{
	size_t n = type ? strlen(type) : 0;
	if (n < 2 || type[n - 1] != '*') {
		return NULL;
	}
	struct str s = type_without_const((struct str){type, n - 1});
	return str_ends(s, "*") ? NULL : arena_strndup(h->p->a, s.p, s.n);
}

/* The type of a value, spelled as in the declaration of its variable, array or base pointer. NULL:
 * not found. */
static const char *spelled(const struct hoist *h, const struct kt_node *e)
{
	const struct kt_type *t = kt_type_of(h->u, e);
	const struct kt_node *m = h->m->node;
	switch (e->kind) {
	case KT_REF:
		return e->sym && t->kind != KT_T_ARRAY && h->u->sym[e->sym].kind != KT_S_FIELD
			       ? plan_written_type(h->p, e->sym, m->begin, m->end)
			       : NULL;
	case KT_INDEX: {
		const struct kt_node *base = e->child[0];
		const struct kt_type *of = kt_type_of(h->u, base);
		if (base->kind != KT_REF || !base->sym || t->kind == KT_T_ARRAY) {
			return NULL;
		}
		return of->kind == KT_T_ARRAY ? plan_written_type(h->p, base->sym, m->begin, m->end)
					      : pointee(h, spelled(h, base));
	}
	case KT_UNARY:
		return e->op == KT_OP_DEREF ? pointee(h, spelled(h, e->child[0])) : NULL;
	case KT_BINARY:
		if (t->kind != KT_T_POINTER || (e->op != KT_OP_ADD && e->op != KT_OP_SUB)) {
			return NULL;
		}
		for (size_t i = 0; i < 2; i++) { /* neither is a pointer: an array with an offset */
			if (kt_type_of(h->u, e->child[i])->kind == KT_T_POINTER) {
				return spelled(h, e->child[i]);
			}
		}
		return NULL;
	default:
		return NULL;
	}
}

const char *hoist_hole_name(const struct hoist *h, const struct hole *hole)
{
	const struct kt_type *t = hoist_hole_type(h, hole);
	bool fixed = true;
	for (size_t i = 0; plan_in_template(h->p) && i < h->m->arms; i++) {
		fixed = fixed && type_is_fixed(h, hole->expr[i]);
	}
	if (fixed) {
		return plan_type_name(h->p, t, h->m->fn, h->m->node->begin);
	}
	const char *name = spelled(h, hole->expr[0]);
	for (size_t i = 0; name && i < h->m->arms; i++) {
		const char *other = spelled(h, hole->expr[i]);
		bool same = other && strcmp(other, name) == 0 &&
			    pair_same_bare_type(t, kt_type_of(h->u, hole->expr[i]));
		name = same ? name : NULL;
	}
	return name;
}
