/*
 * The views that drafts are compiled for. Many units include a header, and most compile a kernel
 * that reaches its merge in the same way: with the same symbol, flags, compiler and target. So each
 * such kernel is tried once, in the first unit that has it. A pick is compiled in all units before
 * it is kept.
 */
#include <string.h>

#include "base/words.h"
#include "choose/search/round.h"

/* The first view that compiles as each does. */
static const size_t *find_alike(const struct state *s)
{
	const struct choose_job *job = s->job;
	size_t *first = ARENA_ARRAY(s->a, size_t, job->targets);
	const char *const **flags = ARENA_ARRAY(s->a, const char *const *, job->targets);
	for (size_t k = 0; k < job->targets; k++) {
		size_t i = 0;
		flags[k] = measure_flags(s->a, choose_flags(job, k));
		while (i < k && !(first[i] == i && job->target[i] == job->target[k] &&
					strcmp(job->compiler[i].path, job->compiler[k].path) == 0 &&
					words_are_same(flags[i], flags[k]))) {
			i++;
		}
		first[k] = i;
	}
	return first;
}

/* Is there a kernel of the view that no view before has? */
static bool has_new(struct map *seen, const struct round *r, size_t view, size_t alike)
{
	bool any = false;
	array_each (&r->trials, const struct trial, t) {
		const struct map *has = &t->of_view[view];
		for (size_t k = 0; k < has->n; k++) {
			struct str symbol = has->entry[k].key;
			const char *key = arena_printf(r->s->a, "%zu %.*s", alike, STR_ARG(symbol));
			if (!r->only || map_has(&t->sample, symbol)) {
				any |= map_set(seen, str_of(key), 1);
			}
		}
	}
	return any;
}

const bool *round_views(const struct round *r)
{
	struct state *s = r->s;
	struct map seen = {0};
	if (!s->job->unit || r->trials.n == 0) {
		return NULL;
	}
	const size_t *alike = find_alike(s);
	bool *views = ARENA_ARRAY(s->a, bool, s->job->targets);
	for (size_t k = 0; k < s->job->targets; k++) {
		views[k] = has_new(&seen, r, k, alike[k]);
	}
	size_t found = seen.n;
	map_release(&seen);
	return found ? views : NULL;
}

const bool *round_views_of(const struct round *r, const struct trial *t)
{
	struct state *s = r->s;
	bool *views = ARENA_ARRAY(s->a, bool, s->job->targets);
	for (size_t k = 0; k < s->job->targets; k++) {
		const struct map *has = &t->of_view[k];
		for (size_t i = 0; i < has->n && !views[k]; i++) {
			views[k] = (!r->views || r->views[k]) &&
				   (!r->base || map_has(&t->sample, has->entry[i].key));
		}
	}
	return views;
}
