/*
 * Fragments that loops only read, after merges and barriers: one after the other, widest first,
 * each on top of the kept ones. Loading again costs memory traffic in every iteration, so only
 * fewer spills or more waves count as a gain. If no kernel spills or is close enough to the next
 * step of occupancy, nothing is compiled.
 */

#include "base/msg.h"
#include "choose/search/round.h"
#include "choose/stage/stage.h"
#include "strategy/rematerialize/rematerialize.h"

struct fragments {
	struct state *s;
	const struct fragment *f;
	size_t original; /* offset of its name in the source */
	struct trial *t; /* its kernels, attempts and pick: the only trial of */
	struct round round;
	struct compare_opts opts;
};

static void begin(struct fragments *r, struct state *s, const struct fragment *f)
{
	*r = (struct fragments){.s = s,
		.f = f,
		.original = state_original_offset(s, f->name_at),
		.opts = judge_options(s),
		.round = {.s = s, .opts = &r->opts}};
	r->opts.fragments = true;
	array_push(&r->round.trials, (struct trial){.pick = SIZE_MAX});
	r->t = r->round.trials.v;
}

static void plan(struct fragments *r)
{
	struct state *s = r->s;
	struct trial *t = r->t;
	struct candidate *all;
	size_t n;
	struct site site = fragment_site(s->a, r->f);
	strategy_plan(&all, &n, s->a, &strategies[STRATEGY_REMATERIALIZE], &site, &s->opts);
	t->candidate = ARENA_ARRAY(s->a, struct candidate, n);
	t->attempt_of = ARENA_ARRAY(s->a, size_t, n);
	for (size_t i = 0; i < n; i++) {
		struct attempt at = {.strategy = STRATEGY_REMATERIALIZE,
			.variant = all[i].variant,
			.outcome = all[i].clause ? OUTCOME_REFUSED : OUTCOME_UNTRIED,
			.clause = all[i].clause,
			.reason = all[i].why};
		if (!all[i].clause) {
			t->attempt_of[t->candidates] = t->attempts.n;
			t->candidate[t->candidates++] = all[i];
		}
		array_push(&t->attempts, at);
	}
	t->why_kept = t->attempts.n ? t->attempts.v[0].reason : "it has no form for it";
}

/* ---- judging ---- */

/* Does the kernel spill, or would it have more waves with so many VGPRs fewer? */
static bool could_gain(const struct kernel_metrics *k, const struct target *t, unsigned width)
{
	int64_t vgprs = k->v[METRIC_VGPR], waves = k->v[METRIC_REGISTER_WAVES];
	if (!k->trusted || vgprs == METRIC_ABSENT || waves == METRIC_ABSENT) {
		return false;
	}
	if (k->v[METRIC_VGPR_SPILL] > 0 || k->v[METRIC_SCRATCH] > 0) {
		return true;
	}
	unsigned left = vgprs > width ? (unsigned)vgprs - width : 0;
	int64_t agprs = k->v[METRIC_ACC_VGPR];
	return target_register_waves(t, left, agprs > 0 ? (unsigned)agprs : 0) > waves;
}

static bool is_worth_trying(const struct fragments *r)
{
	const struct state *s = r->s;
	for (size_t k = 0; k < s->job->targets; k++) {
		struct measurement m = measurement_of(s->a, &s->now[k], &r->t->kernels);
		for (size_t i = 0; i < m.kernels; i++) {
			if (could_gain(&m.kernel[i], s->job->target[k], r->f->width)) {
				return true;
			}
		}
	}
	return false;
}

static int measure(struct fragments *r)
{
	struct state *s = r->s;
	struct trial *t = r->t;
	size_t targets = s->job->targets;
	struct wanted *w = ARENA_ARRAY(s->a, struct wanted, t->candidates + 1);
	for (size_t i = 0; i < t->candidates; i++) {
		w[i] = (struct wanted){round_text(&r->round, &i, NULL),
			{.flags = s->job->flags, .quiet = true, .keep_isa = s->job->ran}};
	}
	state_note(s, "'%s', which loops only read: %zu candidate%s to compile for %zu target%s",
		r->f->name, t->candidates, t->candidates == 1 ? "" : "s", targets,
		targets == 1 ? "" : "s");
	s->rounds++;
	const struct measure_result *res =
		state_compile_all(s, w, state_add_spare(w, t->candidates, s, s->text));
	t->why_kept = "loading it again did not measure better";
	r->opts.only = state_symbols(s, &t->kernels);
	struct judged best = {0};
	for (size_t i = 0; res && i < t->candidates; i++) {
		const struct judge_by by = {.opts = r->opts};
		struct judged g = judge_figures(s, &res[i * targets], &by);
		struct attempt *at = &t->attempts.v[t->attempt_of[i]];
		judge_attempt(at, s, &g);
		if (at->outcome == OUTCOME_BETTER &&
			(t->pick == SIZE_MAX || judge_is_cheaper(s, &g, &best))) {
			t->pick = i;
			best = g;
		}
	}
	return res ? 0 : FAIL_USAGE;
}

static void decide(struct fragments *r, const char *function, const char *kernels)
{
	struct state *s = r->s;
	struct trial *t = r->t;
	struct decision d = {.kind = DECISION_FRAGMENT,
		.at = line_marks_at(s->lines, r->original),
		.in_original = true,
		.name = r->f->name,
		.function = function,
		.crossing = r->f->width,
		.kernels = kernels,
		.attempt = array_to_arena(s->a, &t->attempts),
		.attempts = t->attempts.n,
		.rewritten = t->pick != SIZE_MAX,
		.why_kept = t->why_kept};
	array_push(&s->decisions, d);
}

/* Measures a source without figures, if some form is legal for a fragment; 1: that is not
 * needed. */
static int measure_source(struct state *s, const struct fragment *f)
{
	if (s->now || s->job->force) {
		return 0;
	}
	struct fragments r;
	begin(&r, s, f);
	plan(&r);
	bool any = r.t->candidates > 0 || s->job->fragments_told;
	round_release(&r.round);
	return any ? state_measure_source(s) : 1;
}

/* Kept fragments are reported only if the strategy is forced or they were tried. */
static int try_one(struct state *s, const struct fragment *f)
{
	struct fragments r;
	const struct fragment_instance *in = &f->instance[0];
	const char *function = in->parse->unit->fn[in->fn].name;
	int rc = 0;
	begin(&r, s, f);
	fragment_kernels(&r.t->kernels, s->a, f);
	const char *kernels = state_kernel_names(s, r.t);
	bool wanted = s->job->force || is_worth_trying(&r);
	if (wanted) {
		plan(&r);
	} else {
		r.t->why_kept = "no kernel spills, and none is so few VGPRs away from more waves";
	}
	if (r.t->candidates && s->job->force) {
		r.t->pick = 0;
		r.t->attempts.v[r.t->attempt_of[0]].reason = "forced, not measured";
	} else if (r.t->candidates) {
		rc = measure(&r);
	}
	rc = rc ? rc : keep_picked(&r.round);
	if (rc == 0 && (s->job->force || s->job->fragments_told || r.t->candidates)) {
		decide(&r, function, kernels);
	}
	round_release(&r.round);
	return rc;
}

static bool is_done(const struct state *s, const struct fragment *f, const struct map *done)
{
	return map_has(done, str_of(arena_printf(s->a, "%zu %s",
				     state_original_offset(s, f->name_at), f->name)));
}

static bool is_wanted(const struct state *s, const struct fragment *f)
{
	struct map kernels = {0};
	fragment_kernels(&kernels, s->a, f);
	bool wanted = state_wants(s, &kernels);
	map_release(&kernels);
	return wanted;
}

static bool hosts_need_a_look(const struct fragment *f, size_t n)
{
	bool need = false;
	for (size_t i = 0; i < n; i++) {
		const struct fragment_instance *in = &f[i].instance[0];
		need |= f[i].main && fn_may_be_hosts(in->parse->unit, in->fn);
	}
	return need;
}

int fragments_run(struct state *s)
{
	const struct choose_job *job = s->job;
	struct map done = {0};
	int rc = 0;
	bool skip = job->lazy || s->time_ran_out ||
		    (job->force && job->force->id != STRATEGY_REMATERIALIZE);
	s->doing = "fragments";
	for (bool more = !skip; more && rc == 0;) {
		struct fragment *f;
		size_t n;
		more = false;
		fragments_find(&f, &n, s->a, s->parse, s->views);
		if (s->views == job->targets && hosts_need_a_look(f, n)) {
			rc = state_see_host(s);
			fragments_find(&f, &n, s->a, s->parse, s->views);
		}
		for (size_t i = 0; i < n && !more; i++) {
			if (!f[i].main || is_done(s, &f[i], &done) || !is_wanted(s, &f[i])) {
				continue;
			}
			if (state_is_late(s)) {
				break;
			}
			const char *key = arena_printf(
				s->a, "%zu %s", state_original_offset(s, f[i].name_at), f[i].name);
			map_set(&done, str_of(key), 1);
			const struct parse *before = s->parse;
			rc = measure_source(s, &f[i]);
			rc = rc == 0 ? try_one(s, &f[i]) : rc > 0 ? 0 : rc;
			/* f is of the parse before then, even if keep_picked() kept nothing */
			more = rc != 0 || s->parse != before;
		}
	}
	map_release(&done);
	return rc;
}
