/* Compiles the picks of a round as one text. It must not be worse than the text before it in any
 * kernel of the unit, give the same bits, compile for the host, and parse. */
#include "choose/search/round.h"

#include <string.h>
#include "base/msg.h"

static void drop(struct trial *t, const char *why)
{
	struct attempt *at = &t->attempts.v[t->attempt_of[t->pick]];
	at->outcome = OUTCOME_VETO;
	at->reason = why;
	t->pick = SIZE_MAX;
	t->why_kept = why;
}

/* The trial to blame for a kernel's veto, or the first that is still picked. */
static struct trial *blamed(struct round *r, const struct measurement *m, const char *kernel)
{
	struct trial *first = NULL;
	array_each (&r->trials, struct trial, t) {
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

static const char *const *picked_symbols(struct round *r, bool *merges_arms)
{
	struct map all = {0};
	*merges_arms = false;
	array_each (&r->trials, const struct trial, t) {
		for (size_t k = 0; t->pick != SIZE_MAX && k < t->kernels.n; k++) {
			map_set(&all, t->kernels.entry[k].key, 1);
		}
		if (t->pick != SIZE_MAX) {
			*merges_arms |= strategy_merges_arms(t->candidate[t->pick].strategy);
		}
	}
	const char *const *symbols = state_symbols(r->s, &all);
	map_release(&all);
	return symbols;
}

static bool picks_unproved(const struct round *r)
{
	bool any = false;
	array_each (&r->trials, const struct trial, t) {
		any |= t->pick != SIZE_MAX && t->candidate[t->pick].unproved;
	}
	return any;
}

static bool picks_split(const struct round *r)
{
	bool any = false;
	array_each (&r->trials, const struct trial, t) {
		any |= t->pick != SIZE_MAX && t->candidate[t->pick].strategy == STRATEGY_SPLIT;
	}
	return any;
}

/* Did all of these texts run? */
static bool picks_ran(const struct round *r)
{
	bool all = r->judged;
	for (size_t i = 0; i < r->trials.n; i++) {
		const struct trial *t = &r->trials.v[i];
		all = all && (t->pick == SIZE_MAX || r->judged[t->pick * r->trials.n + i].ran);
	}
	return all;
}

/* A kernel that vetoed a pick joins the sample of later rounds. */
static void note_veto(struct state *s, const struct measurement *m, const char *kernel)
{
	for (size_t i = 0; kernel && i < m->kernels; i++) {
		if (strcmp(m->kernel[i].name, kernel) == 0) {
			map_set(&s->vetoed, str_of(m->kernel[i].symbol), 1);
		}
	}
}

/* NULL if no kernel of the unit is worse on any target, else the trial to drop. */
static struct trial *check_unit(struct round *r, const struct measure_result *res, const char **why)
{
	struct state *s = r->s;
	struct judge_by by = {.opts = r->opts ? *r->opts : judge_options(s)};
	by.opts.splits = picks_split(r);
	by.opts.only = picked_symbols(r, &by.opts.arms_merge);
	/* texts that ran have shown equal bits */
	by.opts.allow_recontraction |= picks_unproved(r) || picks_ran(r);
	struct judged g = judge_figures(s, res, &by);
	/* If the user's command or runs have decided, only vetoes count here. */
	bool vetoes_only = s->job->bench || picks_ran(r);
	if (!judge_is_as_bad(g.outcome, vetoes_only ? OUTCOME_VETO : OUTCOME_WORSE)) {
		return NULL;
	}
	*why = g.outcome == OUTCOME_FAILED ? "the unit does not compile with it" : g.why;
	note_veto(s, &s->now[g.target], g.kernel);
	return blamed(r, &s->now[g.target], g.kernel);
}

static size_t *no_picks(const struct round *r)
{
	size_t *pick = ARENA_ARRAY(r->s->a, size_t, r->trials.n);
	for (size_t i = 0; i < r->trials.n; i++) {
		pick[i] = SIZE_MAX;
	}
	return pick;
}

/* The trial that makes bits unequal: one that does so alone, or the first. */
static int blame_bits(struct trial **out, struct round *r, const char **why)
{
	struct state *s = r->s;
	*out = NULL;
	for (size_t i = 0; i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick == SIZE_MAX) {
			continue;
		}
		*out = *out ? *out : t;
		int same = state_same_bits(s, round_text_of(r, i, t->pick), why);
		if (same <= 0) {
			*out = t;
			return same;
		}
	}
	return 0;
}

/* *bad stays NULL if the picks together give the same bits as the source, or bits are not
 * compared. */
static int check_bits(struct trial **bad, struct round *r, struct str text, const char **why)
{
	int same = judge_bits(r->s, text, why);
	return same == 0 ? blame_bits(bad, r, why) : same < 0 ? same : 0;
}

/* Are these the last merges, as far as is known before their text is parsed? */
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
	/* a launcher compiles the text itself */
	struct wanted w[2] = {{text, {.flags = r->s->job->flags,
					     .quiet = true,
					     .draft = r->s->job->lazy,
					     .keep_isa = r->s->job->ran}}};
	return state_compile_all(
		r->s, w, !r->opts && is_last(r) ? state_add_spare(w, 1, r->s, text) : 1);
}

/* 1: the picks that are not merges are faster by the user's command, or there is none; 0:
 * dropped. */
static int check_time(struct round *r, struct str text)
{
	struct state *s = r->s;
	struct attempt timed = {0};
	struct attempt *const of[] = {NULL, &timed};
	const struct str both[] = {s->text, text};
	size_t fastest = 1;
	int rc = r->opts && s->job->bench ? judge_times(&fastest, of, s, both, 2) : 0;
	for (size_t i = 0; timed.reason && i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		if (t->pick != SIZE_MAX) {
			t->attempts.v[t->attempt_of[t->pick]].reason = timed.reason;
		}
		if (t->pick != SIZE_MAX && rc == 0 && fastest != 1) {
			t->attempts.v[t->attempt_of[t->pick]].outcome = timed.outcome;
			t->why_kept = timed.reason;
			t->pick = SIZE_MAX;
		}
	}
	return rc ? rc : fastest == 1;
}

/* 1: the picks are kept; 0: *bad has to be dropped because of *why, or (NULL) some were dropped
 * here. */
static int check_picks(struct trial **bad, struct round *r, struct str text,
	const struct measure_result *res, const char **why)
{
	*bad = check_unit(r, res, why);
	int rc = *bad ? 0 : check_bits(bad, r, text, why);
	if (rc == 0 && !*bad && !r->opts && !state_host_compiles(r->s, text)) {
		*bad = blamed(r, &r->s->now[0], NULL);
		*why = "the host's pass does not compile with it";
	}
	return rc == 0 && !*bad ? check_time(r, text) : rc;
}

/* Compiles the picks together, with all kernels of the unit, and drops picks until the whole unit
 * is no worse. 1: kept, 0: nothing left. */
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
		*text = round_text(r, pick, edits);
		if (s->job->force) {
			return 1;
		}
		/* a pick found in time may be kept, although that takes one more compile */
		double ends_at_s = s->ends_at_s;
		s->ends_at_s = 0;
		*res = compile_picks(r, *text);
		s->ends_at_s = ends_at_s;
		if (!*res) {
			return FAIL_USAGE;
		}
		const char *why = NULL;
		struct trial *bad;
		int rc = check_picks(&bad, r, *text, *res, &why);
		if (rc == 1) {
			return 1;
		}
		edit_list_release(*edits);
		if (rc) {
			return rc;
		}
		if (bad) {
			drop(bad, why);
			pick_second(r, bad);
		}
	}
}

static void mark_done(struct round *r)
{
	for (size_t i = 0; i < r->trials.n; i++) {
		array_push(&r->s->done, r->trials.v[i].site->begin);
	}
}

/* The outermost site in [begin, end) of the current text, or NULL. */
static const struct site *outermost(const struct state *s, size_t begin, size_t end)
{
	const struct site *out = NULL;
	span_each (s->site, s->sites, const struct site, x) {
		if (x->begin >= begin && x->end <= end &&
			(!out || x->end - x->begin > out->end - out->begin)) {
			out = x;
		}
	}
	return out;
}

/* A laundered if/else is still an if/else, and must not be laundered again. The merges in its arms
 * are tried like any other. */
static void mark_laundered(struct round *r, const struct edit_list *edits)
{
	struct state *s = r->s;
	array_each (&r->trials, const struct trial, t) {
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
			state_keep(r->s, t);
		}
		state_decide(r->s, t, state_original_offset(r->s, t->site->begin), r->kernels[i]);
	}
}

/* Drops the picks without which libclang can read the others back; requires that it cannot. */
static void drop_unread(struct round *r)
{
	struct state *s = r->s;
	size_t *pick = no_picks(r);
	for (size_t i = 0; i < r->trials.n; i++) {
		struct trial *t = &r->trials.v[i];
		pick[i] = t->pick;
		if (t->pick != SIZE_MAX && state_parse(s, round_text(r, pick, NULL), true) < 0) {
			pick[i] = SIZE_MAX;
			drop(t, TRIAL_UNREAD);
		}
	}
}

/* Like keep_picks, but also parses *text. */
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

int keep_picked(struct round *r)
{
	struct str text;
	struct edit_list *edits;
	const struct measure_result *res = NULL;
	int kept = keep_read(r, &text, &edits, &res);
	if (kept == 1) {
		judge_accept(r->s, text, edits, res);
	}
	array_each (&r->trials, struct trial, t) {
		if (t->pick != SIZE_MAX) {
			t->attempts.v[t->attempt_of[t->pick]].outcome = OUTCOME_KEPT;
		}
	}
	return kept < 0 ? kept : 0;
}

int keep_round(struct round *r)
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
	pick_tell_whole(r, res);
	decide_all(r);
	judge_accept(s, text, edits, res);
	mark_laundered(r, edits);
	return 0;
}
