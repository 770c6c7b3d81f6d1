/* The variables that replace the holes of a hoist: names, types and declarations. */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/guard/guard.h"
#include "strategy/hoist/edit.h"

static bool is_identifier(const char *s)
{
	if (!s || !*s) {
		return false;
	}
	for (; *s; s++) {
		if (!lex_is_word_char(*s)) {
			return false;
		}
	}
	return true;
}

static const char *common_name(const struct hoist *h, const struct hole *hole)
{
	const char *name = NULL;
	for (size_t i = 0; i < h->m->arms; i++) {
		const struct kt_node *e = hole->expr[i];
		bool named = (e->kind == KT_REF && e->sym) || e->kind == KT_MEMBER;
		const char *own = !named	      ? NULL
				  : e->kind == KT_REF ? h->u->sym[e->sym].name
						      : e->text;
		if (!own || (name && strcmp(name, own) != 0)) {
			return NULL;
		}
		name = own;
	}
	return name;
}

/* A name for the hole: the variable that it initializes, or the parameter that it is passed for. */
static const char *place_name(const struct hoist *h, const struct kt_node *e)
{
	const struct kt_node *up = e->parent;
	if (up->kind == KT_VAR) {
		return h->u->sym[up->sym].name;
	}
	if (up->kind == KT_CALL && up->fn) {
		const struct kt_fn *fn = &h->u->fn[up->fn];
		size_t first = up->flags & KT_F_METHOD ? 1 : 0;
		if (fn->body && e->slot >= first && e->slot - first < fn->params) {
			return h->u->sym[fn->param[e->slot - first]].name;
		}
	}
	if (up->kind == KT_INDEX && e->slot == 1) {
		return "index";
	}
	if (up->kind == KT_BINARY && kt_type_of(h->u, up)->kind == KT_T_POINTER) {
		return e->slot == 1 ? "offset" : NULL;
	}
	return NULL;
}

static const char *hole_name(const struct hoist *h, const struct hole *hole)
{
	const struct kt_type *t = hoist_hole_type(h, hole);
	const char *name = common_name(h, hole);
	if (!is_identifier(name)) {
		name = place_name(h, hole->expr[0]);
	}
	if (!is_identifier(name)) {
		name = t->kind == KT_T_POINTER ? "from" : t->kind == KT_T_BOOL ? "flag" : "operand";
	}
	return name;
}

/* t NULL: the variable for the arm taken. */
static struct variable *add_variable(
	struct edit_job *j, const char *name, const struct kt_type *t, const char *type)
{
	struct variable *v = &j->var[j->vars++];
	*v = (struct variable){.name = name,
		.type = t			? type
			: edit_is_flag(j->h->m) ? "bool"
						: "int",
		.pointer = t && t->kind == KT_T_POINTER,
		.text = ARENA_ARRAY(j->p->a, struct str, j->h->m->arms)};
	return v;
}

static void add_hole_variable(struct edit_job *j, size_t k)
{
	const struct hole *hole = &j->h->match.hole[k];
	j->name[k] = plan_name_like(j->p, hole_name(j->h, hole));
	struct variable *v = add_variable(
		j, j->name[k], hoist_hole_type(j->h, hole), hoist_hole_name(j->h, hole));
	for (size_t i = 0; i < j->h->m->arms; i++) {
		const struct kt_node *e = hole->expr[i];
		bool wrap = kt_binds_loosely(e) && e->kind != KT_COND && e->kind != KT_EXPR_UNKNOWN;
		struct str s = edit_hole_text(j, k, i);
		v->text[i] = wrap ? str_of(arena_printf(j->p->a, "(%.*s)", STR_ARG(s))) : s;
	}
}

/* Finds the variable for the arm taken: the condition, evaluated before the merge, if it decides
 * between two arms; else a variable that the arms set. */
static void find_taken(struct edit_job *j)
{
	const struct merge *m = j->h->m;
	const struct kt_node *n = m->node;
	bool one =
		edit_is_flag(m) && !m->arm[1].cond && !n->child[KT_IF_INIT] && !n->child[KT_IF_VAR];
	j->given = one ? guard_plain_condition(j->p, m, m->arm[0].cond, &j->negated) : NULL;
	j->negated &= j->given != NULL;
	if (!j->h->place.any) {
		return;
	}
	j->snapshot = one;
	j->taken = j->given ? j->given : plan_name(j->p, edit_is_flag(m) ? "taken" : "arm");
	if (one) {
		return;
	}
	struct variable *v = add_variable(j, j->taken, NULL, NULL);
	for (size_t i = 0; i < m->arms; i++) {
		v->text[i] = str_of(
			edit_is_flag(m) ? (i ? "false" : "true") : arena_printf(j->p->a, "%zu", i));
	}
}

void edit_find_variables(struct edit_job *j)
{
	const struct hoist *h = j->h;
	const struct hoist_place *place = &h->place;
	j->var = ARENA_ARRAY(j->p->a, struct variable, h->match.holes + place->carrieds + 2);
	j->name = ARENA_ARRAY(j->p->a, const char *, h->match.holes);
	j->carried = ARENA_ARRAY(j->p->a, const char *, place->carrieds);
	if (h->partial) {
		j->some = plan_name(j->p, "any");
		struct variable *v = add_variable(j, j->some, NULL, NULL);
		v->type = "bool";
		v->initial = "false";
		for (size_t i = 0; i < h->m->arms; i++) {
			v->text[i] = str_of("true");
		}
	}
	find_taken(j);
	for (size_t k = 0; k < h->match.holes; k++) {
		if (h->match.hole[k].same < k) {
			j->name[k] = j->name[h->match.hole[k].same];
		} else if (!hoist_is_chosen(h, k)) {
			add_hole_variable(j, k);
		}
	}
	for (size_t k = 0; k < place->carrieds; k++) {
		const struct kt_sym *s = &h->u->sym[place->carried[k].sym];
		j->carried[k] = plan_name_like(j->p, s->name);
		struct variable *v = add_variable(j, j->carried[k], &h->u->type[s->type],
			plan_written_type(
				j->p, place->carried[k].sym, h->m->node->begin, h->m->node->end));
		v->text[place->carried[k].arm] = str_of(s->name);
	}
}

void edit_add_declaration(struct sbuf *s, const struct variable *v, bool is_const)
{
	bool star = str_ends(str_of(v->type), "*");
	if (is_const && v->pointer) {
		sbuf_addf(s, star ? "%sconst %s" : "%s const %s", v->type, v->name);
	} else {
		sbuf_addf(
			s, star ? "%s%s%s" : "%s%s %s", is_const ? "const " : "", v->type, v->name);
	}
}
