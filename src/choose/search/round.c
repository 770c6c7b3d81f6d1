#include "choose/search/round.h"

#include "base/msg.h"
#include "choose/state/headroom.h"

/* ---- the merges of a round ---- */

/* All kernels of a trial on all targets, once they are known with only one arm. */
static bool are_at_one_arm(const struct state *s, const struct trial *t)
{
	bool all = s->one_arm && t->kernels.n > 0 && !s->job->bench;
	for (size_t k = 0; all && k < s->job->targets; k++) {
		const struct map *kernels = s->sample_at_one_arm ? &t->sample : &t->of_view[k];
		if (s->views_at_one_arm && !s->views_at_one_arm[k]) {
			continue; /* another view has its kernels as well */
		}
		struct measurement now = measurement_of(s->a, &s->now[k], kernels);
		struct measurement one_arm = measurement_of(s->a, &s->one_arm[k], kernels);
		all = now.kernels == kernels->n && one_arm.kernels == now.kernels;
		for (size_t i = 0; all && i < now.kernels; i++) {
			all = judge_is_at_one_arm(&now.kernel[i], &one_arm.kernel[i]);
		}
	}
	return all;
}

static bool inside_pending(const struct state *s, const struct site *site)
{
	span_each (s->site, s->sites, const struct site, o) {
		bool waits = state_is_chained(s, o) ||
			     (state_is_pending(s, o) && !state_is_chained(s, site));
		if (o != site && waits && o->begin <= site->begin && o->end >= site->end) {
			return true;
		}
	}
	return false;
}

/* May candidates of the two change the same text? */
static bool edits_meet(const struct trial *x, const struct trial *y)
{
	for (size_t i = 0; i < x->candidates; i++) {
		for (size_t k = 0; k < y->candidates; k++) {
			if (candidate_meets(&x->candidate[i], &y->candidate[k].edits,
				    y->candidate[k].declares)) {
				return true;
			}
		}
	}
	return false;
}

/* Decides to keep the site as it is, without a compile. */
static void keep_site(struct state *s, struct trial *t, const char *why)
{
	t->why_kept = why;
	state_decide(s, t, state_original_offset(s, t->site->begin), state_kernel_names(s, t));
	array_push(&s->done, t->site->begin);
	trial_release(t);
}

/* The sites that cost their kernels something, or may. The others come last. */
static const bool *find_costly(struct state *s)
{
	struct headroom_verdict *verdict = ARENA_ARRAY(s->a, struct headroom_verdict, s->sites);
	bool *costly = ARENA_ARRAY(s->a, bool, s->sites);
	struct headroom_input in = {.parse = s->parse,
		.target = s->job->target,
		.parses = s->job->targets,
		.settings = s->job->settings,
		.a = s->a,
		.skips_uniform = judge_skips_uniform(s),
		.clang = state_oldest_clang(s)};
	size_t pending = 0;
	for (size_t i = 0; i < s->sites && !s->guarded; i++) {
		pending += state_is_pending(s, &s->site[i]);
	}
	if (pending > 1) {
		headroom_of_sites(verdict, &in, s->site, s->sites);
	}
	for (size_t i = 0; i < s->sites; i++) {
		costly[i] = pending <= 1 || verdict[i].costs;
	}
	return costly;
}

static void gather(struct round *r, const bool *costs, bool costly)
{
	struct state *s = r->s;
	struct reserved declared = {0};
	s->opts.declared = &declared;
	for (size_t i = 0; i < s->sites; i++) {
		struct site *site = &s->site[i];
		if (!state_is_pending(s, site) || inside_pending(s, site) || costs[i] != costly) {
			continue;
		}
		bool chained = state_is_chained(s, site);
		struct trial t = {.site = site, .pick = SIZE_MAX};
		if (chained && !site_may_run(s, site)) {
			keep_site(s, &t,
				"no kernel in this file reaches it, so it cannot be measured");
			continue;
		}
		trial_init(&t, s, site);
		if (!t.candidates && !chained) {
			array_push(&s->done, site->begin);
			trial_release(&t);
			continue;
		}
		if (chained && are_at_one_arm(s, &t)) {
			t.costs_nothing = true;
			keep_site(s, &t, "its kernels cost no more than with only one arm");
			continue;
		}
		bool shared = false;
		for (size_t k = 0; k < r->trials.n; k++) {
			const struct map *other = &r->trials.v[k].kernels;
			shared |= map_meets(&t.kernels, other) || (!t.kernels.n && !other->n);
			shared |= edits_meet(&t, &r->trials.v[k]);
		}
		if (shared) {
			trial_release(&t);
			continue;
		}
		r->texts = t.candidates > r->texts ? t.candidates : r->texts;
		for (size_t k = 0; k < t.candidates; k++) {
			reserved_add(&declared, t.candidate[k].declares, RESERVED_BESIDE);
		}
		array_push(&r->trials, t);
	}
	s->opts.declared = NULL;
	reserved_release(&declared);
}

/* ---- texts ---- */

struct str round_text(struct round *r, const size_t *pick, struct edit_list **edits)
{
	struct state *s = r->s;
	struct edit_list *l = ARENA_NEW(s->a, struct edit_list);
	unsigned needs = 0;
	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.v[i];
		if (pick[i] < t->candidates) {
			trial_add_edits(s, l, &t->candidate[pick[i]]);
			needs |= t->candidate[pick[i]].needs;
		}
	}
	if (!state_finish_edits(s, l, needs)) {
		BUG("%s: edits of different merges overlap", s->job->path);
	}
	struct str text = state_edited(s, l);
	if (edits) {
		*edits = l;
	} else {
		edit_list_release(l);
	}
	return text;
}

/* With candidate j of the trials from, ..., to - 1. */
static struct str text_between(struct round *r, size_t j, size_t from, size_t to)
{
	size_t *pick = ARENA_ARRAY(r->s->a, size_t, r->trials.n);
	for (size_t i = 0; i < r->trials.n; i++) {
		pick[i] = i >= from && i < to ? j : SIZE_MAX;
	}
	return round_text(r, pick, NULL);
}

struct str round_text_of(struct round *r, size_t trial, size_t j)
{
	return text_between(r, j, trial, trial + 1);
}

struct compile_as round_draft(const struct round *r)
{
	return (struct compile_as){.flags = r->s->job->flags,
		.quiet = true,
		.draft = true,
		.keep_isa = r->s->job->ran != NULL,
		.only = r->only,
		.views = r->views};
}

/* For the progress line: candidate j, and the number of other merges with a candidate in the same
 * text. */
static const char *candidates_name(const struct round *r, size_t j, size_t from, size_t to)
{
	const struct candidate *first = NULL;
	size_t more = 0;
	for (size_t i = from; i < to; i++) {
		const struct trial *t = &r->trials.v[i];
		more += first && j < t->candidates;
		first = first ? first : j < t->candidates ? &t->candidate[j] : NULL;
	}
	if (!first) {
		return NULL;
	}
	const char *and_more = more ? arena_printf(r->s->a, " and %zu more", more) : "";
	return arena_printf(
		r->s->a, "%s (%s)%s", strategies[first->strategy].name, first->variant, and_more);
}

/* Text j with the candidates of the trials from, ..., to - 1. */
static struct wanted text_of(struct round *r, size_t j, size_t from, size_t to)
{
	struct compile_as as = round_draft(r);
	as.what = candidates_name(r, j, from, to);
	return (struct wanted){text_between(r, j, from, to), as};
}

/* The kernels of all trials, for drafts; NULL: all of the unit. */
static const char *const *sample_of(const struct round *r)
{
	struct map sample = {0};
	array_each (&r->trials, const struct trial, t) {
		for (size_t k = 0; k < t->sample.n; k++) {
			map_set(&sample, t->sample.entry[k].key, 1);
		}
	}
	const char *const *only = sample_list(r->s, &sample);
	map_release(&sample);
	return only;
}

void round_open(struct round *r)
{
	struct state *s = r->s;
	const bool *costs = find_costly(s);
	gather(r, costs, true);
	if (!r->trials.n) {
		gather(r, costs, false);
	}
	r->kernels = ARENA_ARRAY(s->a, const char *, r->trials.n);
	for (size_t i = 0; i < r->trials.n; i++) {
		r->kernels[i] = state_kernel_names(s, &r->trials.v[i]);
	}
	r->only = sample_of(r);
	s->sample = r->only ? r->only : s->sample;
	r->views = round_views(r);
	r->want = ARENA_ARRAY(s->a, struct wanted, r->texts + 1);
	for (size_t j = 0; j < r->texts; j++) {
		r->want[j] = text_of(r, j, 0, r->trials.n);
	}
	r->want[r->texts] = (struct wanted){s->text, round_draft(r)};
	r->want[r->texts].as.needed = true;
	r->result = ARENA_ARRAY(s->a, const struct measure_result *, r->texts * r->trials.n);
	r->judged = ARENA_ARRAY(s->a, struct judged, r->texts * r->trials.n);
}

size_t round_wanted(const struct round *r)
{
	return r->texts ? r->texts + (r->only != NULL) : 0;
}

/* A text with candidate j of the trials from, ..., to - 1. */
struct part {
	size_t j;
	size_t from;
	size_t to;
};

static size_t members(const struct round *r, const struct part *p)
{
	size_t n = 0;
	for (size_t i = p->from; i < p->to; i++) {
		n += p->j < r->trials.v[i].candidates;
	}
	return n;
}

static bool compiled(const struct round *r, const struct measure_result *result)
{
	bool ok = true;
	/* without a view the result stays as initialized, OK */
	for (size_t k = 0; k < r->s->job->targets; k++) {
		ok &= result[k].status == MEASURE_OK;
	}
	return ok;
}

int round_compile(struct round *r)
{
	struct state *s = r->s;
	size_t n = r->texts;
	struct part *part = ARENA_ARRAY(s->a, struct part, n);
	struct wanted *w = r->want;
	for (size_t j = 0; j < n; j++) {
		part[j] = (struct part){j, 0, r->trials.n};
	}
	if (r->only && n > 0) {
		const struct measure_result *all = state_compile_all(s, w, round_wanted(r));
		if (!all) {
			return FAIL_USAGE;
		}
		r->base = &all[n * s->job->targets];
	}
	while (n > 0) {
		const struct measure_result *res = state_compile_all(s, w, n);
		struct part *half = ARENA_ARRAY(s->a, struct part, 2 * n);
		size_t halves = 0;
		for (size_t i = 0; res && i < n; i++) {
			const struct part *p = &part[i];
			const struct measure_result *mine = &res[i * s->job->targets];
			for (size_t t = p->from; t < p->to; t++) {
				r->result[p->j * r->trials.n + t] = mine;
			}
			size_t middle = (p->from + p->to) / 2;
			struct part two[] = {{p->j, p->from, middle}, {p->j, middle, p->to}};
			bool apart = !compiled(r, mine) && members(r, p) > 1;
			for (int k = 0; apart && k < 2; k++) {
				if (members(r, &two[k]) > 0) {
					half[halves++] = two[k];
				}
			}
		}
		if (!res) {
			return FAIL_USAGE;
		}
		part = half;
		w = ARENA_ARRAY(s->a, struct wanted, halves);
		for (n = 0; n < halves; n++) {
			w[n] = text_of(r, half[n].j, half[n].from, half[n].to);
		}
	}
	return 0;
}

void round_release(struct round *r)
{
	for (size_t i = 0; i < r->trials.n; i++) {
		trial_release(&r->trials.v[i]);
	}
	array_release(&r->trials);
}
