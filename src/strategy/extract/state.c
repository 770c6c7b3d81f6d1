#include "strategy/extract/extract.h"

#include "analysis/arms/match.h"
#include "frontend/text/lex.h"
#include "strategy/plan/value.h"

/* Where the object's name ends in "w.", "this->w.template "; 0: it is no name that a dot
 * follows. */
static size_t object_end(const struct callee *c, struct str prefix, const struct kt_node *o)
{
	struct lex_token last = {0}, k = lex_next(prefix, 0);
	for (; k.kind != LEX_END && !lex_is(prefix, k, "template"); k = lex_next(prefix, k.end)) {
		if (lex_is(prefix, k, ".") && lex_is(prefix, last, c->u->sym[o->sym].name)) {
			struct lex_token next = lex_next(prefix, k.end);
			if (next.kind == LEX_END || lex_is(prefix, next, "template")) {
				return last.end;
			}
		}
		last = k;
	}
	return 0;
}

/* The class of the variable or member that a method is called for, as the merge can name it;
 * NULL: it cannot. */
static const char *object_class(const struct callee *c, struct str prefix)
{
	const struct kt_node *o = c->leaf[0].call->child[0], *m = c->m->node;
	bool named = (o->kind == KT_REF || o->kind == KT_MEMBER) && o->sym;
	size_t end = named ? object_end(c, prefix, o) : 0;
	if (!end) {
		return NULL;
	}
	if (!kt_is_reference(c->u, o->sym)) {
		return arena_printf(c->p->a, "decltype(%.*s)", (int)end, prefix.p);
	}
	/* decltype of it is no class */
	return o->kind == KT_REF ? plan_written_type(c->p, o->sym, m->begin, m->end) : NULL;
}

/* Is the method found by its name alone, where the merge is? In a template not if its class is a
 * base. */
static bool is_own_method(const struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn], *of = &c->u->fn[c->m->fn];
	return !plan_in_template(c->p) || !fn->self || !of->self ||
	       c->u->sym[fn->self].type == c->u->sym[of->self].type ||
	       pair_same_bare_type(kt_object_type(c->u, c->u->sym[fn->self].type),
		       kt_object_type(c->u, c->u->sym[of->self].type));
}

const char *callee_state_type(const struct callee *c, const char *state)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	struct str prefix = callee_text(c, c->leaf[0].text.prefix);
	bool method = fn->is_method && !fn->is_lambda;
	bool called_for = method && c->leaf[0].call->flags & KT_F_METHOD;
	bool on_this = called_for && c->leaf[0].call->child[0]->kind == KT_THIS;
	if (!method) {
		return arena_printf(c->p->a, "%.*s%s", STR_ARG(prefix), state);
	}
	if ((prefix.n == 0 || on_this) && is_own_method(c)) {
		return state;
	}
	const struct kt_type *self = &c->u->type[fn->self ? c->u->sym[fn->self].type : 0];
	const char *class = kt_type_bare_name(c->p->a, kt_object_type(c->u, self->elem), false);
	bool in_template = plan_in_template(c->p);
	if (in_template || !type_is_nameable(str_of(class))) {
		const char *object = called_for ? object_class(c, prefix) : NULL;
		if (!object) {
			plan_refuse(c->p, CALLEE_TYPE,
				"the class of '%s' (%s) cannot be written down, or may depend on a "
				"template's parameter",
				fn->base, class);
			return NULL;
		}
		class = arena_printf(c->p->a, "%s%s", in_template ? "typename " : "", object);
	}
	return arena_printf(c->p->a, "%s::%s", class, state);
}
