#include <string.h>

#include "choose/state/state.h"
#include "strategy/plan/plan.h"

/* Kernels of all instances, as their symbols in the compiler's output. */
void site_kernels(struct map *kernels, struct state *s, const struct site *site)
{
	span_each (site->instance, site->instances, const struct site_instance, in) {
		parse_kernels(kernels, s->a, in->parse, in->merge->fn);
	}
}

bool site_may_run(struct state *s, const struct site *site)
{
	bool any = false;
	for (size_t i = 0; i < site->instances && !any; i++) {
		const struct site_instance *in = &site->instance[i];
		any = facts_may_run(in->parse->facts, s->a, in->merge->fn);
	}
	return any;
}

static void add_operation(struct sbuf *b, struct state *s, const struct assumed *o)
{
	const struct kt_file *file = &o->unit->file[o->node->file];
	unsigned line = file->main ? state_original_place(s, o->node->begin).line
				   : kt_line(o->unit, o->node->file, o->node->begin);
	sbuf_addf(b, "the %s in line %u",
		o->what == ASSUMED_BARRIER ? "barrier" : "matrix operation", line);
	if (!file->main) {
		sbuf_addf(b, " of %s", file->path);
	}
}

/* The candidate's assumption, in words; or NULL. */
static const char *assumed_words(struct state *s, const struct candidate *c)
{
	struct sbuf b = {0};
	size_t operations = 0;
	for (size_t i = 0; i < c->assumptions; i++) {
		if (c->assumed[i].what != ASSUMED_FLAT) {
			sbuf_adds(&b, operations++ ? " and " : "what ");
			add_operation(&b, s, &c->assumed[i]);
		}
	}
	if (operations) {
		sbuf_adds(&b, operations == 1
				      ? " asks for: all lanes of a wave reach it, or none"
				      : " ask for: all lanes of a wave reach them, or none");
	}
	if (operations < c->assumptions) {
		sbuf_addf(&b, "%sblocks of one dimension, as nothing asks for another",
			operations ? "; " : "");
	}
	const char *words = b.n ? arena_strdup(s->a, sbuf_cstr(&b)) : NULL;
	sbuf_release(&b);
	return words;
}

static const char *why_refused(
	struct state *s, const struct strategy *st, const struct site *site, const char *variant)
{
	struct strategy_opts opts = s->opts;
	struct candidate *c;
	size_t n;
	opts.variant = variant;
	strategy_plan(&c, &n, s->a, st, site, &opts);
	return arena_printf(s->a, "clause %u of %s: %s", c[0].clause, st->name, c[0].why);
}

/* If the clause on contraction refuses all candidates of a strategy, and machine code can be
 * compared: appends them to the n of *c, marked as unproved. */
static void plan_unproved(struct candidate **c, size_t *n, struct state *s,
	const struct strategy *st, const struct site *site)
{
	struct strategy_opts opts = s->opts;
	struct candidate *more;
	size_t mores;
	bool legal = false;
	for (size_t i = 0; i < *n; i++) {
		legal |= (*c)[i].clause == 0;
	}
	if (!s->job->ran || !s->job->runs_are_asked_for || legal || opts.contract_off || *n == 0) {
		return;
	}
	opts.contract_off = true;
	strategy_plan(&more, &mores, s->a, st, site, &opts);
	struct candidate *all = ARENA_ARRAY(s->a, struct candidate, *n + mores);
	memcpy(all, *c, *n * sizeof(*all));
	for (size_t i = 0; i < mores; i++) {
		if (!more[i].clause) {
			more[i].unproved = why_refused(s, st, site, more[i].variant);
			all[(*n)++] = more[i];
		}
	}
	*c = all;
}

static struct map *kernels_by_view(struct state *s, const struct site *site)
{
	struct map *of = ARENA_ARRAY(s->a, struct map, s->job->targets);
	span_each (site->instance, site->instances, const struct site_instance, in) {
		if (!in->parse->unit->host) {
			parse_kernels(&of[in->parse - s->parse], s->a, in->parse, in->merge->fn);
		}
	}
	return of;
}

void trial_init(struct trial *t, struct state *s, struct site *site)
{
	*t = (struct trial){.site = site, .pick = SIZE_MAX};
	site_kernels(&t->kernels, s, site);
	t->of_view = kernels_by_view(s, site);
	t->views = s->job->targets;
	sample_choose(&t->sample, s, site);
	/* If no arm reads the accumulator's value from before, there are no second copies, and only
	 * writing the shared code once can help. If the arms share no accumulator, a fence keeps
	 * the code at their begin in each of them. */
	bool chained = site->chained >= s->opts.threshold, alike = state_is_alike(s, site);
	enum strategy_subject subject = s->guarded ? SUBJECT_GUARDED : SUBJECT_MERGE;
	size_t tail = SIZE_MAX; /* hoist may take less than all of the shared code */
	ARRAY(struct candidate) legal = {0};
	ARRAY(size_t) attempt_of = {0};
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		const struct strategy *st = &strategies[i];
		bool other = (s->job->force && s->job->force != st) ||
			     (s->guarded ? false
					 : !strategy_may_fit(st, site) ||
						     !(chained || alike ||
							     strategy_merges_arms(st->id)));
		if (st->subject != subject || other) {
			continue;
		}
		struct candidate *c;
		size_t n;
		strategy_plan(&c, &n, s->a, st, site, &s->opts);
		plan_unproved(&c, &n, s, st, site);
		for (size_t k = 0; k < n; k++) {
			struct attempt at = {.strategy = st->id, .variant = c[k].variant};
			if (c[k].topic == TOPIC_OTHER && n > 1) {
				continue;
			}
			struct plan p = {.a = s->a, .out = &c[k]};
			if (!c[k].clause && s->job->force && c[k].measure_why &&
				!plan_refuse(&p, CLAUSE_MEASURED, "%s", c[k].measure_why)) {
				candidate_release(&c[k]);
			}
			if (c[k].clause) {
				at.outcome = OUTCOME_REFUSED;
				at.clause = c[k].clause;
				at.reason = c[k].why;
			} else {
				at.outcome = OUTCOME_UNTRIED;
				at.assumes = assumed_words(s, &c[k]);
				at.unproved = c[k].unproved;
				tail = c[k].tail ? c[k].tail : tail;
				array_push(&legal, c[k]);
				array_push(&attempt_of, t->attempts.n);
			}
			array_push(&t->attempts, at);
		}
	}
	t->explanation = s->job->explain ? explain_site(s, site, tail) : NULL;
	array_move(t->candidate, t->candidates, s->a, &legal);
	t->attempt_of = array_to_arena(s->a, &attempt_of);
	array_release(&attempt_of);
}

void trial_release(struct trial *t)
{
	for (size_t i = 0; i < t->candidates; i++) {
		candidate_release(&t->candidate[i]);
	}
	array_release(&t->attempts);
	for (size_t k = 0; t->of_view && k < t->views; k++) {
		map_release(&t->of_view[k]);
	}
	map_release(&t->kernels);
	map_release(&t->sample);
}

/* Does this insert a declaration that another merge of the round inserts as well? */
static bool has_declaration(
	const struct edit_list *l, const struct candidate *c, const struct edit *e)
{
	for (size_t i = 0; (c->declares.n || c->forward.n) && i < l->edits.n; i++) {
		const struct edit *o = &l->edits.v[i];
		if (o->begin == e->begin && o->end == e->end && str_eq(o->text, e->text) &&
			candidate_shares(c, e->text)) {
			return true;
		}
	}
	return false;
}

bool candidate_meets(const struct candidate *c, const struct edit_list *l, struct str declared)
{
	if (!c->declares.n && !c->forward.n) {
		return edit_lists_meet(&c->edits, l);
	}
	array_each (&c->edits.edits, const struct edit, x) {
		bool own = candidate_shares(c, x->text);
		array_each (&l->edits, const struct edit, y) {
			bool both = own && y->begin == y->end && x->begin == y->begin &&
				    str_holds(declared, y->text);
			if (!both && x->begin <= y->end && y->begin <= x->end) {
				return true;
			}
		}
	}
	return false;
}

void trial_add_edits(struct state *s, struct edit_list *l, const struct candidate *c)
{
	array_each (&c->edits.edits, const struct edit, e) {
		if (has_declaration(l, c, e)) {
			continue;
		}
		edit_list_add(l, s->a, e->begin, e->end, e->text);
	}
}

void trial_decide_to_keep(struct state *s, struct site *site, const char *why)
{
	struct trial t = {.site = site, .pick = SIZE_MAX, .why_kept = why};
	site_kernels(&t.kernels, s, site);
	state_decide(s, &t, state_original_offset(s, site->begin), state_kernel_names(s, &t));
	array_push(&s->done, site->begin);
	trial_release(&t);
}
