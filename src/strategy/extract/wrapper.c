/*
 * A split function that has other callers: may it become a wrapper, whose body calls the narrow
 * part and then the wide one? The statements run in the same order, on the same objects, if
 *
 *   - arguments of both parts are passed on unchanged: references, and trivially copyable values
 *     that the narrow part does not modify (clause 25);
 *   - passed values are the narrow part's own, or addresses, but no copies of the referents of
 *     reference parameters: in another call the wide part may write these;
 *   - declarations repeated in both parts depend only on variables of the function.
 *
 * Clauses 23 to 30 hold for the checked instances of the function and all their callers, since they
 * are about its own code. choose checks whether there are other instances.
 */
#include "strategy/extract/extract.h"
#include "strategy/extract/needs.h"

static bool is_reference(const struct callee *c, kt_id sym)
{
	return c->u->type[c->u->sym[sym].type].kind == KT_T_REFERENCE;
}

static bool passes_on(const struct callee *c, size_t i)
{
	const struct callee_param *q = &c->pattern.param[i];
	kt_id sym = c->u->fn[c->leaf[0].fn].param[i];
	bool used = q->narrow || q->wide;
	bool copies = q->passed && is_reference(c, sym);
	for (size_t k = 0; k < c->fields && copies; k++) {
		copies = !(c->field[k].pointer && str_is(q->name, c->field[k].name));
	}
	return !used ||
	       (q->name.n && !copies && str_find(callee_text(c, q->text), "&&", 0) == SIZE_MAX &&
		       (is_reference(c, sym) ||
			       needs_plain_type(&c->u->type[c->u->sym[sym].type])));
}

/* Does the declaration read only variables of the function, and no references? */
static bool is_of_own(const struct callee *c, size_t leaf, const struct kt_node *decl)
{
	struct fx fx = facts_effects(c->f, decl);
	for (uint32_t i = 0; i < fx.reads.n; i++) {
		kt_id sym = LOC_IS_VAR(fx.reads.v[i]) ? LOC_SYM(fx.reads.v[i]) : 0;
		if (!sym || c->u->sym[sym].fn != c->leaf[leaf].fn || is_reference(c, sym)) {
			return false;
		}
	}
	return !fx_acts(&fx);
}

static bool declares_lambda(const struct kt_node *decl)
{
	const struct kt_node *v = decl->n == 1 ? decl->child[0] : NULL;
	return v && v->n == 1 && v->child[0]->kind == KT_LAMBDA;
}

static bool copies_own(const struct callee *c)
{
	for (size_t i = 0; i < c->copies; i++) {
		for (size_t k = 0; k < c->leaves; k++) {
			const struct kt_node *decl = callee_body(c, k)->child[c->copy[i].stmt];
			/* a lambda that captures by reference finds the same names in both */
			if (!declares_lambda(decl) && !is_of_own(c, k, decl)) {
				return false;
			}
		}
	}
	return true;
}

/* Can its template parameters be passed on by name? */
static bool names_template_parameters(const struct callee *c)
{
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		const struct callee_tparam *q = &c->pattern.tparam[i];
		if (!q->name.n || str_find(callee_text(c, q->text), "...", 0) != SIZE_MAX) {
			return false;
		}
	}
	return true;
}

bool callee_may_wrap(const struct callee *c)
{
	const struct callee_pattern *p = &c->pattern;
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	bool itself = p->functor && (callee_has_word(c->p->text, p->body, STR("this")) ||
					    callee_has_word(c->p->text, p->body, STR("operator")));
	bool plain = !p->lambda && !itself && c->u->file[fn->file].main &&
		     (p->result.end || c->u->type[fn->ret].kind == KT_T_VOID) &&
		     !callee_has_word(c->p->text, p->body, callee_text(c, p->name));
	for (size_t i = 0; i < p->params && plain; i++) {
		plain = passes_on(c, i);
	}
	for (size_t i = 0; i < c->leaves && plain; i++) {
		plain = c->u->fn[c->leaf[i].fn].symbol;
	}
	return plain && names_template_parameters(c) && copies_own(c);
}
