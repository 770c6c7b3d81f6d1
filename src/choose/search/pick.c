/* Picks the best candidate of a merge, by the judge's verdicts or by the user's times. */
#include "base/msg.h"
#include "choose/search/round.h"

enum {
	SECOND_MAX = 3 /* picks of a round after the first, each a compile of the whole unit */
};

/* One candidate of a trial. result: one a target. fused: it may fuse differently. */
static struct judged judge(struct round *r, const struct trial *t, const struct candidate *c,
	const struct measure_result *result, bool fused)
{
	struct judge_by by = {.before = r->base,
		.kernels = r->base ? &t->sample : &t->kernels,
		.views = round_views_of(r, t),
		.opts = judge_options(r->s)};
	by.opts.arms_merge = strategy_merges_arms(c->strategy);
	by.opts.allow_recontraction = fused;
	by.opts.splits = c->strategy == STRATEGY_SPLIT;
	return judge_figures(r->s, result, &by);
}

static void judge_all(struct round *r, size_t trial, bool fused)
{
	const struct trial *t = &r->trials.v[trial];
	for (size_t j = 0; j < t->candidates; j++) {
		size_t at = j * r->trials.n + trial;
		r->judged[at] = judge(r, t, &t->candidate[j], r->result[at], fused);
	}
}

/* If its bits differ, or it fuses differently: does a proof allow that? A proof takes longer than a
 * run, so only a text that would be kept is proved. */
static bool is_proved(struct round *r, size_t trial, size_t j)
{
	const struct choose_job *job = r->s->job;
	struct trial *t = &r->trials.v[trial];
	struct judged *g = &r->judged[j * r->trials.n + trial];
	struct attempt *at = &t->attempts.v[t->attempt_of[j]];
	const char *said = NULL;
	if (!g->to_prove) {
		return true;
	}
	if (!job->proved(job->runs, round_text_of(r, trial, j), &said)) {
		at->outcome = OUTCOME_VETO;
		at->reason = said;
		return false;
	}
	at->reason = arena_printf(r->s->a, "%s; %s", at->reason, said);
	g->to_prove = false;
	return true;
}

/* Picks by the user's command: the fastest candidate without a veto. */
static int pick_fastest(struct round *r, size_t trial)
{
	struct state *s = r->s;
	struct trial *t = &r->trials.v[trial];
	size_t *of = ARENA_ARRAY(s->a, size_t, t->candidates + 1);
	struct str *text = ARENA_ARRAY(s->a, struct str, t->candidates + 1);
	struct attempt **at_of = ARENA_ARRAY(s->a, struct attempt *, t->candidates + 1);
	size_t n = 1;
	text[0] = s->text;
	t->pick = SIZE_MAX;
	for (size_t j = 0; j < t->candidates; j++) {
		struct attempt *at = &t->attempts.v[t->attempt_of[j]];
		if (at->outcome == OUTCOME_UNTRIED || judge_is_as_bad(at->outcome, OUTCOME_VETO)) {
			continue;
		}
		if (state_is_late(s)) {
			at->outcome = OUTCOME_UNTRIED;
			at->reason = t->why_kept =
				arena_printf(s->a, "%s before it was timed", state_why_late(s));
			continue;
		}
		if (!is_proved(r, trial, j)) {
			continue;
		}
		of[n] = j;
		at_of[n] = at;
		text[n++] = round_text_of(r, trial, j);
	}
	if (n == 1) {
		return 0;
	}
	state_note(s, "timing %zu text%s beside the source", n - 1, n == 2 ? "" : "s");
	size_t fastest;
	int rc = judge_times(&fastest, at_of, s, text, n);
	t->pick = rc == 0 && fastest ? of[fastest] : SIZE_MAX;
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

/* The lines that the cases have to run: the merge's own first, then those of the functions that it
 * calls. */
struct shown {
	struct state *s;
	ARRAY(struct choose_lines) lines;
	struct ids seen;    /* functions of the current parse */
	struct map decided; /* "LINE FILE": 1 by a constant, 2 by a value */
	bool rewritten;	    /* one of them is no longer what the source has */
};

static const char *line_key(struct arena *a, const char *path, unsigned line)
{
	return arena_printf(a, "%u %s", line, path ? path : "");
}

/* A function of an instance. */
struct shown_body {
	const struct parse *parse;
	const struct kt_node *body;
	const char *path; /* NULL: the job's source, */
	size_t from;	  /* where the body begins there */
};

static void show_function(struct shown *w, const struct parse *p, kt_id fn);

/* Is it decided by a constant? Arms of a chain have the line of its first condition. */
static bool is_fixed(const struct kt_node *n)
{
	const struct kt_node *cond = n->kind == KT_IF	  ? n->child[KT_IF_COND]
				     : n->kind == KT_COND ? n->child[KT_COND_COND]
							  : NULL;
	const struct kt_node *other = n->kind == KT_IF ? n->child[KT_IF_ELSE] : NULL;
	return cond && cond->flags & KT_F_VALUE && !(other && other->kind == KT_IF);
}

static void note_decision(
	struct shown *w, const struct shown_body *b, const struct kt_node *n, bool fixed)
{
	struct state *s = w->s;
	if (n->file != b->body->file) {
		return;
	}
	size_t at = b->from + n->begin - b->body->begin;
	unsigned line = b->path ? kt_line(b->parse->unit, n->file, n->begin)
				: line_marks_at(s->lines, at).line;
	struct str key = str_of(line_key(s->a, b->path, line));
	map_set(&w->decided, key, map_get(&w->decided, key, 0) | (fixed ? 1 : 2));
}

/* Notes how this instance decides at its ifs, switches and ?:, and the functions that it calls.
 * What a constant excludes (dead) is not run. */
static void show_code(
	struct shown *w, const struct shown_body *b, const struct kt_node *n, bool dead)
{
	bool is_if = n->kind == KT_IF, is_cond = n->kind == KT_COND;
	bool fixed = is_fixed(n);
	const struct kt_node *excluded = NULL;
	if (n->fn && !dead && ids_get(&w->seen, n->fn, 0) == 0) {
		ids_set(&w->seen, n->fn, 1);
		show_function(w, b->parse, n->fn);
	}
	if (b->body && (is_if || is_cond || n->kind == KT_SWITCH)) {
		note_decision(w, b, n, fixed || dead);
	}
	if (fixed) {
		bool yes = n->child[is_if ? (size_t)KT_IF_COND : (size_t)KT_COND_COND]->value;
		size_t arm = is_if ? (yes ? KT_IF_ELSE : KT_IF_THEN)
				   : (yes ? KT_COND_ELSE : KT_COND_THEN);
		excluded = n->child[arm];
	}
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			show_code(w, b, n->child[i], dead || n->child[i] == excluded);
		}
	}
}

static void find_fixed(struct shown *w)
{
	array_each (&w->lines, struct choose_lines, at) {
		bool *fixed = ARENA_ARRAY(w->s->a, bool, at->last - at->first + 1);
		for (unsigned i = at->first; i <= at->last; i++) {
			struct str key = str_of(line_key(w->s->a, at->path, i));
			fixed[i - at->first] = map_get(&w->decided, key, 0) == 1;
		}
		at->fixed = at->merge ? NULL : fixed;
	}
}

static void show_function(struct shown *w, const struct parse *p, kt_id fn)
{
	struct state *s = w->s;
	const struct kt_node *body = p->unit->fn[fn].body;
	const struct kt_file *f = body ? &p->unit->file[body->file] : NULL;
	if (!f || f->system) {
		return;
	}
	struct choose_lines at = {.path = f->path};
	size_t from = 0;
	if (f->main) {
		from = state_original_offset(s, body->begin);
		struct str now = str_sub(s->text, body->begin, body->end);
		w->rewritten |= !str_eq(now, str_sub(s->job->source, from, from + now.n));
		at.path = NULL;
		at.first = line_marks_at(s->lines, from).line;
		at.last = line_marks_at(s->lines, from + now.n).line;
	} else {
		at.first = kt_line(p->unit, body->file, body->begin);
		at.last = kt_line(p->unit, body->file, body->end);
	}
	array_push(&w->lines, at);
	show_code(w, &(struct shown_body){p, body, at.path, from}, body, false);
}

static const char *unshown_kernel(
	const struct shown *w, const char *kernel, const struct target *target)
{
	array_each (&w->lines, const struct choose_lines, at) {
		const char *why = w->s->job->unshown(w->s->job->runs, w->s->a, kernel, target, at);
		if (why) {
			return why;
		}
	}
	return NULL;
}

/* NULL, or the reason why equal bits on the cases are not enough to keep it. */
static const char *why_not_shown(struct state *s, const struct trial *t)
{
	struct shown w = {.s = s};
	struct choose_lines own = {.first = state_original_place(s, t->site->begin).line,
		.last = state_original_place(s, t->site->end).line,
		.merge = true};
	const char *why = NULL;
	array_push(&w.lines, own);
	for (size_t i = 0; i < t->site->instances; i++) {
		ids_release(&w.seen);
		w.seen = (struct ids){0};
		const struct site_instance *in = &t->site->instance[i];
		show_code(&w, &(struct shown_body){.parse = in->parse}, in->merge->node, false);
	}
	find_fixed(&w);
	why = w.rewritten ? "a function that it calls was rewritten before" : NULL;
	for (size_t k = 0; k < s->job->targets && !why; k++) {
		const struct measurement m = measurement_of(s->a, &s->now[k], &t->kernels);
		for (size_t i = 0; i < m.kernels && !why; i++) {
			why = unshown_kernel(&w, m.kernel[i].name, s->job->target[k]);
		}
	}
	ids_release(&w.seen);
	map_release(&w.decided);
	array_release(&w.lines);
	return why ? arena_printf(s->a, "not proved, and %s", why) : NULL;
}

/* Notes that only the cases show its equality. */
static void judge_unproved(struct judged *g, struct state *s, const struct trial *t)
{
	const char *hidden = why_not_shown(s, t);
	if (hidden) {
		g->reason = hidden;
	} else if (g->outcome != OUTCOME_BETTER || s->job->allow_unproved) {
		return;
	} else {
		g->reason = arena_printf(s->a,
			"equal on all cases, not proved; --allow-unproved would take it if equal "
			"for all data: %s",
			g->reason);
	}
	g->outcome = OUTCOME_VETO;
	g->why = g->reason;
}

static bool may_run(const struct judged *g)
{
	return !g->late && !judge_is_as_bad(g->outcome, OUTCOME_VETO);
}

struct running {
	size_t *candidate; /* in the order of their runs */
	size_t n;
	struct choose_text *text; /* the current text, then those of the candidates */
	const struct measure_result **made;
};

static const struct measurement *figures_of(const struct state *s, const struct measure_result *r)
{
	struct measurement *m = ARENA_ARRAY(s->a, struct measurement, s->job->targets);
	for (size_t k = 0; k < s->job->targets; k++) {
		m[k] = r[k].m;
	}
	return m;
}

/* The result of the current text, with its machine code; NULL if the compile failed. */
static const struct measure_result *made_as_is(struct state *s)
{
	struct wanted w = {s->text, {.flags = s->job->flags, .quiet = true, .keep_isa = true}};
	return state_compile_all(s, &w, 1);
}

/* The candidates that may be kept, the best by paths first, since there may not be time to run
 * all. */
static int gather(struct running *run, struct round *r, size_t trial)
{
	struct state *s = r->s;
	struct trial *t = &r->trials.v[trial];
	const struct judged *of = &r->judged[trial];
	*run = (struct running){.candidate = ARENA_ARRAY(s->a, size_t, t->candidates + 1),
		.text = ARENA_ARRAY(s->a, struct choose_text, t->candidates + 1),
		.made = ARENA_ARRAY(s->a, const struct measure_result *, t->candidates + 1)};
	for (size_t j = 0; j < t->candidates; j++) {
		size_t at = run->n;
		if (!may_run(&of[j * r->trials.n])) {
			continue;
		}
		while (at > 0 && judge_is_cheaper(s, &of[j * r->trials.n],
					 &of[run->candidate[at - 1] * r->trials.n])) {
			run->candidate[at] = run->candidate[at - 1];
			at--;
		}
		run->candidate[at] = j;
		run->n++;
	}
	run->made[0] = made_as_is(s);
	run->text[0] = (struct choose_text){.text = s->text, .made = run->made[0]};
	for (size_t i = 0; i < run->n; i++) {
		size_t j = run->candidate[i];
		run->made[i + 1] = r->result[j * r->trials.n + trial];
		run->text[i + 1] = (struct choose_text){
			.text = round_text_of(r, trial, j), .made = run->made[i + 1]};
	}
	return run->made[0] ? 0 : FAIL_USAGE;
}

/* Only cases of kernels that reach a merge say anything about it. */
static struct choose_ran ran_of(
	const struct state *s, const struct choose_ran *ran, const struct trial *t)
{
	struct choose_ran out = *ran;
	struct choose_case *of = ARENA_ARRAY(s->a, struct choose_case, ran->cases);
	out.of = of;
	out.cases = 0;
	out.scratch_bytes = out.cycles = 0;
	for (size_t i = 0; i < ran->cases; i++) {
		if (map_has(&t->kernels, str_of(ran->of[i].symbol))) {
			of[out.cases++] = ran->of[i];
			out.scratch_bytes += ran->of[i].scratch_bytes;
			out.cycles += ran->of[i].cycles;
		}
	}
	return out;
}

static void take_run(struct round *r, size_t trial, size_t j, const struct measure_result *made,
	const struct choose_ran *before, const struct choose_ran *after)
{
	struct state *s = r->s;
	struct trial *t = &r->trials.v[trial];
	struct judged *g = &r->judged[j * r->trials.n + trial];
	const char *hidden = g->fused && !after->why ? why_not_shown(s, t) : NULL;
	if (after->unrun) {
		g->outcome = g->fused ? OUTCOME_VETO : OUTCOME_EQUAL;
		g->why = g->reason = "it was not run, as others that the text says more for were";
	} else if (after->why || hidden) {
		g->outcome = OUTCOME_VETO;
		g->reason = g->why =
			after->why ? after->why : arena_printf(s->a, "%s: %s", g->fused, hidden);
	} else {
		struct choose_ran x = ran_of(s, before, t), y = ran_of(s, after, t);
		judge_ran(g, s, s->now, figures_of(s, made), &x, &y);
		g->to_prove |= g->fused || t->candidate[j].unproved;
		if (t->candidate[j].unproved) {
			judge_unproved(g, s, t);
		}
	}
}

/* Runs each candidate without a veto, by itself on the current text. 0: the verdict by paths
 * stands, since its kernels have no case, or none runs. */
static int judge_by_runs(struct round *r, size_t trial)
{
	struct state *s = r->s;
	struct trial *t = &r->trials.v[trial];
	struct running run;
	if (!s->job->ran || s->unrun || t->candidates == 0) {
		return 0;
	}
	judge_all(r, trial, true);
	int rc = gather(&run, r, trial);
	if (rc || run.n == 0) {
		return rc ? rc : 1;
	}
	state_note(s, "running the machine code of %zu candidate%s", run.n, run.n == 1 ? "" : "s");
	struct choose_ran *ran = ARENA_ARRAY(s->a, struct choose_ran, run.n + 1);
	rc = s->job->ran(s->job->runs, ran, run.text, run.n + 1);
	if (rc < 0) {
		return rc;
	}
	if (ran[0].why || ran[0].unrun) {
		s->unrun = true;
		state_note(s, "judged by paths in the compiler's output: %s",
			ran[0].why ? ran[0].why : "to run the cases would take too long");
		return 0;
	}
	struct choose_ran mine = ran_of(s, &ran[0], t);
	for (size_t i = 0; mine.cases > 0 && i < run.n; i++) {
		take_run(r, trial, run.candidate[i], run.made[i + 1], &ran[0], &ran[i + 1]);
	}
	s->by_runs += mine.cases > 0;
	s->cases = ran[0].cases;
	return mine.cases > 0;
}

/* The cheapest of the better candidates with equal bits, or with bits that may differ. */
static void pick_cheapest(struct round *r, size_t trial)
{
	struct trial *t = &r->trials.v[trial];
	const struct judged *best;
	do {
		best = NULL;
		t->pick = SIZE_MAX;
		for (size_t j = 0; j < t->candidates; j++) {
			const struct judged *g = &r->judged[j * r->trials.n + trial];
			bool better = t->attempts.v[t->attempt_of[j]].outcome == OUTCOME_BETTER;
			if (better && (!best || judge_is_cheaper(r->s, g, best))) {
				best = g;
				t->pick = j;
			}
		}
	} while (best && !is_proved(r, trial, t->pick));
}

/* Without a run there is no evidence for them. */
static void veto_unproved(struct round *r, size_t trial)
{
	const struct trial *t = &r->trials.v[trial];
	for (size_t j = 0; j < t->candidates; j++) {
		struct judged *g = &r->judged[j * r->trials.n + trial];
		if (t->candidate[j].unproved && !judge_is_as_bad(g->outcome, OUTCOME_VETO)) {
			g->outcome = OUTCOME_VETO;
			g->reason = g->why = "not proved, and no case of it was run";
		}
	}
}

int pick_best(struct round *r, size_t trial)
{
	struct trial *t = &r->trials.v[trial];
	struct judged closest = {0};
	size_t close = SIZE_MAX;
	bool late = false;
	int rc = judge_by_runs(r, trial);
	if (rc == 0) {
		judge_all(r, trial, judge_options(r->s).allow_recontraction);
		veto_unproved(r, trial);
	}
	rc = rc < 0 ? rc : 0;
	for (size_t j = 0; rc == 0 && j < t->candidates; j++) {
		struct judged g = r->judged[j * r->trials.n + trial];
		judge_attempt(&t->attempts.v[t->attempt_of[j]], r->s, &g);
		late |= g.late;
		if (g.allowed && (close == SIZE_MAX || judge_is_cheaper(r->s, &g, &closest))) {
			closest = g;
			close = j;
		}
	}
	if (rc == 0) {
		pick_cheapest(r, trial);
	}
	t->why_kept = late ? arena_printf(r->s->a, "%s before a better rewrite was found",
				     state_why_late(r->s))
		      : t->candidates ? nothing_better(r, t, close, &closest)
				      : "no strategy is legal here";
	return rc == 0 && r->s->job->bench && t->candidates ? pick_fastest(r, trial) : rc;
}

void pick_second(struct round *r, struct trial *t)
{
	bool hinted = r->only || r->views;
	if (hinted && r->second < SECOND_MAX) {
		pick_cheapest(r, (size_t)(t - r->trials.v));
		r->second += t->pick != SIZE_MAX;
	}
}

void pick_tell_whole(struct round *r, const struct measure_result *whole)
{
	bool hinted = r->base || r->views;
	r->base = NULL;
	r->views = NULL;
	for (size_t i = 0; hinted && i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick != SIZE_MAX && !r->judged[t->pick * r->trials.n + i].ran) {
			bool fused = judge_options(r->s).allow_recontraction;
			struct judged g = judge(r, t, &t->candidate[t->pick], whole, fused);
			t->attempts.v[t->attempt_of[t->pick]].reason = g.reason;
		}
	}
}
