/*
 * Clauses 3, 5 and 6 of split (split.c): the loop's and the if's condition, evaluated at the loop's
 * head.
 */
#include "strategy/split/split.h"

#include <string.h>
#include "analysis/arms/match.h"
#include "frontend/text/lex.h"

const struct split_local *split_local_of(const struct split *s, kt_id sym)
{
	array_each (&s->locals, const struct split_local, l) {
		if (l->var->sym == sym) {
			return l;
		}
	}
	return NULL;
}

/* The declaration of sym in a block around the if, or NULL. */
static const struct kt_node *declared_before(struct split *s, kt_id sym)
{
	for (const struct kt_node *n = s->m->node; n != s->loop; n = n->parent) {
		const struct kt_node *up = n->parent;
		for (size_t i = 0; up->kind == KT_COMPOUND && i < n->slot; i++) {
			const struct kt_node *d = up->child[i];
			for (size_t k = 0; d->kind == KT_DECL && k < d->n; k++) {
				if (d->child[k]->kind == KT_VAR && d->child[k]->sym == sym) {
					return d->child[k];
				}
			}
		}
	}
	return NULL;
}

static bool same_type(const struct split *s, kt_id x, const struct kt_node *n)
{
	const struct kt_type *a = &s->u->type[x];
	const struct kt_type *b = kt_type_of(s->u, n);
	const char *one = kt_type_bare_name(s->p->a, a, true);
	const char *two = kt_type_bare_name(s->p->a, b, true);
	bool scalar = a->kind == KT_T_INT || a->kind == KT_T_BOOL;
	return scalar && strcmp(one, two) == 0;
}

static bool add_local(struct split *s, kt_id sym)
{
	const char *name = s->u->sym[sym].name;
	const struct kt_node *v = declared_before(s, sym);
	const struct kt_node *init = v && v->n == 1 ? v->child[0] : NULL;
	bool plain = init && !s->u->sym[sym].is_static && s->u->sym[sym].space == KT_PRIVATE &&
		     !((v->flags | init->flags) & KT_F_MACRO) && init->kind != KT_INIT_LIST &&
		     init->kind != KT_CONSTRUCT;
	if (!plain || !same_type(s, v->type, init)) {
		bool on = plan_refuse(s->p, CLAUSE_CONDITION,
			"the condition reads '%s', which is made inside the loop", name);
		if (!on || !plain) {
			return on;
		}
	}
	array_push(&s->locals, (struct split_local){v, v->parent});
	return true;
}

static bool in_loop_header(const struct split *s, const struct kt_sym *sym)
{
	return sym->at < s->body->begin;
}

/* Variables of the body that expression e reads, and those that their initializers do. */
static bool collect_locals(struct split *s, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		const struct kt_sym *sym = n->kind == KT_REF ? &s->u->sym[n->sym] : NULL;
		bool own = sym && sym->kind == KT_S_LOCAL && sym->file == s->loop->file &&
			   sym->at >= s->loop->begin && sym->at < s->loop->end &&
			   !in_loop_header(s, sym);
		if (!own) {
			continue;
		}
		if (n->flags & KT_F_MACRO) {
			return plan_refuse(s->p, CLAUSE_CONDITION,
				"the condition reads '%s', which is made inside the loop, in a "
				"macro",
				sym->name);
		}
		const struct split_local *l = split_local_of(s, n->sym);
		if (l) {
			continue;
		}
		if (!add_local(s, n->sym)) {
			return false;
		}
		l = split_local_of(s, n->sym);
		if (l && !collect_locals(s, l->var->child[0])) {
			return false;
		}
	}
	return true;
}

/* Checks that names in the text mean the same at the loop's head. */
static bool check_names(struct split *s, const struct kt_node *e)
{
	ARRAY(const char *) names = {0};
	for (const struct kt_node *n = s->m->node; n != s->loop; n = n->parent) {
		const struct kt_node *up = n->parent;
		for (size_t i = 0; up->kind == KT_COMPOUND && i < n->slot; i++) {
			const struct kt_node *d = up->child[i];
			for (size_t k = 0; kt_declares(s->u, d) && k < d->n; k++) {
				if (d->child[k]->kind == KT_VAR) {
					array_push(&names, s->u->sym[d->child[k]->sym].name);
				}
			}
		}
	}
	struct match_names all = {names.v, names.n};
	struct str word;
	size_t begin = e->begin, end = e->end;
	if (e == s->cond) {
		begin = lex_find(s->p->text, s->m->node->begin, s->m->node->end, '(');
		end = lex_close(s->p->text, begin);
	}
	bool hidden = match_hidden_use(s->f, e, begin, end, &all, &word);
	array_release(&names);
	return !hidden ||
	       plan_refuse(s->p, CLAUSE_CONDITION,
		       "the condition names '%.*s', which is made inside the loop", STR_ARG(word));
}

/* Are all cross-lane operations of the expression and its callees readfirstlane? Every form
 * evaluates the condition with the same lanes as the if. seen: functions. */
static bool asks_first_lane(struct split *s, const struct kt_node *e, bool *seen)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		const struct intrinsic *in = n->kind == KT_CALL ? facts_intrinsic(s->f, n) : NULL;
		const struct kt_node *body = n->fn ? s->u->fn[n->fn].body : NULL;
		if (n->kind == KT_ASM ||
			(in && in->kind == INTRINSIC_CROSSLANE && in->form != FORM_FIRST_LANE)) {
			return false;
		}
		if (body && !in && !seen[n->fn]) {
			seen[n->fn] = true;
			if (!asks_first_lane(s, body, seen)) {
				return false;
			}
		}
	}
	return true;
}

static bool check_pure(struct split *s, const struct kt_node *e, unsigned clause, const char *what)
{
	struct fx fx = facts_effects(s->f, e);
	if (clause == CLAUSE_CONDITION && fx.flags == FX_CROSSLANE &&
		asks_first_lane(s, e, ARENA_ARRAY(s->p->a, bool, s->u->fns))) {
		fx.flags = 0;
	}
	bool converts = e->kind == KT_CALL && e->flags & KT_F_METHOD && e->text &&
			str_starts(str_of(e->text), "operator");
	if (converts || kt_type_of(s->u, e)->kind == KT_T_RECORD || fx.writes.n || fx.flags) {
		return plan_refuse(s->p, clause, "%s has an effect, or is an object", what);
	}
	return true;
}

static bool check_before(struct split *s, const struct kt_node *n)
{
	const char *why;
	struct fx fx = facts_effects(s->f, n);
	if (fx.flags & (FX_EXIT | FX_UNKNOWN)) {
		return plan_refuse(s->p, CLAUSE_REACHED, "code before it may leave the iteration");
	}
	if (facts_conflict(s->f, s->p->a, &fx, &s->reads, &why)) {
		return plan_refuse(s->p, CLAUSE_CONDITION,
			"its condition cannot be evaluated at the loop's head: %s", why);
	}
	return true;
}

/* Clauses 3 and 5 for the statements between the loop's head and the if. */
static bool check_way(struct split *s)
{
	for (const struct kt_node *n = s->m->node; n != s->loop; n = n->parent) {
		const struct kt_node *up = n->parent;
		bool block = up->kind == KT_COMPOUND;
		for (size_t i = 0; block && i < n->slot; i++) {
			if (!check_before(s, up->child[i])) {
				return false;
			}
		}
		if (up != s->loop && kt_is_loop(up->kind)) {
			/* it loops back to the if, so all of it counts as before */
			struct fx fx = facts_effects(s->f, up);
			const char *why;
			if (facts_conflict(s->f, s->p->a, &fx, &s->reads, &why)) {
				return plan_refuse(s->p, CLAUSE_CONDITION,
					"its condition cannot be evaluated at the loop's head: %s",
					why);
			}
		}
	}
	return true;
}

bool split_check_condition(struct split *s)
{
	if (!collect_locals(s, s->cond) || !check_names(s, s->cond) ||
		!check_pure(s, s->cond, CLAUSE_CONDITION, "its condition")) {
		return false;
	}
	facts_add_effects(&s->reads, s->f, s->p->a, s->cond);
	array_each (&s->locals, const struct split_local, l) {
		const struct kt_node *init = l->var->child[0];
		if (!check_names(s, init) ||
			!check_pure(s, init, CLAUSE_CONDITION, "a variable of its condition")) {
			return false;
		}
		facts_add_effects(&s->reads, s->f, s->p->a, init);
	}
	return check_way(s) && check_pure(s, s->loop_cond, CLAUSE_LOOP, "the loop's condition");
}
