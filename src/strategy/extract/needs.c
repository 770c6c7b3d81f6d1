/* Collects the needs of the wide part. */
#include <stdlib.h>
#include <string.h>

#include "strategy/extract/needs.h"

/* Does an argument have side effects? Then every arm must still evaluate it. */
static bool argument_acts(struct callee *c, size_t i)
{
	for (size_t k = 0; k < c->leaves; k++) {
		if (facts_acts(c->f, callee_argument(c, k, i))) {
			return true;
		}
	}
	return false;
}

static void find_narrow_uses(struct needs *n)
{
	struct callee_pattern *p = &n->c->pattern;
	for (size_t i = 0; i < p->params; i++) {
		p->param[i].narrow = p->param[i].passed ||
				     needs_narrow_uses(n, p->param[i].name, SIZE_MAX) ||
				     argument_acts(n->c, i);
	}
}

static void sum_effects(struct needs *n)
{
	struct callee *c = n->c;
	n->narrow = ARENA_ARRAY(c->p->a, struct fx, c->leaves);
	n->wide = ARENA_ARRAY(c->p->a, struct fx, c->leaves);
	for (size_t i = 0; i < c->leaves; i++) {
		for (size_t s = 0; s < c->body->n; s++) {
			struct fx *sum = callee_is_wide(c, s) ? &n->wide[i] : &n->narrow[i];
			facts_add_effects(sum, c->f, c->p->a, needs_stmt(n, i, s));
		}
	}
}

static int by_statement(const void *x, const void *y)
{
	const struct callee_copy *a = x, *b = y;
	return a->stmt < b->stmt ? -1 : a->stmt > b->stmt;
}

static void reverse_locals(field_array *f, size_t n)
{
	for (size_t i = 0; i < n / 2; i++) {
		struct callee_field x = f->v[i];
		f->v[i] = f->v[n - 1 - i];
		f->v[n - 1 - i] = x;
	}
}

/* Adds the flag that shows whether the narrow part ran. */
static void need_guard(struct needs *n)
{
	struct callee_field f = {
		.type = "bool", .dims = "", .is_float = true, .guard = true, .width = 1};
	f.name = "runs";
	for (size_t i = 0, k = 2; i < n->fields.n; i++) {
		if (strcmp(n->fields.v[i].name, f.name) == 0) {
			f.name = arena_printf(n->c->p->a, "runs%zu", k++);
			i = SIZE_MAX; /* start again */
		}
	}
	array_push(&n->fields, f);
}

bool callee_find_needs(struct callee *c)
{
	struct needs n = {.c = c, .macros = callee_any_macro(c)};
	sum_effects(&n);
	array_push(&n.piece, c->wide_text);
	bool ok = needs_check_object(&n) && needs_locals(&n);
	reverse_locals(&n.fields, n.fields.n);
	ok = ok && needs_params(&n) && needs_tparams(&n) && needs_check_class(&n);
	if (c->guarded) {
		need_guard(&n);
	}
	find_narrow_uses(&n);
	array_sort(&n.copies, by_statement);
	array_move(c->field, c->fields, c->p->a, &n.fields);
	array_move(c->copy, c->copies, c->p->a, &n.copies);
	array_release(&n.piece);
	return ok && callee_check_constants(c);
}
