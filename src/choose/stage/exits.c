/*
 * Ifs that end in continue or return, behind the other merges. Each is written with an else by
 * site_as_else(), which changes nothing that runs; if the search then keeps something for it, the
 * else stays, and if not, all is as before. The last one of a file is looked at first: an if before
 * it keeps what leaves to the same place.
 */
#include <stdlib.h>
#include "base/msg.h"
#include "choose/search/round.h"
#include "choose/stage/stage.h"

/* What there is to go back to. */
struct before {
	struct str text;
	size_t *done;
	size_t dones;
	size_t applied;
	size_t splits;
	size_t decisions;
	struct reading read;
};

static struct before stand(const struct state *s)
{
	return (struct before){.text = s->text,
		.done = arena_memdup(s->a, s->done.v, s->done.n * sizeof(s->done.v[0])),
		.dones = s->done.n,
		.applied = s->applied.n,
		.splits = s->splits.n,
		.decisions = s->decisions.n};
}

static void go_back(struct state *s, struct before *b)
{
	s->text = b->text;
	s->done.n = 0;
	for (size_t i = 0; i < b->dones; i++) {
		array_push(&s->done, b->done[i]);
	}
	while (s->applied.n > b->applied) {
		edit_list_release(s->applied.v[--s->applied.n]);
	}
	s->splits.n = b->splits;
	state_take_back(s, &b->read);
}

static bool kept_something(const struct state *s, size_t from)
{
	bool kept = false;
	for (size_t i = from; i < s->decisions.n; i++) {
		kept |= s->decisions.v[i].rewritten;
	}
	return kept;
}

/* Is it one to look at? *why: it is, and must stay as it is. */
static bool counts(struct state *s, const struct site *site, const char **why)
{
	struct map kernels = {0};
	bool wide =
		state_is_chained(s, site) || (state_is_alike(s, site) && state_is_pending(s, site));
	site_kernels(&kernels, s, site);
	bool yes = site_may_run(s, site) && wide && state_wants(s, &kernels);
	map_release(&kernels);
	*why = yes ? state_stays(s, DECISION_MERGE, site->begin) : NULL;
	return yes;
}

static int try_exit(struct state *s, struct choice *out, struct site *site)
{
	const char *why = NULL;
	if (!counts(s, site, &why)) {
		return 0;
	}
	struct edit_list *l = ARENA_NEW(s->a, struct edit_list);
	struct before b = stand(s);
	why = why		 ? why
	      : state_is_late(s) ? state_why_late(s)
				 : site_as_else(l, s->a, site, &s->opts);
	if (why) {
		edit_list_release(l);
		trial_decide_to_keep(s, site, why);
		return 0;
	}
	int rc = s->now || s->job->force ? 0 : state_measure_source(s);
	if (rc) {
		edit_list_release(l);
		return rc;
	}
	struct str text = state_edited(s, l);
	rc = state_parse_beside(s, text, true, &b.read);
	if (rc < 0) {
		edit_list_release(l);
		if (rc == FAIL_INPUT) {
			trial_decide_to_keep(s, site, TRIAL_UNREAD);
		}
		return rc == FAIL_INPUT ? 0 : rc;
	}
	state_accept(s, text, l);
	rc = s->job->force ? force_run(s) : search_run(s, out);
	if (rc >= 0 && !kept_something(s, b.decisions)) {
		go_back(s, &b);
	}
	reading_release(&b.read);
	return rc;
}

static int last_first(const void *a, const void *b)
{
	const size_t *x = a, *y = b;
	return (*x < *y) - (*x > *y);
}

int exits_run(struct state *s, struct choice *out)
{
	struct site *all;
	size_t n, now, views = s->views;
	const struct parse *of = s->parse;
	sites_find_exits(&all, &n, s->a, s->parse, s->views);
	size_t *begin = ARENA_ARRAY(s->a, size_t, n);
	for (size_t i = 0; i < n; i++) {
		begin[i] = all[i].begin;
	}
	if (n) {
		qsort(begin, n, sizeof(*begin), last_first);
	}
	int rc = 0;
	now = n;
	for (size_t i = 0; i < n && rc >= 0; i++) {
		if (s->parse != of || s->views != views) { /* something was kept */
			sites_find_exits(&all, &now, s->a, s->parse, s->views);
			of = s->parse;
			views = s->views;
		}
		for (size_t k = 0; k < now; k++) { /* what stands before it has not moved */
			if (all[k].begin == begin[i] && state_is_main(&all[k])) {
				rc = try_exit(s, out, &all[k]);
				break;
			}
		}
	}
	return rc < 0 ? rc : 0;
}
