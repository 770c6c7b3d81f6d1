/*
 * The search, in rounds: the widest merges first, outer ones before inner ones. Merges that share
 * no kernel are tried together: text j of a round has candidate j of each of them. So a round has
 * as many texts as the merge with the most candidates. The picks are compiled again as one text,
 * which must not be worse than the text before the round in any kernel of the unit. Merges without
 * a cost by the ledger (headroom.h) come after all others. Merges that are not chained come after
 * the chained ones, and are reported only if there is something to try: they are not findings.
 */
#include "base/msg.h"
#include "choose/judge/bench.h"
#include "choose/search/round.h"

enum {
	ROUNDS_MAX = 64
};

static int run_round(struct round *r)
{
	if (r->trials.n == 0) {
		return 0;
	}
	r->s->rounds += r->texts > 0;
	int rc = round_compile(r);
	for (size_t i = 0; rc == 0 && i < r->trials.n; i++) {
		rc = pick_best(r, i);
	}
	return rc < 0 ? rc : keep_round(r);
}

/* For the progress line: the numbers of these merges, and the number of all. */
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

/* Compiles the source, the texts with only one arm (for the report, so not for a launcher), and the
 * texts of the first round together, so that no processor is idle. */
static int measure_start(struct round *first, struct choice *out)
{
	struct state *s = first->s;
	const struct choose_job *job = s->job;
	size_t texts = 0, n = 0;
	struct str *one_arm = job->lazy ? NULL : one_arm_texts(s, &texts);
	size_t firsts = round_wanted(first);
	struct wanted *w = ARENA_ARRAY(s->a, struct wanted, 1 + texts + firsts);
	w[n++] = (struct wanted){
		s->text, {.flags = job->flags, .needed = true, .keep_isa = job->ran != NULL}};
	for (size_t i = 0; i < texts; i++) {
		w[n] = (struct wanted){one_arm[i], round_draft(first)};
		w[n++].as.what = "only one arm";
	}
	for (size_t i = 0; i < firsts; i++) {
		w[n++] = first->want[i];
	}
	note_texts(
		first, texts ? ", and the source, and each arm by itself" : ", beside the source");
	const struct measure_result *r = state_compile_all(s, w, n);
	out->one_arm = ARENA_ARRAY(s->a, struct measurement, job->targets);
	int rc = !r ? FAIL_USAGE : s->one_arm_due ? 0 : state_take_source(s, r);
	s->one_arm_due = false;
	if (rc == 0 && texts) {
		one_arm_take(s, out->one_arm, r + job->targets, texts);
		s->one_arm = out->one_arm;
		s->sample_at_one_arm = first->only != NULL;
		s->views_at_one_arm = first->views;
	}
	return rc;
}

/* Decides the merges that the search ran out of time for. */
static void give_up(struct state *s)
{
	for (size_t i = 0; i < s->sites; i++) {
		struct trial t;
		if (!state_is_pending(s, &s->site[i])) {
			continue;
		}
		trial_init(&t, s, &s->site[i]);
		t.why_kept = arena_printf(s->a, "%s before it was tried", state_why_late(s));
		if (t.candidates || state_is_chained(s, &s->site[i])) {
			state_decide(s, &t, state_original_offset(s, s->site[i].begin),
				state_kernel_names(s, &t));
		}
		trial_release(&t);
	}
}

int search_run(struct state *s, struct choice *out)
{
	bool sparing = (s->job->sparing || s->job->lazy) && !s->job->allow_flags;
	int rc = s->job->bench ? bench_check(s) : 0;
	bool more = rc == 0;
	for (unsigned i = 0; more && i < ROUNDS_MAX; i++) {
		struct round r = {.s = s};
		if (i > 0 && state_is_late(s)) {
			give_up(s);
			break;
		}
		size_t done = s->done.n;
		round_open(&r);
		if ((!s->now || s->one_arm_due) && (r.trials.n > 0 || !sparing)) {
			rc = measure_start(&r, out);
		} else if (s->now) {
			note_texts(&r, "");
		}
		rc = rc ? rc : run_round(&r);
		more = rc == 0 && s->done.n > done; /* an inner merge may be next */
		round_release(&r);
	}
	return rc;
}
