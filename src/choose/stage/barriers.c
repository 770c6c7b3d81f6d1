/*
 * Barriers that order nothing, after the merges. For each group of kernels that share barriers
 * there are two texts: one with barriers dropped from the first to the last, where legal, and one
 * from the last to the first. The compiler's output decides as for merges, but the gain is fewer
 * barriers.
 */
#include <string.h>

#include "base/msg.h"

#include "choose/search/round.h"
#include "choose/stage/stage.h"
#include "strategy/drop_sync/drop_sync.h"
#include "strategy/plan/plan.h"

enum {
	FORMS = 2, /* of drop_sync_variants */
};

static const struct compare_opts counts = {.drops_barriers = true};

/* Kernels that share barriers. The trial of the group has the same index in the round. */
struct group {
	unsigned id;
	bool has[FORMS];     /* has a candidate that differs from those of the other forms */
	size_t of[FORMS];    /* index of the trial's candidate; SIZE_MAX: none */
	int64_t left[FORMS]; /* barriers in the compiler's output */
};

struct dropping {
	struct state *s;
	struct barriers all;
	bool *set[FORMS]; /* by site: dropped in that form */
	struct round round;
	struct group *group;
	struct map index; /* id -> group */
	/* by site, for the text before: */
	struct line_col *at;
	const char **kernels;
	unsigned *clause; /* why it is needed after the others are dropped */
	const char **why;
	const char **suppressed; /* why it must not change; or NULL */
};

static size_t group_of(const struct dropping *d, const struct barrier_site *site)
{
	return (size_t)map_get_u64(&d->index, site->group, 0);
}

/* The form that the group's trial picked; FORMS: none. */
static size_t picked(const struct dropping *d, size_t g)
{
	const struct trial *t = &d->round.trials.v[g];
	return t->pick == SIZE_MAX ? FORMS : t->attempt_of[t->pick];
}

/* ---- candidates ---- */

static void find_groups(struct dropping *d)
{
	d->group = ARENA_ARRAY(d->s->a, struct group, d->all.n);
	array_each (&d->all, const struct barrier_site, site) {
		size_t next = d->round.trials.n;
		if (map_set_u64(
			    &d->index, site->group, map_get_u64(&d->index, site->group, next))) {
			d->group[next].id = site->group;
			array_push(&d->round.trials, (struct trial){.pick = SIZE_MAX});
		}
		struct trial *t = &d->round.trials.v[group_of(d, site)];
		barrier_kernels(&t->kernels, d->s->a, site);
	}
}

static bool asked_for(const struct dropping *d, size_t form)
{
	const char *only = d->s->opts.variant;
	return !only || strcmp(only, drop_sync_variants[form]) == 0;
}

static void find_sets(struct dropping *d)
{
	for (size_t f = 0; f < FORMS; f++) {
		d->set[f] = ARENA_ARRAY(d->s->a, bool, d->all.n);
		barriers_drop(&d->all, f > 0, true);
		for (size_t i = 0; i < d->all.n; i++) {
			const struct barrier_site *site = &d->all.v[i];
			d->set[f][i] = site->dropped && !d->suppressed[i];
			bool fresh = f == 0 || !asked_for(d, 0) || !d->set[0][i];
			d->group[group_of(d, site)].has[f] |=
				asked_for(d, f) && d->set[f][i] && fresh;
			if (f == 0) {
				d->clause[i] = site->clause;
				d->why[i] = site->why;
			}
		}
	}
	barriers_restore(&d->all);
}

/* The candidates of a group: one for each form that has one. */
static void plan_group(struct dropping *d, size_t at)
{
	struct state *s = d->s;
	struct group *g = &d->group[at];
	struct trial *t = &d->round.trials.v[at];
	t->candidate = ARENA_ARRAY(s->a, struct candidate, FORMS);
	t->attempt_of = ARENA_ARRAY(s->a, size_t, FORMS);
	for (size_t f = 0; f < FORMS; f++) {
		struct candidate *c = &t->candidate[t->candidates];
		struct plan p = {
			.barriers = &d->all, .group = g->id, .a = s->a, .text = s->text, .out = c};
		array_push(&t->attempts, ((struct attempt){.strategy = STRATEGY_DROP_SYNC,
						 .variant = drop_sync_variants[f],
						 .outcome = OUTCOME_UNTRIED}));
		g->of[f] = g->has[f] ? t->candidates : SIZE_MAX;
		if (!g->has[f]) {
			continue;
		}
		for (size_t i = 0; i < d->all.n; i++) {
			d->all.v[i].dropped = d->set[f][i];
		}
		c->strategy = STRATEGY_DROP_SYNC;
		strategies[STRATEGY_DROP_SYNC].plan(&p, NULL);
		t->attempt_of[t->candidates++] = f;
	}
}

/* ---- judging ---- */

static int64_t count_barriers(const struct measurement *m)
{
	int64_t n = 0;
	for (size_t i = 0; i < m->kernels; i++) {
		n += m->kernel[i].v[METRIC_BARRIER];
	}
	return n;
}

/* One form of one group over all targets. */
static void judge(struct dropping *d, size_t at, size_t f, const struct measure_result *r)
{
	struct trial *t = &d->round.trials.v[at];
	const struct judge_by by = {.kernels = &t->kernels, .opts = counts};
	struct judged judged = judge_figures(d->s, r, &by);
	judge_attempt(&t->attempts.v[f], d->s, &judged);
	for (size_t k = 0; k < d->s->job->targets && r[k].status == MEASURE_OK; k++) {
		struct measurement after = measurement_of(d->s->a, &r[k].m, &t->kernels);
		d->group[at].left[f] += count_barriers(&after);
	}
}

static void choose(struct trial *t, const struct group *g)
{
	t->why_kept = "the compiler's output did not get better";
	for (size_t j = 0; j < t->candidates; j++) {
		size_t f = t->attempt_of[j];
		bool better = t->attempts.v[f].outcome == OUTCOME_BETTER;
		if (better &&
			(t->pick == SIZE_MAX || g->left[f] < g->left[t->attempt_of[t->pick]])) {
			t->pick = j;
		}
	}
}

static int try_forms(struct dropping *d)
{
	struct state *s = d->s;
	struct wanted w[FORMS + 1];
	size_t form[FORMS] = {0}, n = 0, groups = d->round.trials.n;
	size_t *of = ARENA_ARRAY(s->a, size_t, groups);
	for (size_t f = 0; f < FORMS; f++) {
		bool any = false;
		for (size_t g = 0; g < groups; g++) {
			of[g] = d->group[g].of[f];
			any |= d->group[g].has[f];
		}
		if (any) {
			form[n] = f;
			w[n++] = (struct wanted){round_text(&d->round, of, NULL),
				{.flags = s->job->flags, .quiet = true}};
		}
	}
	if (n == 0) {
		return 0;
	}
	state_note(s, "barriers that order nothing: %zu candidate%s to compile for %zu target%s", n,
		n == 1 ? "" : "s", s->job->targets, s->job->targets == 1 ? "" : "s");
	s->rounds++;
	int rc = state_measure_source(s);
	if (rc) {
		return rc;
	}
	struct measure_result *r = state_compile_all(s, w, state_add_spare(w, n, s, s->text));
	for (size_t i = 0; r && i < n; i++) {
		for (size_t g = 0; g < groups; g++) {
			if (d->group[g].has[form[i]]) {
				judge(d, g, form[i], &r[i * s->job->targets]);
			}
		}
	}
	for (size_t g = 0; r && g < groups; g++) {
		choose(&d->round.trials.v[g], &d->group[g]);
	}
	return r ? 0 : FAIL_USAGE;
}

/* ---- reporting ---- */

/* " (with line 12, 20)", or nothing. */
static const char *company(const struct dropping *d, size_t i, size_t form)
{
	struct sbuf b = {0};
	for (size_t k = 0; k < d->all.n; k++) {
		bool other = k != i && d->set[form][k] && d->all.v[k].group == d->all.v[i].group;
		if (other) {
			sbuf_addf(&b, "%s%u", b.n ? ", " : " (with line ", d->at[k].line);
		}
	}
	sbuf_adds(&b, b.n ? ")" : "");
	return sbuf_finish(&b, d->s->a).p;
}

static const char *with_company(const struct dropping *d, const char *reason, size_t i, size_t form)
{
	const char *with = company(d, i, form);
	reason = arena_printf(d->s->a, "%s%s", reason ? reason : "", with);
	return *reason ? reason : NULL;
}

static void decide(struct dropping *d, size_t i, struct decision *out)
{
	const struct barrier_site *site = &d->all.v[i];
	size_t of = group_of(d, site), pick = picked(d, of);
	const struct group *g = &d->group[of];
	const struct trial *t = &d->round.trials.v[of];
	ARRAY(struct attempt) attempts = {0};
	bool tried = false;
	for (size_t f = 0; f < FORMS; f++) {
		bool same = f > 0 && g->has[0] && !g->has[1];
		if (!d->set[f][i] || !asked_for(d, f) || same) {
			continue;
		}
		struct attempt at = t->attempts.v[f];
		at.reason = with_company(d, at.reason, i, f);
		array_push(&attempts, at);
		tried = true;
	}
	if (!tried && !d->suppressed[i] && d->why[i]) {
		array_push(&attempts, (struct attempt){.strategy = STRATEGY_DROP_SYNC,
					      .variant = drop_sync_variants[0],
					      .outcome = OUTCOME_REFUSED,
					      .clause = d->clause[i],
					      .reason = d->why[i]});
	}
	const struct barrier_instance *in = &site->instance[0];
	const struct sync_barrier *x = &in->sync->v[in->index];
	bool gone = pick < FORMS && d->set[pick][i];
	*out = (struct decision){.at = d->at[i],
		.in_original = true,
		.kind = DECISION_BARRIER,
		.function = in->parse->unit->fn[x->fn].name,
		.kernels = d->kernels[i],
		.attempts = attempts.n,
		.rewritten = gone,
		.why_kept = gone		  ? NULL
			    : d->suppressed[i]	  ? d->suppressed[i]
			    : !tried && d->why[i] ? d->why[i]
			    : pick < FORMS	  ? "others go in its place"
						  : t->why_kept};
	out->attempt = array_to_arena(d->s->a, &attempts);
	array_release(&attempts);
}

/* Barriers that are needed are reported only if the strategy is forced. */
static void decide_all(struct dropping *d)
{
	for (size_t i = 0; i < d->all.n; i++) {
		bool could = d->set[0][i] || d->set[1][i];
		struct decision out;
		if (d->all.v[i].main && (could || d->suppressed[i] || d->s->job->force)) {
			decide(d, i, &out);
			array_push(&d->s->decisions, out);
		}
	}
}

static void note_places(struct dropping *d)
{
	struct state *s = d->s;
	for (size_t i = 0; i < d->all.n; i++) {
		const struct barrier_site *site = &d->all.v[i];
		d->at[i] = state_original_place(s, site->begin);
		d->kernels[i] = state_kernel_names(s, &d->round.trials.v[group_of(d, site)]);
	}
}

static int run(struct dropping *d)
{
	struct state *s = d->s;
	int rc = 0;
	if (s->job->force) {
		array_each (&d->round.trials, struct trial, t) {
			t->pick = t->candidates ? 0 : SIZE_MAX;
			if (t->candidates) {
				t->attempts.v[t->attempt_of[0]].reason = "forced, not measured";
			}
		}
	} else {
		rc = try_forms(d);
	}
	note_places(d);
	rc = rc ? rc : keep_picked(&d->round);
	if (rc == 0) {
		decide_all(d);
	}
	return rc;
}

static bool may_drop(const struct dropping *d)
{
	bool any = false;
	array_each (&d->round.trials, const struct trial, t) {
		any |= t->candidates > 0;
	}
	return any;
}

int barriers_run(struct state *s)
{
	struct dropping d = {.s = s, .round = {.s = s, .opts = &counts}};
	bool late = state_is_late(s);
	if (s->job->lazy || (s->job->force && s->job->force->id != STRATEGY_DROP_SYNC) || late) {
		return 0;
	}
	s->doing = "barriers";
	barriers_find(&d.all, s->a, s->parse, s->job->targets, s->job->settings);
	d.at = ARENA_ARRAY(s->a, struct line_col, d.all.n);
	d.kernels = ARENA_ARRAY(s->a, const char *, d.all.n);
	d.clause = ARENA_ARRAY(s->a, unsigned, d.all.n);
	d.why = ARENA_ARRAY(s->a, const char *, d.all.n);
	d.suppressed = ARENA_ARRAY(s->a, const char *, d.all.n);
	for (size_t i = 0; i < d.all.n; i++) {
		bool mine = d.all.v[i].main;
		struct map kernels = {0};
		barrier_kernels(&kernels, s->a, &d.all.v[i]);
		d.suppressed[i] = !mine ? NULL
				  : state_wants(s, &kernels)
					  ? state_suppressed(s, DECISION_BARRIER, d.all.v[i].begin)
					  : "no kernel that matches --kernel reaches it";
		map_release(&kernels);
	}
	find_groups(&d);
	find_sets(&d);
	for (size_t g = 0; g < d.round.trials.n; g++) {
		plan_group(&d, g);
	}
	int seen = !may_drop(&d) || !s->job->see_races ? 1 : s->job->see_races(s->job->bits);
	int rc = seen < 0 ? seen : seen && d.all.n ? run(&d) : 0;
	round_release(&d.round);
	map_release(&d.index);
	barriers_release(&d.all);
	return rc;
}
