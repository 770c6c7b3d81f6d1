#include "strategy/extract/extract.h"

#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/value.h"

/* The object in "w." and "this->w.template "; for a functor w itself; n 0: other text follows. */
static struct str object_text(const struct callee *c, struct str prefix)
{
	struct lex_token last = {0}, before = {0};
	lex_each (k, prefix, 0, prefix.n) {
		bool word = lex_is(prefix, k, "template");
		before = word ? before : last;
		last = word ? last : k;
	}
	bool functor = c->pattern.functor && !c->leaf[0].text.name.end;
	size_t end = functor ? last.end : lex_is(prefix, last, ".") ? before.end : 0;
	return str_sub(prefix, 0, end);
}

/* The class of a method call's object (variable, member or temporary), as the merge can spell it;
 * NULL: it cannot. */
static const char *object_class(const struct callee *c, struct str prefix)
{
	const struct kt_node *o = c->leaf[0].call->child[0], *m = c->m->node;
	struct str text = object_text(c, prefix);
	bool made = o->kind == KT_CAST || o->kind == KT_CONSTRUCT;
	bool named = (o->kind == KT_REF || o->kind == KT_MEMBER) && o->sym &&
		     str_ends(text, c->u->sym[o->sym].name);
	if (!text.n || !(made || named)) {
		return NULL;
	}
	if (made || !kt_is_reference(c->u, o->sym)) {
		return arena_printf(c->p->a, "decltype(%.*s)", STR_ARG(text));
	}
	/* its decltype is a reference, not a class */
	return o->kind == KT_REF ? plan_written_type(c->p, o->sym, m->begin, m->end) : NULL;
}

/* Does the merge find the method by its unqualified name? Not in a template if its class is a
 * base. */
static bool is_own_method(const struct callee *c)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn], *of = &c->u->fn[c->m->fn];
	return !plan_in_template(c->p) || !fn->self || !of->self || of->is_lambda ||
	       c->u->sym[fn->self].type == c->u->sym[of->self].type ||
	       pair_same_bare_type(kt_object_type(c->u, c->u->sym[fn->self].type),
		       kt_object_type(c->u, c->u->sym[of->self].type));
}

/* The name of a state declared before the class, in its namespace. */
static const char *state_beside_class(const struct callee *c, const char *state)
{
	struct str class = callee_class_name(&c->u->fn[c->leaf[0].fn]),
		   word = callee_class_word(class);
	size_t at = str_find(class, "<", 0);
	struct str scope = str_sub(class, 0, (at < class.n ? at : class.n) - word.n);
	if (callee_names_found(c)) {
		return state;
	}
	if (!str_ends(scope, "::") || str_find(scope, "(", 0) != SIZE_MAX) {
		plan_refuse(c->p, CALLEE_TYPE, "the namespace of '%.*s' cannot be written down",
			STR_ARG(class));
		return NULL;
	}
	return arena_printf(c->p->a, "::%.*s%s", STR_ARG(scope), state);
}

const char *callee_state_type(const struct callee *c, const char *state)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	struct str prefix = callee_text(c, c->leaf[0].text.prefix);
	bool method = fn->is_method && !fn->is_lambda;
	bool called_for = method && c->leaf[0].call->flags & KT_F_METHOD;
	bool on_this = called_for && c->leaf[0].call->child[0]->kind == KT_THIS;
	if (c->pattern.of.all.end) {
		return state_beside_class(c, state);
	}
	if (!method) {
		bool member = plan_in_template(c->p) && prefix.n &&
			      !layout_in_namespaces(c->p->text, c->pattern.all.begin);
		return arena_printf(
			c->p->a, "%s%.*s%s", member ? "typename " : "", STR_ARG(prefix), state);
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
