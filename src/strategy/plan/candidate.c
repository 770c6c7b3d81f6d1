#include <string.h>
#include "strategy/plan/plan.h"

void candidate_release(struct candidate *c)
{
	edit_list_release(&c->edits);
}

bool candidate_shares(const struct candidate *c, struct str text)
{
	bool shares = str_eq(text, c->declares) || str_eq(text, c->forward);
	for (size_t i = 0; i < c->parts && !shares; i++) {
		shares = str_eq(text, c->part[i]);
	}
	return text.n && shares;
}

bool candidate_same_edits(const struct candidate *x, const struct candidate *y)
{
	if (x->edits.edits.n != y->edits.edits.n || x->needs != y->needs) {
		return false;
	}
	for (size_t i = 0; i < x->edits.edits.n; i++) {
		const struct edit *a = &x->edits.edits.v[i];
		const struct edit *b = &y->edits.edits.v[i];
		if (a->begin != b->begin || a->end != b->end || !str_eq(a->text, b->text)) {
			return false;
		}
	}
	return true;
}

void plan_agree(struct candidate *out, struct arena *a, const struct candidate *other,
	const struct kt_unit *u, kt_id fn)
{
	struct plan p = {.a = a, .out = out};
	const char *name = u->fn[fn].name;
	if (other->clause) {
		plan_refuse(&p, other->clause, "in %s for %s: %s", name, u->target, other->why);
	} else if (!candidate_same_edits(out, other)) {
		plan_refuse(&p, CLAUSE_INSTANCES,
			"the instantiations of this code would need different edits (%s for %s)",
			name, u->target);
	}
}

const struct wrapper *wrapper_join(
	struct arena *a, const struct wrapper *x, const struct wrapper *y)
{
	if (!x || !y || !str_eq(x->was, y->was) || !str_eq(x->body, y->body)) {
		return NULL;
	}
	struct wrapper *both = ARENA_NEW(a, struct wrapper);
	*both = *x;
	both->of = ARENA_ARRAY(a, const char *, x->n + y->n);
	both->n = x->n + y->n;
	memcpy(both->of, x->of, x->n * sizeof(*x->of));
	memcpy(both->of + x->n, y->of, y->n * sizeof(*y->of));
	return both;
}
