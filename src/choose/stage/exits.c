/*
 * Ifs that end in continue or return, ?: whose value is not used, and switches and chains of which
 * one arm computes, after the other merges. site_as_else() writes them as an if with an else, which
 * does not change the code that runs. If the search then keeps a rewrite for one, the new if stays;
 * otherwise its text is restored. All of a file that do not overlap are written at once, so that
 * the unit is parsed once for them. If only some have a kept rewrite, these are written again
 * without the others. The last one of a file comes first, because an if before it contains the code
 * after it.
 */
#include <stdlib.h>
#include <string.h>

#include "base/msg.h"
#include "choose/search/round.h"
#include "choose/stage/stage.h"

/* The state to go back to. */
struct before {
	struct str text;
	size_t *done;
	size_t dones;
	size_t applied;
	size_t splits;
	size_t decisions;
	const struct measurement *now; /* NULL: nothing is measured */
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
	for (size_t i = 0; b->now && i < s->job->targets; i++) {
		s->now[i] = b->now[i];
	}
	state_take_back(s, &b->read);
}

/* isolates: those of the search that wait (struct site); else all others of this stage. */
static void find_exits(struct state *s, struct site **all, size_t *n, bool isolates)
{
	if (isolates) {
		*all = ARENA_ARRAY(s->a, struct site, s->sites);
		*n = 0;
		for (size_t i = 0; i < s->sites; i++) {
			if (s->site[i].waits) {
				(*all)[(*n)++] = s->site[i];
			}
		}
		return;
	}
	sites_find(all, n, s->a, s->parse, s->views, SITES_EXITS);
	*n = state_drop_free(s, *all, *n);
}

/* Is it one to try? *why: it is, but must not change. */
static bool counts(struct state *s, const struct site *site, const char **why)
{
	struct map kernels = {0};
	struct site as = *site;
	as.waits = false; /* it waited for this */
	bool wide =
		state_is_chained(s, &as) || (state_is_alike(s, site) && state_is_pending(s, &as));
	site_kernels(&kernels, s, site);
	bool yes = site_may_run(s, site) && wide && state_wants(s, &kernels);
	map_release(&kernels);
	*why = yes ? state_suppressed(s, DECISION_MERGE, site->begin) : NULL;
	return yes;
}

/* A site that waits, with its place in the source. */
struct waiting {
	size_t at;
	unsigned first_line; /* lines of the source; decisions in them are about this site */
	unsigned last_line;
	bool tried; /* it was in the round */
};

struct waiting_list {
	struct waiting *v;
	size_t n;
	bool alone;    /* try it in a round by itself */
	bool isolates; /* see find_exits */
};

static struct site *site_of(struct state *s, struct site *all, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++) {
		if (state_is_main(&all[i]) && state_original_offset(s, all[i].begin) == at) {
			return &all[i];
		}
	}
	return NULL;
}

/* The end of the code that it would move. */
static size_t end_of(const struct site *site)
{
	const struct merge *m = site->instance[0].merge;
	const struct kt_node *up = m->node->parent;
	return m->kind == MERGE_EXIT && up ? up->end : site->end;
}

/* Adds it to the round, if it is one to try and does not overlap others there. False if it is
 * decided, or not one to try. */
static bool add_to_round(struct state *s, struct edit_list *round, struct site *site,
	struct waiting *w, const struct waiting_list *l)
{
	const char *why = NULL;
	if (!site || !counts(s, site, &why)) {
		return false;
	}
	struct edit_list own = {0};
	why = why		 ? why
	      : state_is_late(s) ? state_why_late(s)
				 : site_as_else(&own, s->a, site, &s->opts);
	if (why) {
		if (!l->isolates) { /* else the search tries it as it is */
			trial_decide_to_keep(s, site, why);
		}
	} else if (!round->edits.n || !(l->alone || edit_lists_meet(&own, round))) {
		array_each (&own.edits, const struct edit, e) {
			edit_list_add(round, s->a, e->begin, e->end, e->text);
		}
		w->first_line = state_original_place(s, site->begin).line;
		w->last_line = state_original_place(s, end_of(site)).line;
		w->tried = true;
	}
	edit_list_release(&own);
	return !why;
}

static struct edit_list *write_round(struct state *s, struct waiting_list *l)
{
	struct edit_list *round = ARENA_NEW(s->a, struct edit_list);
	struct site *all;
	size_t n, left = 0;
	find_exits(s, &all, &n, l->isolates);
	for (size_t i = 0; i < l->n; i++) {
		struct waiting w = {.at = l->v[i].at};
		if (add_to_round(s, round, site_of(s, all, n, w.at), &w, l)) {
			l->v[left++] = w;
		}
	}
	l->n = left;
	return round;
}

static size_t count_tried(const struct waiting_list *l)
{
	size_t n = 0;
	for (size_t i = 0; i < l->n; i++) {
		n += l->v[i].tried;
	}
	return n;
}

enum kept {
	KEPT_NONE,
	KEPT_ALL,
	KEPT_SOME
};

/* The result of the round: which of the tried sites have a kept rewrite? Leaves only those waiting,
 * if that is known. */
static enum kept what_was_kept(struct state *s, size_t from, struct waiting_list *l)
{
	size_t rewritten = 0, mine = 0, left = 0, good = 0, tried = count_tried(l);
	for (size_t i = from; i < s->decisions.n; i++) {
		rewritten += s->decisions.v[i].rewritten;
	}
	struct waiting *next = arena_memdup(s->a, l->v, l->n * sizeof(*l->v));
	array_each (l, const struct waiting, w) {
		size_t own = 0;
		for (size_t i = from; i < s->decisions.n && w->tried; i++) {
			const struct decision *d = &s->decisions.v[i];
			own += d->rewritten && d->in_original && d->at.line >= w->first_line &&
			       d->at.line <= w->last_line;
		}
		mine += own;
		good += w->tried && own;
		if (!w->tried || own) {
			next[left++] = *w;
		}
	}
	if (!rewritten || tried == 1 || good == tried) {
		return rewritten ? KEPT_ALL : KEPT_NONE;
	}
	l->alone = mine != rewritten;
	if (!l->alone) {
		memcpy(l->v, next, left * sizeof(*next));
		l->n = left;
	}
	return KEPT_SOME;
}

static void drop_tried(struct waiting_list *l)
{
	size_t left = 0;
	for (size_t i = 0; i < l->n; i++) {
		if (!l->v[i].tried) {
			l->v[left++] = l->v[i];
		}
	}
	l->n = left;
}

/* Removes the decisions of rewrites, so that fewer sites can be tried again. */
static void undecide(struct state *s, size_t from, bool all)
{
	size_t left = from;
	for (size_t i = from; i < s->decisions.n; i++) {
		if (!all && !s->decisions.v[i].rewritten) {
			s->decisions.v[left++] = s->decisions.v[i];
		}
	}
	s->decisions.n = left;
}

static void keep_tried(struct state *s, const struct waiting_list *l, const char *why)
{
	struct site *all;
	size_t n;
	find_exits(s, &all, &n, l->isolates);
	for (size_t i = 0; i < l->n; i++) {
		struct site *site = site_of(s, all, n, l->v[i].at);
		if (l->v[i].tried && site) {
			trial_decide_to_keep(s, site, why);
		}
	}
}

/* The sites that were tried, are not in the list any more, and were not rewritten: the search has
 * nothing more to try for them. */
static void leave_tried(
	struct state *s, const struct waiting_list *was, const struct waiting_list *l)
{
	for (size_t i = 0; i < was->n && l->isolates; i++) {
		bool left = was->v[i].tried;
		for (size_t k = 0; k < l->n && left; k++) {
			left = l->v[k].at != was->v[i].at;
		}
		struct site *site = left ? site_of(s, s->site, s->sites, was->v[i].at) : NULL;
		if (site) {
			array_push(&s->done, site->begin);
		}
	}
}

static int run_round(struct state *s, struct choice *out, struct waiting_list *l)
{
	struct before b = stand(s);
	struct edit_list *round = write_round(s, l);
	size_t clash[2];
	if (!round->edits.n) {
		edit_list_release(round);
		return 0;
	}
	b.decisions = s->decisions.n;
	int rc = s->now || s->job->force ? 0 : state_measure_source(s);
	if (rc || !edit_list_check(round, s->text.n, clash)) {
		l->n = 0;
		edit_list_release(round);
		return rc;
	}
	b.now = s->now ? arena_memdup(s->a, s->now, s->job->targets * sizeof(*s->now)) : NULL;
	struct str text = state_edited(s, round);
	rc = state_parse_beside(s, text, true, &b.read);
	if (rc < 0) {
		edit_list_release(round);
		if (rc != FAIL_INPUT) {
			return rc;
		}
		if (count_tried(l) == 1) {
			keep_tried(s, l, TRIAL_UNREAD);
			drop_tried(l);
		} else {
			l->alone = true; /* find out which of them it is */
		}
		return 0;
	}
	state_accept(s, text, round);
	rc = s->job->force ? force_run(s) : search_run(s, out);
	const struct waiting_list was = {
		.v = arena_memdup(s->a, l->v, l->n * sizeof(*l->v)), .n = l->n};
	enum kept kept = rc < 0 ? KEPT_ALL : what_was_kept(s, b.decisions, l);
	if (kept != KEPT_ALL) {
		go_back(s, &b);
	}
	if (kept == KEPT_SOME) {
		undecide(s, b.decisions, l->alone);
	} else {
		drop_tried(l);
	}
	if (kept != KEPT_ALL) {
		leave_tried(s, &was, l);
	}
	reading_release(&b.read);
	return rc;
}

static int last_first(const void *a, const void *b)
{
	const struct waiting *x = a, *y = b;
	return (x->at < y->at) - (x->at > y->at);
}

static int run_rounds(struct state *s, struct choice *out, bool isolates)
{
	struct site *all;
	struct waiting_list l = {.isolates = isolates};
	size_t n;
	find_exits(s, &all, &n, isolates);
	l.v = ARENA_ARRAY(s->a, struct waiting, n);
	for (size_t i = 0; i < n; i++) {
		if (state_is_main(&all[i])) {
			l.v[l.n++].at = state_original_offset(s, all[i].begin);
		}
	}
	array_sort(&l, last_first);
	int rc = 0;
	while (l.n && rc >= 0) {
		rc = run_round(s, out, &l);
	}
	return rc < 0 ? rc : 0;
}

int exits_run(struct state *s, struct choice *out)
{
	int rc = run_rounds(s, out, true);
	bool waited = false;
	s->isolated = true;
	for (size_t i = 0; i < s->sites; i++) {
		waited |= s->site[i].waits;
		s->site[i].waits = false;
	}
	if (rc == 0 && waited) {
		rc = s->job->force ? force_run(s) : search_run(s, out);
	}
	return rc < 0 ? rc : run_rounds(s, out, false);
}
