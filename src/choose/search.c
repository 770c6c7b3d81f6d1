/*
 * The search: in rounds, widest merges first and outer ones before inner ones. Merges that share no
 * kernel are tried together: text j of a round holds candidate j of each of them, so that a round
 * costs as many texts as the merge with the most candidates has. What is picked is compiled once
 * more as one text and must be no worse than the text before the round in any kernel of the unit.
 * Merges that cost their kernels nothing by the ledger (room.h) come when none is left that may.
 * Merges that no arm goes on from come behind the chained ones, and are spoken of only where there
 * is something to try: they are no findings.
 */
#include <string.h>
#include "base/msg.h"
#include "base/process/proc.h"
#include "choose/bench.h"
#include "choose/judge.h"
#include "choose/room.h"

enum {
	ROUNDS_MAX = 64,
	SECOND_MAX = 3, /* picks of a round after the first, each a compile of the whole unit */
	COSTS = 13
};

struct round {
	struct state *s;
	ARRAY(struct trial) trials;
	size_t texts; /* the most candidates of a trial */
	/* the kernels that drafts are of, all trials' few; NULL: the unit's */
	const char *const *only;
	const struct measure_result *base; /* with them, of the text as it is now, one a target */
	unsigned second;      /* picks that were made after a first one had been dropped */
	struct wanted *want;  /* these */
	const char **kernels; /* per trial: names for people */
	/* text by text, trial by trial: of a text with its candidate, one a target */
	const struct measure_result **result;
	struct judged *judged; /* in the same order */
};

struct judged {
	enum outcome outcome;
	bool late; /* a compile was stopped because time ran out */
	const char *reason;
	const char *allowed; /* the gain, where but for FMAs no target stood against it */
	int64_t cost[COSTS]; /* in order of preference, summed over targets; less is better */
};

/* ---- costs ---- */

static int highest_bit(int64_t v)
{
	return v > 0 ? 63 - __builtin_clzll((unsigned long long)v) : 0;
}

static int64_t cost_of(int64_t v, enum metric m, const struct target *t)
{
	switch (m) {
	case METRIC_RESIDENT_WAVES:
	case METRIC_REGISTER_WAVES:
		return -v;
	case METRIC_BRANCH: /* in steps of four times as many */
		return (int64_t)1 << (highest_bit(v) & ~1);
	case METRIC_WEIGHTED_INSTRUCTION: /* of about a tenth */
		return highest_bit(v) < 3 ? v : v >> (highest_bit(v) - 3) << (highest_bit(v) - 3);
	case METRIC_VGPR: /* what the hardware hands out: less than a granule frees nothing */
		return target_vgprs_allocated(t, v > 0 ? (unsigned)v : 0);
	case METRIC_COPY:
		return v / 16; /* a handful of moves decides nothing */
	default:
		return v;
	}
}

/* before: what branching is counted against, or NULL */
static void add_cost(int64_t *cost, const struct measurement *m, const struct target *t,
	const struct measurement *before, const struct compare_opts *opts)
{
	/* Matrix operations stand before VGPRs: a copy less of what arms have in common is less
	 * code to fetch, and VGPRs within the same step of waves buy nothing. Of branches and
	 * loops the text says little, so only a lot of them counts, but what it says is of what
	 * runs. METRIC_COUNT: kernels that branch for every operand (measurement_branches). */
	static const enum metric order[COSTS] = {METRIC_SCRATCH, METRIC_VGPR_SPILL,
		METRIC_SCRATCH_ACCESS, METRIC_COUNT, METRIC_RESIDENT_WAVES, METRIC_REGISTER_WAVES,
		METRIC_FLAT_ACCESS, METRIC_BRANCH, METRIC_MATRIX_OP, METRIC_WEIGHTED_INSTRUCTION,
		METRIC_VGPR, METRIC_COPY, METRIC_INSTRUCTION};
	for (size_t i = 0; i < m->kernels; i++) {
		const struct kernel_metrics *k = &m->kernel[i];
		const struct kernel_metrics *was = measurement_kernel(before, k->symbol);
		for (int at = 0; at < COSTS; at++) {
			enum metric n = order[at];
			cost[at] += n == METRIC_COUNT ? was && measurement_branches(was, k, opts)
						      : cost_of(k->v[n], n, t);
		}
	}
}

/* Does a kernel cost no more than with one arm alone, in whatever decides? */
static bool is_at_one_arm(const struct kernel_metrics *now, const struct kernel_metrics *one_arm,
	const struct target *t)
{
	int64_t x[COSTS] = {0}, y[COSTS] = {0};
	const struct measurement a = {.kernel = (struct kernel_metrics[]){*now}, .kernels = 1};
	const struct measurement b = {.kernel = (struct kernel_metrics[]){*one_arm}, .kernels = 1};
	bool least = now->trusted && one_arm->trusted;
	add_cost(x, &a, t, NULL, NULL);
	add_cost(y, &b, t, NULL, NULL);
	for (int i = 0; i < METRIC_COUNT; i++) {
		least &= (now->v[i] == METRIC_ABSENT) == (one_arm->v[i] == METRIC_ABSENT) ||
			 i == METRIC_WIDE_PHI;
	}
	for (int i = 0; i < COSTS; i++) {
		least &= x[i] <= y[i];
	}
	return least;
}

/* All kernels of a trial on all targets, once they are known with one arm alone. */
static bool are_at_one_arm(const struct state *s, const struct trial *t)
{
	const struct map *kernels = s->few_at_one_arm ? &t->few : &t->kernels;
	bool all = s->one_arm && kernels->n > 0 && !s->job->bench;
	for (size_t k = 0; all && k < s->job->targets; k++) {
		struct measurement now = measurement_of(s->a, &s->now[k], kernels);
		struct measurement one_arm = measurement_of(s->a, &s->one_arm[k], kernels);
		all = now.kernels == kernels->n && one_arm.kernels == now.kernels;
		for (size_t i = 0; all && i < now.kernels; i++) {
			all = is_at_one_arm(&now.kernel[i], &one_arm.kernel[i], s->job->target[k]);
		}
	}
	return all;
}

/* ---- which merges ---- */

static bool meets(const struct map *x, const struct map *y)
{
	for (size_t i = 0; i < x->n; i++) {
		if (map_has(y, x->entry[i].key)) {
			return true;
		}
	}
	return false;
}

static bool inside_pending(const struct state *s, const struct site *site)
{
	for (size_t i = 0; i < s->sites; i++) {
		const struct site *o = &s->site[i];
		bool waits = state_is_chained(s, o) ||
			     (state_is_pending(s, o) && !state_is_chained(s, site));
		if (o != site && waits && o->begin <= site->begin && o->end >= site->end) {
			return true;
		}
	}
	return false;
}

/* May a candidate of one want text that a candidate of the other changes as well? */
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

static bool may_run(struct state *s, const struct site *site)
{
	bool any = false;
	for (size_t i = 0; i < site->instances && !any; i++) {
		const struct site_instance *in = &site->instance[i];
		any = facts_may_run(in->parse->facts, s->a, in->merge->fn);
	}
	return any;
}

/* Without a compile. */
static void keep_site(struct state *s, struct trial *t, const char *why)
{
	t->why_kept = why;
	state_decide(s, t, state_original_offset(s, t->site->begin), state_kernel_names(s, t));
	array_push(&s->done, t->site->begin);
	trial_release(t);
}

/* Which sites cost their kernels something, or may: the others come last. */
static const bool *find_costly(struct state *s)
{
	struct room_verdict *room = ARENA_ARRAY(s->a, struct room_verdict, s->sites);
	bool *costly = ARENA_ARRAY(s->a, bool, s->sites);
	struct room_input in = {.parse = s->parse,
		.target = s->job->target,
		.parses = s->job->targets,
		.settings = s->job->settings,
		.a = s->a};
	size_t pending = 0;
	for (size_t i = 0; i < s->sites; i++) {
		pending += state_is_pending(s, &s->site[i]);
	}
	if (pending > 1) {
		room_of_sites(room, &in, s->site, s->sites);
	}
	for (size_t i = 0; i < s->sites; i++) {
		costly[i] = pending <= 1 || room[i].costs;
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
		if (chained && !may_run(s, site)) {
			keep_site(
				s, &t, "no kernel of this unit gets to it, so no figure can tell");
			continue;
		}
		trial_init(&t, s, site);
		if (!t.candidates && !chained) {
			array_push(&s->done, site->begin);
			trial_release(&t);
			continue;
		}
		if (chained && are_at_one_arm(s, &t)) {
			keep_site(s, &t, "its kernels cost no more than with one arm alone");
			continue;
		}
		bool shared = false;
		for (size_t k = 0; k < r->trials.n; k++) {
			const struct map *other = &r->trials.v[k].kernels;
			shared |= meets(&t.kernels, other) || (!t.kernels.n && !other->n);
			shared |= edits_meet(&t, &r->trials.v[k]);
		}
		if (shared) {
			trial_release(&t);
			continue;
		}
		r->texts = t.candidates > r->texts ? t.candidates : r->texts;
		for (size_t k = 0; k < t.candidates; k++) {
			reserved_add(&declared, t.candidate[k].declares);
		}
		array_push(&r->trials, t);
	}
	s->opts.declared = NULL;
	reserved_release(&declared);
}

/* ---- texts ---- */

/* The current text with one candidate of each trial (SIZE_MAX: none). The edits go to *edits when
 * it is not NULL. */
static struct str apply(struct round *r, const size_t *pick, struct edit_list **edits)
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
	struct sbuf b = {0};
	edit_list_apply(&b, s->text, l);
	struct str text = {arena_strndup(s->a, sbuf_cstr(&b), b.n), b.n};
	sbuf_release(&b);
	if (edits) {
		*edits = l;
	} else {
		edit_list_release(l);
	}
	return text;
}

static struct compile_as draft_as(const struct round *r)
{
	return (struct compile_as){
		.flags = r->s->job->flags, .quiet = true, .draft = true, .only = r->only};
}

/* Text j with the candidates of the trials from, ..., to - 1. */
static struct wanted text_of(struct round *r, size_t j, size_t from, size_t to)
{
	struct state *s = r->s;
	size_t *pick = ARENA_ARRAY(s->a, size_t, r->trials.n);
	for (size_t i = 0; i < r->trials.n; i++) {
		pick[i] = i >= from && i < to ? j : SIZE_MAX;
	}
	struct compile_as as = draft_as(r);
	return (struct wanted){apply(r, pick, NULL), as};
}

/* The kernels of all trials that drafts are about; NULL: those of the unit. */
static const char *const *few_of(const struct round *r)
{
	struct map few = {0};
	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.v[i];
		for (size_t k = 0; k < t->few.n; k++) {
			map_set(&few, t->few.entry[k].key, 1);
		}
	}
	const char *const *only = few_list(r->s, &few);
	map_release(&few);
	return only;
}

static void open_round(struct round *r)
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
	r->only = few_of(r);
	r->want = ARENA_ARRAY(s->a, struct wanted, r->texts + 1);
	for (size_t j = 0; j < r->texts; j++) {
		r->want[j] = text_of(r, j, 0, r->trials.n);
	}
	r->want[r->texts] = (struct wanted){s->text, draft_as(r)};
	r->want[r->texts].as.needed = true;
	r->result = ARENA_ARRAY(s->a, const struct measure_result *, r->texts * r->trials.n);
	r->judged = ARENA_ARRAY(s->a, struct judged, r->texts * r->trials.n);
}

/* Those to compile, with what they are compared with where that is no figure of the unit's. */
static size_t wanted_texts(const struct round *r)
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

static bool compiled(const struct state *s, const struct measure_result *r)
{
	bool ok = true;
	for (size_t k = 0; k < s->job->targets; k++) {
		ok &= r[k].status == MEASURE_OK;
	}
	return ok;
}

/* What failed on several candidates together is compiled in halves, until it is known which of them
 * is to blame. */
static int compile_texts(struct round *r)
{
	struct state *s = r->s;
	size_t n = r->texts;
	struct part *part = ARENA_ARRAY(s->a, struct part, n);
	struct wanted *w = r->want;
	for (size_t j = 0; j < n; j++) {
		part[j] = (struct part){j, 0, r->trials.n};
	}
	if (r->only && n > 0) {
		const struct measure_result *all = state_compile_all(s, w, wanted_texts(r));
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
			bool apart = !compiled(s, mine) && members(r, p) > 1;
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

/* ---- judging ---- */

static const struct compare_opts *compare_options(struct round *r, const struct candidate *c)
{
	struct compare_opts *o = ARENA_NEW(r->s->a, struct compare_opts);
	const struct settings *set = r->s->job->settings;
	*o = (struct compare_opts){.allow_recontraction = r->s->job->allow_recontraction,
		.arms_merge = c && strategy_merges_arms(c->strategy),
		.min_gain_vgpr = set->min_gain_vgprs,
		.min_gain_copies = set->min_gain_copies,
		.min_gain_instructions = set->min_gain_instructions,
		.min_gain_weighted_percent = set->min_gain_weighted_percent,
		.branch_every = set->branch_every};
	return o;
}

/* How bad for the choice: the worst of the targets counts. */
static int badness(enum outcome o)
{
	switch (o) {
	case OUTCOME_FAILED:
		return 5;
	case OUTCOME_UNKNOWN:
		return 4;
	case OUTCOME_VETO:
		return 3;
	case OUTCOME_WORSE:
		return 2;
	default:
		return 0;
	}
}

/* The figures before and after that a candidate is judged by; false: there are none before. */
static bool take_figures(struct measurement *before, struct measurement *after,
	const struct round *r, const struct trial *t, const struct measure_result *result, size_t k)
{
	struct arena *a = r->s->a;
	const struct map *kernels = r->base ? &t->few : &t->kernels;
	if (r->base && r->base[k].status != MEASURE_OK) {
		return false;
	}
	*before = measurement_of(a, r->base ? &r->base[k].m : &r->s->now[k], kernels);
	*after = measurement_of(a, &result[k].m, kernels);
	return true;
}

/* One candidate of a trial over all targets; result: one a target. */
static struct judged judge(struct round *r, const struct trial *t, const struct candidate *c,
	const struct measure_result *result)
{
	struct state *s = r->s;
	struct judged out = {
		.outcome = OUTCOME_EQUAL, .reason = "no figure changed enough to count"};
	bool barred = false;
	for (size_t k = 0; k < s->job->targets; k++) {
		const char *target = s->job->target[k]->name;
		enum outcome o = OUTCOME_FAILED;
		const char *reason = "the compiler failed on it";
		struct comparison cmp = {0};
		if (result[k].status == MEASURE_TIMEOUT) {
			out.late |= state_is_late(s);
			reason = "the compiler did not finish in time";
		}
		struct measurement before, after;
		if (result[k].status == MEASURE_OK &&
			!take_figures(&before, &after, r, t, result, k)) {
			out.late |= state_is_late(s);
			reason = "the compiler did not finish the text before it in time";
		} else if (result[k].status == MEASURE_OK) {
			const struct compare_opts *opts = compare_options(r, c);
			measurement_compare(&cmp, s->a, &before, &after, opts);
			add_cost(out.cost, &after, s->job->target[k], &before, opts);
			o = before.kernels ? outcome_of(cmp.verdict) : OUTCOME_UNKNOWN;
			reason = before.kernels ? cmp.reason : "no kernel of this unit reaches it";
		}
		barred |= badness(o) > 0 && !cmp.allowed;
		out.allowed = barred ? NULL : cmp.allowed ? cmp.allowed : out.allowed;
		bool worse = badness(o) > badness(out.outcome);
		bool gain = o == OUTCOME_BETTER && badness(out.outcome) == 0 &&
			    out.outcome != OUTCOME_BETTER;
		if (worse || gain) {
			out.outcome = o;
			out.reason = s->job->targets > 1
					     ? arena_printf(s->a, "%s: %s", target, reason)
					     : reason;
		}
	}
	return out;
}

static bool cheaper(const struct judged *x, const struct judged *y)
{
	for (int k = 0; k < COSTS; k++) {
		if (x->cost[k] != y->cost[k]) {
			return x->cost[k] < y->cost[k];
		}
	}
	return false;
}

/* Candidates by the user's command: of those that no veto met, the fastest. */
static int pick_fastest(struct round *r, size_t trial)
{
	struct state *s = r->s;
	struct trial *t = &r->trials.v[trial];
	size_t *pick = ARENA_ARRAY(s->a, size_t, r->trials.n);
	size_t *of = ARENA_ARRAY(s->a, size_t, t->candidates + 1);
	struct str *text = ARENA_ARRAY(s->a, struct str, t->candidates + 1);
	struct bench_time *time = ARENA_ARRAY(s->a, struct bench_time, t->candidates + 1);
	size_t n = 1;
	text[0] = s->text;
	for (size_t i = 0; i < r->trials.n; i++) {
		pick[i] = SIZE_MAX;
	}
	t->pick = SIZE_MAX;
	for (size_t j = 0; j < t->candidates; j++) {
		struct attempt *at = &t->attempts.v[t->attempt_of[j]];
		if (at->outcome == OUTCOME_UNTRIED ||
			badness(at->outcome) >= badness(OUTCOME_VETO)) {
			continue;
		}
		if (state_is_late(s)) {
			at->outcome = OUTCOME_UNTRIED;
			at->reason = t->why_kept =
				arena_printf(s->a, "%s before it was timed", state_why_late(s));
			continue;
		}
		pick[trial] = j;
		of[n] = j;
		text[n++] = apply(r, pick, NULL);
	}
	if (n == 1) {
		return 0;
	}
	state_note(s, "timing %zu text%s beside the source", n - 1, n == 2 ? "" : "s");
	int rc = bench_run(time, s, text, n);
	for (size_t i = 1, best = 0; rc == 0 && i < n; i++) {
		struct attempt *at = &t->attempts.v[t->attempt_of[of[i]]];
		bench_judge(at, s, &time[0], &time[i]);
		if (at->outcome == OUTCOME_BETTER && time[i].median < time[best].median) {
			best = i;
			t->pick = of[i];
		}
	}
	t->why_kept = "no legal rewrite was faster";
	return rc;
}

static const char *nothing_better(
	const struct round *r, const struct trial *t, size_t close, const struct judged *g)
{
	static const char said[] = "no legal rewrite measured better";
	if (close == SIZE_MAX) {
		return said;
	}
	const struct attempt *at = &t->attempts.v[t->attempt_of[close]];
	return arena_printf(r->s->a, "%s; %s (%s) would with --allow-recontraction: %s", said,
		strategies[at->strategy].name, at->variant, g->allowed);
}

static int pick_best(struct round *r, size_t trial)
{
	struct trial *t = &r->trials.v[trial];
	struct judged best = {0}, closest = {0};
	size_t close = SIZE_MAX;
	bool late = false;
	for (size_t j = 0; j < t->candidates; j++) {
		size_t at_j = j * r->trials.n + trial;
		struct judged g = judge(r, t, &t->candidate[j], r->result[at_j]);
		r->judged[at_j] = g;
		struct attempt *at = &t->attempts.v[t->attempt_of[j]];
		at->outcome = g.late ? OUTCOME_UNTRIED : g.outcome;
		at->reason = g.late ? state_why_late(r->s) : g.reason;
		late |= g.late;
		if (g.outcome == OUTCOME_BETTER && (t->pick == SIZE_MAX || cheaper(&g, &best))) {
			best = g;
			t->pick = j;
		}
		if (g.allowed && (close == SIZE_MAX || cheaper(&g, &closest))) {
			closest = g;
			close = j;
		}
	}
	t->why_kept = late ? arena_printf(r->s->a, "%s before a better rewrite was found",
				     state_why_late(r->s))
		      : t->candidates ? nothing_better(r, t, close, &closest)
				      : "no strategy is legal here";
	return r->s->job->bench && t->candidates ? pick_fastest(r, trial) : 0;
}

/* ---- keeping ---- */

static void drop(struct trial *t, const char *why)
{
	struct attempt *at = &t->attempts.v[t->attempt_of[t->pick]];
	at->outcome = OUTCOME_VETO;
	at->reason = why;
	t->pick = SIZE_MAX;
	t->why_kept = why;
}

/* The best of those that were better as well: drafts of a few kernels are no more than a hint. */
static void pick_second(struct round *r, struct trial *t)
{
	size_t trial = (size_t)(t - r->trials.v);
	const struct judged *best = NULL;
	for (size_t j = 0; r->only && r->second < SECOND_MAX && j < t->candidates; j++) {
		const struct judged *g = &r->judged[j * r->trials.n + trial];
		bool better = t->attempts.v[t->attempt_of[j]].outcome == OUTCOME_BETTER;
		if (better && (!best || cheaper(g, best))) {
			best = g;
			t->pick = j;
		}
	}
	r->second += best != NULL;
}

/* The trial to blame for a kernel's veto, or the first that is still picked. */
static struct trial *blamed(struct round *r, const struct measurement *m, const char *kernel)
{
	struct trial *first = NULL;
	for (size_t i = 0; i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick == SIZE_MAX) {
			continue;
		}
		first = first ? first : t;
		for (size_t k = 0; kernel && k < m->kernels; k++) {
			if (strcmp(m->kernel[k].name, kernel) == 0 &&
				map_has(&t->kernels, str_of(m->kernel[k].symbol))) {
				return t;
			}
		}
	}
	return first;
}

static const char **picked_symbols(struct round *r, bool *merges_arms)
{
	ARRAY(const char *) v = {0};
	*merges_arms = false;
	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.v[i];
		for (size_t k = 0; t->pick != SIZE_MAX && k < t->kernels.n; k++) {
			struct str key = t->kernels.entry[k].key;
			array_push(&v, (const char *)arena_strndup(r->s->a, key.p, key.n));
		}
		if (t->pick != SIZE_MAX) {
			*merges_arms |= strategy_merges_arms(t->candidate[t->pick].strategy);
		}
	}
	array_push(&v, NULL);
	const char **r_ = array_to_arena(r->s->a, &v);
	array_release(&v);
	return r_;
}

/* What a kernel vetoed once it is asked about first from now on. */
static void note_veto(struct state *s, const struct measurement *m, const char *kernel)
{
	for (size_t i = 0; kernel && i < m->kernels; i++) {
		if (strcmp(m->kernel[i].name, kernel) == 0) {
			map_set(&s->vetoed, str_of(m->kernel[i].symbol), 1);
		}
	}
}

/* NULL when the whole unit is no worse on any target, else the trial to drop. */
static struct trial *check_unit(struct round *r, const struct measure_result *res, const char **why)
{
	struct state *s = r->s;
	bool merges_arms;
	/* With a command to time them, only vetoes count against texts. */
	int least = badness(s->job->bench ? OUTCOME_VETO : OUTCOME_WORSE);
	const char *const *symbols = (const char *const *)picked_symbols(r, &merges_arms);
	for (size_t k = 0; k < s->job->targets; k++) {
		if (res[k].status != MEASURE_OK) {
			*why = "the unit does not compile with it";
			return blamed(r, &s->now[k], NULL);
		}
		struct compare_opts o = *compare_options(r, NULL);
		o.only = symbols;
		o.arms_merge = merges_arms;
		struct comparison c;
		measurement_compare(&c, s->a, &s->now[k], &res[k].m, &o);
		if (badness(outcome_of(c.verdict)) >= least) {
			*why = c.reason;
			note_veto(s, &s->now[k], c.kernel);
			return blamed(r, &s->now[k], c.kernel);
		}
	}
	return NULL;
}

/* The trial that makes bits unequal: one that does so alone, or the first. */
static int blame_bits(struct trial **out, struct round *r, const char **why)
{
	struct state *s = r->s;
	size_t *pick = ARENA_ARRAY(s->a, size_t, r->trials.n);
	*out = NULL;
	for (size_t i = 0; i < r->trials.n; i++) {
		pick[i] = SIZE_MAX;
	}
	for (size_t i = 0; i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick == SIZE_MAX) {
			continue;
		}
		*out = *out ? *out : t;
		pick[i] = t->pick;
		int same = state_same_bits(s, apply(r, pick, NULL), why);
		pick[i] = SIZE_MAX;
		if (same <= 0) {
			*out = t;
			return same;
		}
	}
	return 0;
}

/* *bad stays NULL when the picks together give the same bits as the source, or nobody asks. */
static int check_bits(struct trial **bad, struct round *r, struct str text, const char **why)
{
	int same = judge_bits(r->s, text, why);
	return same == 0 ? blame_bits(bad, r, why) : same < 0 ? same : 0;
}

/* Are these the last merges to look at, as far as can be told before their text is parsed? */
static bool is_last(const struct round *r)
{
	size_t pending = 0, mine = 0;
	for (size_t i = 0; i < r->s->sites; i++) {
		pending += state_is_pending(r->s, &r->s->site[i]);
	}
	for (size_t i = 0; i < r->trials.n; i++) {
		mine += state_is_pending(r->s, r->trials.v[i].site);
	}
	return pending == mine;
}

static const struct measure_result *compile_picks(struct round *r, struct str text)
{
	struct wanted w[2] = {{text, {.flags = r->s->job->flags, .quiet = true}}};
	return state_compile_all(r->s, w, is_last(r) ? state_add_spare(w, 1, r->s, text) : 1);
}

/* Compiles the picks together, no draft any more, and drops until the whole unit is no worse. 1:
 * kept, 0: nothing left. */
static int keep_picks(struct round *r, struct str *text, struct edit_list **edits,
	const struct measure_result **res)
{
	struct state *s = r->s;
	size_t *pick = ARENA_ARRAY(s->a, size_t, r->trials.n);
	s->doing = "what is picked, with the whole unit";
	for (;;) {
		size_t n = 0;
		for (size_t i = 0; i < r->trials.n; i++) {
			pick[i] = r->trials.v[i].pick;
			n += pick[i] != SIZE_MAX;
		}
		if (n == 0) {
			return 0;
		}
		*text = apply(r, pick, edits);
		/* what was found in time may be kept, though this takes a compile more */
		double ends_at_s = s->ends_at_s;
		s->ends_at_s = 0;
		*res = compile_picks(r, *text);
		s->ends_at_s = ends_at_s;
		if (!*res) {
			return FAIL_USAGE;
		}
		const char *why = NULL;
		struct trial *bad = check_unit(r, *res, &why);
		int rc = bad ? 0 : check_bits(&bad, r, *text, &why);
		if (rc == 0 && !bad && !state_host_compiles(s, *text)) {
			bad = blamed(r, &s->now[0], NULL);
			why = "the host's pass does not compile with it";
		}
		if (rc == 0 && !bad) {
			return 1;
		}
		edit_list_release(*edits);
		if (rc) {
			return rc;
		}
		drop(bad, why);
		pick_second(r, bad);
	}
}

static void mark_done(struct round *r)
{
	for (size_t i = 0; i < r->trials.n; i++) {
		array_push(&r->s->done, r->trials.v[i].site->begin);
	}
}

/* The outermost site in [begin, end) of the text as it is now, or NULL. */
static const struct site *outermost(const struct state *s, size_t begin, size_t end)
{
	const struct site *out = NULL;
	for (size_t i = 0; i < s->sites; i++) {
		const struct site *x = &s->site[i];
		if (x->begin >= begin && x->end <= end &&
			(!out || x->end - x->begin > out->end - out->begin)) {
			out = x;
		}
	}
	return out;
}

/* A laundered if/else is an if/else still: it is not to be laundered again. What its arms hold is
 * looked at like any other merge. */
static void mark_laundered(struct round *r, const struct edit_list *edits)
{
	struct state *s = r->s;
	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.v[i];
		const struct candidate *c = t->pick == SIZE_MAX ? NULL : &t->candidate[t->pick];
		if (!c || c->strategy != STRATEGY_LAUNDER || !strstr(c->variant, "kept")) {
			continue;
		}
		const struct site *kept = outermost(s, edit_list_map_offset(edits, t->site->begin),
			edit_list_map_offset(edits, t->site->end));
		if (kept) {
			array_push(&s->done, kept->begin);
		}
	}
}

static void decide_all(struct round *r)
{
	for (size_t i = 0; i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick != SIZE_MAX) {
			t->attempts.v[t->attempt_of[t->pick]].outcome = OUTCOME_KEPT;
		}
		state_decide(r->s, t, state_original_offset(r->s, t->site->begin), r->kernels[i]);
	}
}

/* Drops the picks without which libclang can read the others back; requires that it cannot. */
static void drop_unread(struct round *r)
{
	struct state *s = r->s;
	size_t *pick = ARENA_ARRAY(s->a, size_t, r->trials.n);
	for (size_t i = 0; i < r->trials.n; i++) {
		pick[i] = SIZE_MAX;
	}
	for (size_t i = 0; i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		pick[i] = t->pick;
		if (t->pick != SIZE_MAX && state_parse(s, apply(r, pick, NULL), true) < 0) {
			pick[i] = SIZE_MAX;
			drop(t, TRIAL_UNREAD);
		}
	}
}

/* As keep_picks, with *text parsed. */
static int keep_read(struct round *r, struct str *text, struct edit_list **edits,
	const struct measure_result **res)
{
	bool again = false;
	for (;;) {
		int kept = keep_picks(r, text, edits, res);
		if (kept == 1 && state_parse(r->s, *text, true) < 0) {
			edit_list_release(*edits);
			drop_unread(r);
			again = true;
			continue;
		}
		return kept == 0 && again ? state_parse(r->s, r->s->text, true) : kept;
	}
}

/* What was kept by the figures of a few kernels is told by those of all. */
static void tell_whole(struct round *r, const struct measure_result *whole)
{
	bool few = r->base != NULL;
	r->base = NULL;
	for (size_t i = 0; few && i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick != SIZE_MAX) {
			struct judged g = judge(r, t, &t->candidate[t->pick], whole);
			t->attempts.v[t->attempt_of[t->pick]].reason = g.reason;
		}
	}
}

static int finish_round(struct round *r)
{
	struct state *s = r->s;
	struct str text;
	struct edit_list *edits;
	const struct measure_result *res = NULL;
	int kept = keep_read(r, &text, &edits, &res);
	if (kept < 0) {
		return kept;
	}
	mark_done(r);
	if (kept == 0) {
		decide_all(r);
		return 0;
	}
	tell_whole(r, res);
	decide_all(r);
	state_accept(s, text, edits);
	mark_laundered(r, edits);
	for (size_t k = 0; k < s->job->targets; k++) {
		s->now[k] = res[k].m;
	}
	return 0;
}

static int run_round(struct round *r)
{
	if (r->trials.n == 0) {
		return 0;
	}
	r->s->rounds += r->texts > 0;
	int rc = compile_texts(r);
	for (size_t i = 0; rc == 0 && i < r->trials.n; i++) {
		rc = pick_best(r, i);
	}
	return rc < 0 ? rc : finish_round(r);
}

static void round_release(struct round *r)
{
	for (size_t i = 0; i < r->trials.n; i++) {
		trial_release(&r->trials.v[i]);
	}
	array_release(&r->trials);
}

/* For whoever waits: which merges these are, of how many. */
static void show_round(const struct round *r)
{
	struct state *s = r->s;
	size_t pending = 0, n = r->trials.n, before = 0;
	for (size_t i = 0; i < s->sites; i++) {
		pending += state_is_pending(s, &s->site[i]);
	}
	for (size_t i = 0; i < s->decisions.n; i++) {
		before += s->decisions.v[i].kind == DECISION_MERGE;
	}
	s->doing = n > 1 ? arena_printf(s->a, "merges %zu to %zu of %zu", before + 1, before + n,
				   before + pending)
			 : arena_printf(s->a, "merge %zu of %zu", before + n, before + pending);
}

static void note_texts(const struct round *r, const char *more)
{
	show_round(r);
	if (r->trials.n > 0) {
		state_note(r->s, "%zu merge%s, %zu candidate%s to compile for %zu target%s%s",
			r->trials.n, r->trials.n == 1 ? "" : "s", r->texts,
			r->texts == 1 ? "" : "s", r->s->job->targets,
			r->s->job->targets == 1 ? "" : "s", more);
	}
}

/* The text as it came, those with one arm alone, and beside them what the first round will ask for:
 * so that all processors have something to do from the first to the last of it. */
static int measure_start(struct round *first, struct choice *out)
{
	struct state *s = first->s;
	const struct choose_job *job = s->job;
	size_t texts, n = 0;
	struct str *one_arm = one_arm_texts(s, &texts);
	size_t firsts = wanted_texts(first);
	struct wanted *w = ARENA_ARRAY(s->a, struct wanted, 1 + texts + firsts);
	w[n++] = (struct wanted){s->text, {.flags = job->flags, .needed = true, .want_ir = true}};
	for (size_t i = 0; i < texts; i++) {
		w[n++] = (struct wanted){one_arm[i], draft_as(first)};
	}
	for (size_t i = 0; i < firsts; i++) {
		w[n++] = first->want[i];
	}
	note_texts(first, texts ? ", beside the source and each arm alone" : ", beside the source");
	const struct measure_result *r = state_compile_all(s, w, n);
	if (!r) {
		return FAIL_USAGE;
	}
	s->now = ARENA_ARRAY(s->a, struct measurement, job->targets);
	out->before = ARENA_ARRAY(s->a, struct measurement, job->targets);
	out->one_arm = ARENA_ARRAY(s->a, struct measurement, job->targets);
	for (size_t k = 0; k < job->targets; k++) {
		if (r[k].status != MEASURE_OK) {
			return FAIL_INPUT;
		}
		s->now[k] = out->before[k] = r[k].m;
		state_stamp(s, r[k].stamps);
	}
	if (texts) {
		one_arm_take(s, out->one_arm, r + job->targets, texts);
		s->one_arm = out->one_arm;
		s->few_at_one_arm = first->only != NULL;
	}
	return 0;
}

/* What time did not suffice for is reported as well. */
static void give_up(struct state *s)
{
	for (size_t i = 0; i < s->sites; i++) {
		struct trial t;
		if (!state_is_pending(s, &s->site[i])) {
			continue;
		}
		trial_init(&t, s, &s->site[i]);
		t.why_kept = arena_printf(s->a, "%s before it was looked at", state_why_late(s));
		if (t.candidates || state_is_chained(s, &s->site[i])) {
			state_decide(s, &t, state_original_offset(s, s->site[i].begin),
				state_kernel_names(s, &t));
		}
		trial_release(&t);
	}
}

static bool has_pending(const struct state *s)
{
	bool any = false;
	for (size_t i = 0; i < s->sites; i++) {
		any = any || state_is_pending(s, &s->site[i]);
	}
	return any;
}

int search_run(struct state *s, struct choice *out)
{
	if (s->job->lazy && !s->job->allow_flags && !has_pending(s)) {
		return 0;
	}
	int rc = s->job->bench ? bench_check(s) : 0;
	bool more = rc == 0;
	for (unsigned i = 0; more && i < ROUNDS_MAX; i++) {
		struct round r = {.s = s};
		if (i > 0 && state_is_late(s)) {
			give_up(s);
			break;
		}
		size_t done = s->done.n;
		open_round(&r);
		if (i == 0) {
			rc = measure_start(&r, out);
		} else {
			note_texts(&r, "");
		}
		rc = rc ? rc : run_round(&r);
		more = rc == 0 && s->done.n > done; /* an inner one may be next */
		round_release(&r);
	}
	return rc;
}
