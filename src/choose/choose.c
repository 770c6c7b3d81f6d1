/* The driver: parses, then tries merges, barriers, fragments and flags, and returns the choice. */
#include <math.h>
#include <string.h>
#include "base/process/interrupt.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "choose/search/round.h"
#include "choose/stage/stage.h"

/* Restores the source, with every kept rewrite vetoed. */
static void veto_all(struct state *s, const char *why)
{
	s->text = s->job->source;
	array_each (&s->decisions, struct decision, d) {
		for (size_t i = 0; i < d->attempts; i++) {
			if (d->attempt[i].outcome == OUTCOME_KEPT) {
				d->attempt[i].outcome = OUTCOME_VETO;
				d->attempt[i].reason = why;
			}
		}
		d->why_kept = d->rewritten ? why : d->why_kept;
		d->rewritten = false;
	}
}

/* Checks the bits of a forced text as a whole; the search checks them after every round. */
static int check_forced(struct state *s)
{
	const struct choose_job *job = s->job;
	const char *why = NULL;
	if (!job->force || !job->same_bits || str_eq(s->text, job->source)) {
		return 0;
	}
	int same = state_same_bits(s, s->text, &why);
	if (same == 0) {
		veto_all(s, why);
	}
	return same < 0 ? same : 0;
}

/* Lists the wide merges in the user's headers, which rewriting this file does not change. */
static void list_elsewhere(struct state *s, struct choice *out)
{
	ARRAY(struct choice_elsewhere) all = {0};
	for (size_t i = 0; !s->job->unit && i < s->sites; i++) {
		const struct site *site = &s->site[i];
		if (!state_is_main(site) && site->chained >= s->opts.threshold) {
			const struct site_instance *in = site_widest(site);
			const struct kt_unit *u = in->parse->unit;
			const struct kt_node *n = in->merge->node;
			array_push(
				&all, (struct choice_elsewhere){
					      .path = site->path +
						      (strncmp(site->path, "./", 2) == 0 ? 2 : 0),
					      .at = kt_place(in->parse->unit, n->file, n->begin),
					      .function = u->fn[in->merge->fn].name,
					      .chained = site->chained});
		}
	}
	array_move(out->elsewhere, out->elsewheres, s->a, &all);
}

/* Gives each merge the reason why nothing of the file may change. */
static void decide_untouchable(struct state *s)
{
	for (size_t i = 0; i < s->sites; i++) {
		if (state_is_chained(s, &s->site[i])) {
			trial_decide_to_keep(s, &s->site[i], s->untouchable);
		}
	}
}

static bool has_wanted(const struct state *s)
{
	struct map all = {0};
	for (size_t t = 0; t < s->job->targets; t++) {
		const struct kt_unit *u = s->parse[t].unit;
		for (kt_id i = 1; i < u->fns; i++) {
			if (u->fn[i].kind == KT_FN_KERNEL && u->fn[i].body && u->fn[i].symbol) {
				map_set(&all, str_of(u->fn[i].symbol), 1);
			}
		}
	}
	bool has = state_wants(s, &all);
	map_release(&all);
	return has;
}

/* Drops merges that only other kernels reach. */
static int leave_unwanted(struct state *s)
{
	if (!has_wanted(s)) {
		return fail_input("%s: no kernel matches --kernel; unphi measure lists their names",
			s->job->path);
	}
	for (size_t i = 0; s->job->kernels && i < s->sites; i++) {
		struct map kernels = {0};
		site_kernels(&kernels, s, &s->site[i]);
		if (!state_wants(s, &kernels)) {
			array_push(&s->done, s->site[i].begin);
		}
		map_release(&kernels);
	}
	return 0;
}

/* Excludes suppressed merges, and the merges around them, since rewriting those would move them. */
static void keep_suppressed(struct state *s)
{
	for (size_t i = 0; s->job->suppressed && i < s->sites; i++) {
		const char *why = NULL;
		for (size_t k = 0; k < s->sites && !why; k++) {
			const struct site *in = &s->site[(i + k) % s->sites];
			bool inside = state_is_main(in) && in->begin >= s->site[i].begin &&
				      in->end <= s->site[i].end;
			why = inside ? state_suppressed(s, DECISION_MERGE, in->begin) : NULL;
			if (why && k > 0) {
				why = arena_printf(
					s->a, "a merge inside it is suppressed: %s", why);
			}
		}
		if (why && (s->site[i].waits || state_is_pending(s, &s->site[i]))) {
			s->site[i].waits = false;
			trial_decide_to_keep(s, &s->site[i], why);
		}
	}
}

static bool forces_rejoin(const struct state *s)
{
	return s->job->force && s->job->force->subject == SUBJECT_GUARDED;
}

static bool has_guarded(const struct state *s)
{
	bool has = false;
	for (size_t k = 0; k < s->job->targets && !has; k++) {
		has = s->parse[k].merges.guardeds > 0;
	}
	return has;
}

/* Tries rejoin on guarded ifs first, if the compiler does not need them or rejoin is forced. The
 * new if/else is then a merge like any other. */
static int rejoin(struct state *s, struct choice *out)
{
	bool forced = forces_rejoin(s);
	size_t done = s->done.n;
	if (!forced && (s->job->force || !has_guarded(s) || !judge_skips_uniform(s))) {
		return 0;
	}
	state_look_at_guarded(s, true);
	int rc = leave_unwanted(s);
	keep_suppressed(s);
	rc = rc ? rc : forced ? force_run(s) : search_run(s, out);
	s->one_arm_due = s->now != NULL;
	s->done.n = done < s->done.n ? done : s->done.n;
	state_look_at_guarded(s, false);
	return rc;
}

static int decide(struct state *s, struct choice *out)
{
	if (s->untouchable) {
		decide_untouchable(s);
		return 0;
	}
	int rc = leave_unwanted(s);
	rc = rc ? rc : rejoin(s, out);
	if (rc < 0) {
		return rc;
	}
	keep_suppressed(s);
	bool others = !forces_rejoin(s);
	rc = !others ? 0 : s->job->force ? force_run(s) : search_run(s, out);
	if (rc >= 0 && others && !s->job->unit) {
		rc = exits_run(s, out);
	}
	if (!s->job->unit) { /* callers in other units count here */
		rc = rc ? rc : barriers_run(s);
		rc = rc ? rc : fragments_run(s);
	}
	rc = rc ? rc : check_forced(s);
	return rc || s->job->unit ? rc : flags_run(s, &out->flags);
}

static const struct measure_result *made_of(struct state *s, struct str text)
{
	struct wanted w = {text, {.flags = s->job->flags, .quiet = true, .keep_isa = true}};
	return state_compile_all(s, &w, 1);
}

/* If this run fails, only the counts are missing: the kept text has already run. */
static void count_what_ran(struct state *s, struct choice *out)
{
	struct choose_ran *both = ARENA_ARRAY(s->a, struct choose_ran, 2);
	out->judged_by_runs = s->by_runs;
	out->cases = s->cases;
	if (!s->job->ran || !s->now || s->unrun || !(s->by_runs || s->job->runs_are_asked_for)) {
		return;
	}
	struct choose_text text[] = {{.text = s->job->source, .made = made_of(s, s->job->source)},
		{.text = s->text, .made = made_of(s, s->text)}};
	size_t n = out->changed ? 2 : 1;
	bool ok = text[0].made && text[1].made && s->job->ran(s->job->runs, both, text, n) == 0 &&
		  !both[0].why && !both[0].unrun;
	ok = ok && (n == 1 || (!both[1].why && !both[1].unrun));
	both[1] = n == 1 ? both[0] : both[1];
	out->ran = ok ? both : NULL;
}

static int run(struct state *s, struct choice *out)
{
	const struct choose_job *job = s->job;
	int rc = state_parse(s, s->text, false);
	rc = rc < 0 ? rc : decide(s, out);
	rc = rc < 0 || job->unit ? rc : tidy_run(s);
	if (rc < 0) {
		return rc;
	}
	list_elsewhere(s, out);
	out->names = s->names;
	out->text = s->text;
	out->changed = !str_eq(s->text, job->source);
	out->decision = array_to_arena(s->a, &s->decisions);
	out->decisions = s->decisions.n;
	out->before = s->before;
	out->after = out->flags.outcome == OUTCOME_KEPT ? out->flags.with : s->now;
	out->compiles = s->compiles;
	out->parses = s->parses;
	out->rounds = s->rounds;
	out->time_ran_out = s->time_ran_out;
	out->interrupted = s->interrupted;
	count_what_ran(s, out);
	if (!s->unstamped && !s->time_ran_out) {
		out->stamps = arena_str(s->a, sbuf_str(&s->stamps));
	}
	return 0;
}

int choose_run(struct choice *out, struct arena *a, const struct choose_job *job)
{
	*out = (struct choice){.text = job->source};
	struct state s = {.job = job,
		.a = a,
		.lines = line_marks_make(a, job->source),
		.text = job->source,
		.untouchable = job->untouchable};
	s.opts = (struct strategy_opts){.assume_flat = job->assume_flat,
		.variant = job->force_variant,
		.prefix = job->prefix,
		.comments = !job->no_comments};
	state_set_limits(&s);
	if (job->time_limit_s > 0) {
		s.ends_at_s = proc_now_s() + job->time_limit_s;
	} else if (job->interruptible) {
		s.ends_at_s = HUGE_VAL;
	}
	int rc = run(&s, out);
	interrupt_let();
	state_release_parses(&s);
	for (size_t i = 0; i < s.applied.n; i++) {
		edit_list_release(s.applied.v[i]);
	}
	array_release(&s.applied);
	array_release(&s.done);
	array_release(&s.decisions);
	array_release(&s.compiled);
	sbuf_release(&s.stamps);
	other_names_release(&s.others);
	array_release(&s.splits);
	map_release(&s.vetoed);
	return rc;
}
