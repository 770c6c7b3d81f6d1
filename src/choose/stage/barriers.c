/*
 * Barriers that order nothing, after the merges: per group of kernels that share barriers, one
 * text with those gone that may go from the first on, and one from the last on. What the compiler's
 * output shows decides as for merges, but that fewer barriers are the gain.
 */
#include <string.h>

#include "base/msg.h"

#include "choose/judge/judge.h"
#include "choose/stage/stage.h"
#include "strategy/drop_sync/drop_sync.h"
#include "strategy/plan/plan.h"

enum {
	FORMS = 2, /* of drop_sync_variants */
};

struct group {
	unsigned id;
	struct map kernels;
	bool has[FORMS]; /* a candidate that no other form equals */
	struct attempt attempt[FORMS];
	int64_t left[FORMS]; /* barriers in the compiler's output */
	size_t pick;	     /* FORMS: none */
	const char *why_kept;
};

struct dropping {
	struct state *s;
	struct barriers all;
	bool *set[FORMS]; /* by site: gone in that form */
	struct group *group;
	size_t groups;
	struct map index; /* id -> group */
	/* by site, of the text before: */
	struct line_col *at;
	const char **kernels;
	unsigned *clause; /* why it stays, once what may go is gone */
	const char **why;
	const char **stays; /* why it is not to be touched; or NULL */
};

static struct group *group_of(const struct dropping *d, const struct barrier_site *site)
{
	return &d->group[map_get_u64(&d->index, site->group, 0)];
}

/* ---- candidates ---- */

static void find_groups(struct dropping *d)
{
	d->group = ARENA_ARRAY(d->s->a, struct group, d->all.n);
	for (size_t i = 0; i < d->all.n; i++) {
		const struct barrier_site *site = &d->all.v[i];
		if (map_set_u64(&d->index, site->group,
			    map_get_u64(&d->index, site->group, d->groups))) {
			d->group[d->groups++] = (struct group){.id = site->group, .pick = FORMS};
		}
		barrier_kernels(&group_of(d, site)->kernels, d->s->a, site);
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
			d->set[f][i] = site->dropped && !d->stays[i];
			bool fresh = f == 0 || !asked_for(d, 0) || !d->set[0][i];
			struct group *g = group_of(d, site);
			g->has[f] |= asked_for(d, f) && d->set[f][i] && fresh;
			if (f == 0) {
				d->clause[i] = site->clause;
				d->why[i] = site->why;
			}
			g->attempt[f] = (struct attempt){.strategy = STRATEGY_DROP_SYNC,
				.variant = drop_sync_variants[f],
				.outcome = OUTCOME_UNTRIED};
		}
	}
	barriers_restore(&d->all);
}

/* The text with the picks of all groups, or with the forms of those alone. */
static struct str apply(struct dropping *d, const size_t *form, struct edit_list **edits)
{
	struct candidate all = {.strategy = STRATEGY_DROP_SYNC};
	struct plan p = {.barriers = &d->all, .a = d->s->a, .text = d->s->text, .out = &all};
	for (size_t i = 0; i < d->all.n; i++) {
		size_t f = form[group_of(d, &d->all.v[i]) - d->group];
		d->all.v[i].dropped = f < FORMS && d->set[f][i];
	}
	for (size_t g = 0; g < d->groups; g++) {
		p.group = d->group[g].id;
		strategies[STRATEGY_DROP_SYNC].plan(&p, NULL);
	}
	struct edit_list *l = ARENA_NEW(d->s->a, struct edit_list);
	*l = all.edits;
	if (!state_finish_edits(d->s, l, 0)) {
		BUG("%s: edits of different barriers overlap", d->s->job->path);
	}
	struct str text = state_edited(d->s, l);
	if (edits) {
		*edits = l;
	} else {
		edit_list_release(l);
	}
	return text;
}

static size_t *picks(const struct dropping *d)
{
	size_t *form = ARENA_ARRAY(d->s->a, size_t, d->groups);
	for (size_t g = 0; g < d->groups; g++) {
		form[g] = d->group[g].pick;
	}
	return form;
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
static void judge(struct dropping *d, struct group *g, size_t f, const struct measure_result *r)
{
	const struct judge_by by = {.kernels = &g->kernels, .opts = {.drops_barriers = true}};
	struct judged judged = judge_figures(d->s, r, &by);
	judge_attempt(&g->attempt[f], d->s, &judged);
	for (size_t k = 0; k < d->s->job->targets && r[k].status == MEASURE_OK; k++) {
		struct measurement after = measurement_of(d->s->a, &r[k].m, &g->kernels);
		g->left[f] += count_barriers(&after);
	}
}

static void choose(struct group *g)
{
	g->why_kept = "the compiler's output did not get better";
	for (size_t f = 0; f < FORMS; f++) {
		bool better = g->has[f] && g->attempt[f].outcome == OUTCOME_BETTER;
		if (better && (g->pick == FORMS || g->left[f] < g->left[g->pick])) {
			g->pick = f;
		}
	}
}

static int try_forms(struct dropping *d)
{
	struct state *s = d->s;
	struct wanted w[FORMS + 1];
	size_t form[FORMS] = {0}, n = 0;
	size_t *of = ARENA_ARRAY(s->a, size_t, d->groups);
	for (size_t f = 0; f < FORMS; f++) {
		bool any = false;
		for (size_t g = 0; g < d->groups; g++) {
			of[g] = d->group[g].has[f] ? f : FORMS;
			any |= d->group[g].has[f];
		}
		if (any) {
			form[n] = f;
			w[n++] = (struct wanted){
				apply(d, of, NULL), {.flags = s->job->flags, .quiet = true}};
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
		for (size_t g = 0; g < d->groups; g++) {
			if (d->group[g].has[form[i]]) {
				judge(d, &d->group[g], form[i], &r[i * s->job->targets]);
			}
		}
	}
	for (size_t g = 0; r && g < d->groups; g++) {
		choose(&d->group[g]);
	}
	return r ? 0 : FAIL_USAGE;
}

/* ---- keeping ---- */

static void unpick(struct group *g, enum outcome o, const char *why)
{
	g->attempt[g->pick].outcome = o;
	g->attempt[g->pick].reason = g->why_kept = why;
	g->pick = FORMS;
}

static struct group *first_picked(const struct dropping *d)
{
	for (size_t g = 0; g < d->groups; g++) {
		if (d->group[g].pick < FORMS) {
			return &d->group[g];
		}
	}
	return NULL;
}

/* The group that makes some kernel worse. */
static struct group *blamed(
	const struct dropping *d, const struct measurement *m, const char *kernel)
{
	for (size_t g = 0; kernel && g < d->groups; g++) {
		for (size_t i = 0; d->group[g].pick < FORMS && i < m->kernels; i++) {
			if (strcmp(m->kernel[i].name, kernel) == 0 &&
				map_has(&d->group[g].kernels, str_of(m->kernel[i].symbol))) {
				return &d->group[g];
			}
		}
	}
	return first_picked(d);
}

static const char *const *picked_symbols(const struct dropping *d)
{
	ARRAY(const char *) v = {0};
	for (size_t g = 0; g < d->groups; g++) {
		const struct map *m = &d->group[g].kernels;
		for (size_t k = 0; d->group[g].pick < FORMS && k < m->n; k++) {
			struct str key = m->entry[k].key;
			array_push(&v, (const char *)arena_strndup(d->s->a, key.p, key.n));
		}
	}
	array_push(&v, NULL);
	const char *const *r = array_to_arena(d->s->a, &v);
	array_release(&v);
	return r;
}

/* Takes back what makes the unit worse. True: nothing does. */
static bool check_unit(struct dropping *d, const struct measure_result *r)
{
	struct state *s = d->s;
	const struct judge_by by = {.opts = {.drops_barriers = true, .only = picked_symbols(d)}};
	struct judged g = judge_figures(s, r, &by);
	bool failed = g.outcome == OUTCOME_FAILED;
	bool bad = outcome_is_bad(g.outcome);
	if (bad) {
		unpick(failed ? first_picked(d) : blamed(d, &s->now[g.target], g.kernel),
			failed ? OUTCOME_FAILED : OUTCOME_VETO,
			failed ? "the unit does not compile with it" : g.why);
	}
	return !bad;
}

/* 1: the same bits and no races; 0: something was taken back. */
static int check_bits(struct dropping *d, struct str text)
{
	const char *why = NULL;
	size_t *form = ARENA_ARRAY(d->s->a, size_t, d->groups);
	int same = judge_bits(d->s, text, &why);
	if (same != 0) {
		return same;
	}
	struct group *bad = first_picked(d);
	for (size_t g = 0; g < d->groups; g++) {
		form[g] = FORMS;
	}
	for (size_t g = 0; g < d->groups; g++) {
		if (d->group[g].pick == FORMS) {
			continue;
		}
		form[g] = d->group[g].pick;
		same = state_same_bits(d->s, apply(d, form, NULL), &why);
		form[g] = FORMS;
		if (same <= 0) {
			bad = &d->group[g];
			break;
		}
	}
	unpick(bad, OUTCOME_VETO, why);
	return same < 0 ? same : 0;
}

/* 1: fast enough, or nobody asks. */
static int check_time(struct dropping *d, struct str text)
{
	struct attempt at = {0};
	int faster = judge_time(&at, d->s, text);
	for (size_t g = 0; at.reason && g < d->groups; g++) {
		struct group *x = &d->group[g];
		if (x->pick == FORMS) {
			continue;
		}
		x->attempt[x->pick].reason = at.reason;
		if (faster == 0) {
			unpick(x, at.outcome, at.reason);
		}
	}
	return faster;
}

/* Takes over the picks, as far as they hold together. */
static int keep(struct dropping *d)
{
	struct state *s = d->s;
	const struct measure_result *r = NULL;
	struct edit_list *edits;
	while (first_picked(d)) {
		struct str text = apply(d, picks(d), &edits);
		int ok = 1;
		if (!s->job->force) {
			double ends_at_s = s->ends_at_s;
			s->ends_at_s = 0; /* one compile more for what was found in time */
			r = state_compile(s, &text, 1, true, false);
			s->ends_at_s = ends_at_s;
			ok = !r ? FAIL_USAGE : check_unit(d, r);
			ok = ok == 1 ? check_bits(d, text) : ok;
			ok = ok == 1 ? check_time(d, text) : ok;
		}
		if (ok == 1 && judge_keep(s, text, edits, r)) {
			return 0;
		}
		if (ok == 1) {
			unpick(first_picked(d), OUTCOME_VETO, TRIAL_UNREAD);
			ok = 0;
		}
		edit_list_release(edits);
		if (ok < 0) {
			return ok;
		}
	}
	return 0;
}

/* ---- saying it ---- */

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
	const struct group *g = group_of(d, site);
	ARRAY(struct attempt) attempts = {0};
	bool tried = false;
	for (size_t f = 0; f < FORMS; f++) {
		bool same = f > 0 && g->has[0] && !g->has[1];
		if (!d->set[f][i] || !asked_for(d, f) || same) {
			continue;
		}
		struct attempt at = g->attempt[f];
		at.outcome = f == g->pick ? OUTCOME_KEPT : at.outcome;
		at.reason = with_company(d, at.reason, i, f);
		array_push(&attempts, at);
		tried = true;
	}
	if (!tried && !d->stays[i] && d->why[i]) {
		array_push(&attempts, (struct attempt){.strategy = STRATEGY_DROP_SYNC,
					      .variant = drop_sync_variants[0],
					      .outcome = OUTCOME_REFUSED,
					      .clause = d->clause[i],
					      .reason = d->why[i]});
	}
	const struct barrier_instance *in = &site->instance[0];
	const struct sync_barrier *x = &in->sync->v[in->index];
	bool gone = g->pick < FORMS && d->set[g->pick][i];
	*out = (struct decision){.at = d->at[i],
		.in_original = true,
		.kind = DECISION_BARRIER,
		.function = in->parse->unit->fn[x->fn].name,
		.kernels = d->kernels[i],
		.attempts = attempts.n,
		.rewritten = gone,
		.why_kept = gone		  ? NULL
			    : d->stays[i]	  ? d->stays[i]
			    : !tried && d->why[i] ? d->why[i]
			    : g->pick < FORMS	  ? "others go in its place"
						  : g->why_kept};
	out->attempt = array_to_arena(d->s->a, &attempts);
	array_release(&attempts);
}

/* Of those that stay because they are needed nobody wants to hear but who forces it. */
static void decide_all(struct dropping *d)
{
	for (size_t i = 0; i < d->all.n; i++) {
		bool could = d->set[0][i] || d->set[1][i];
		struct decision out;
		if (d->all.v[i].main && (could || d->stays[i] || d->s->job->force)) {
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
		const struct trial t = {.kernels = group_of(d, site)->kernels};
		d->at[i] = state_original_place(s, site->begin);
		d->kernels[i] = state_kernel_names(s, &t);
	}
}

static int run(struct dropping *d)
{
	struct state *s = d->s;
	int rc = 0;
	if (s->job->force) {
		for (size_t g = 0; g < d->groups; g++) {
			struct group *x = &d->group[g];
			x->pick = x->has[0] ? 0 : x->has[1] ? 1 : FORMS;
			if (x->pick < FORMS) {
				x->attempt[x->pick].reason = "forced, not measured";
			}
		}
	} else {
		rc = try_forms(d);
	}
	note_places(d);
	rc = rc ? rc : keep(d);
	if (rc == 0) {
		decide_all(d);
	}
	return rc;
}

static bool may_drop(const struct dropping *d)
{
	bool any = false;
	for (size_t g = 0; g < d->groups; g++) {
		any |= d->group[g].has[0] || d->group[g].has[1];
	}
	return any;
}

int barriers_run(struct state *s)
{
	struct dropping d = {.s = s};
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
	d.stays = ARENA_ARRAY(s->a, const char *, d.all.n);
	for (size_t i = 0; i < d.all.n; i++) {
		bool mine = d.all.v[i].main;
		struct map kernels = {0};
		barrier_kernels(&kernels, s->a, &d.all.v[i]);
		d.stays[i] = !mine ? NULL
			     : state_wants(s, &kernels)
				     ? state_stays(s, DECISION_BARRIER, d.all.v[i].begin)
				     : "no kernel that matches --kernel reaches it";
		map_release(&kernels);
	}
	find_groups(&d);
	find_sets(&d);
	int seen = !may_drop(&d) || !s->job->see_races ? 1 : s->job->see_races(s->job->bits);
	int rc = seen < 0 ? seen : seen && d.all.n ? run(&d) : 0;
	for (size_t g = 0; g < d.groups; g++) {
		map_release(&d.group[g].kernels);
	}
	map_release(&d.index);
	barriers_release(&d.all);
	return rc;
}
