#include "choose/state.h"

/* Kernels of all instances, as their symbols in the compiler's output. */
void site_kernels(struct map *kernels, struct state *s, const struct site *site)
{
	for (size_t i = 0; i < site->instances; i++) {
		const struct site_instance *in = &site->instance[i];
		kt_id *fn;
		size_t n;
		facts_kernels_of(&fn, &n, in->parse->facts, s->a, in->merge->fn);
		for (size_t k = 0; k < n; k++) {
			const char *symbol = in->parse->unit->fn[fn[k]].symbol;
			if (symbol && *symbol) {
				map_set(kernels, str_of(symbol), 1);
			}
		}
	}
}

void trial_init(struct trial *t, struct state *s, struct site *site)
{
	*t = (struct trial){.site = site, .pick = SIZE_MAX};
	site_kernels(&t->kernels, s, site);
	t->explanation = s->job->explain ? explain_site(s, site) : NULL;
	ARRAY(struct candidate) legal = {0};
	ARRAY(size_t) attempt_of = {0};
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		const struct strategy *st = &strategies[i];
		if (!st->variants || (s->job->force && s->job->force != st)) {
			continue;
		}
		struct candidate *c;
		size_t n;
		strategy_plan(&c, &n, s->a, st, site, &s->opts);
		for (size_t k = 0; k < n; k++) {
			struct attempt at = {.strategy = st->id, .variant = c[k].variant};
			struct plan p = {.a = s->a, .out = &c[k]};
			if (!c[k].clause && s->job->force && c[k].measure_why &&
				!plan_refuse(&p, CLAUSE_MEASURED, "%s", c[k].measure_why)) {
				candidate_release(&c[k]);
			}
			if (c[k].clause) {
				at.outcome = OUTCOME_REFUSED;
				at.clause = c[k].clause;
				at.reason = c[k].why;
			} else {
				at.outcome = OUTCOME_UNTRIED;
				array_push(&legal, c[k]);
				array_push(&attempt_of, t->attempts.n);
			}
			array_push(&t->attempts, at);
		}
	}
	t->candidate = array_to_arena(s->a, &legal);
	t->candidates = legal.n;
	t->attempt_of = array_to_arena(s->a, &attempt_of);
	array_release(&legal);
	array_release(&attempt_of);
}

void trial_release(struct trial *t)
{
	for (size_t i = 0; i < t->candidates; i++) {
		candidate_release(&t->candidate[i]);
	}
	array_release(&t->attempts);
	map_release(&t->kernels);
}

void trial_add_edits(struct state *s, struct edit_list *l, const struct candidate *c)
{
	for (size_t i = 0; i < c->edits.edits.n; i++) {
		const struct edit *e = &c->edits.edits.v[i];
		edit_list_add(l, s->a, e->begin, e->end, e->text);
	}
}
