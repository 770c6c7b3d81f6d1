/* The strategies, and planning over the instances of a site. */
#include <string.h>
#include "base/msg.h"
#include "strategy/drop_sync/drop_sync.h"
#include "strategy/fuse/fuse.h"
#include "strategy/guard/guard.h"
#include "strategy/hoist/hoist.h"
#include "strategy/join/join.h"
#include "strategy/plan/body.h"
#include "strategy/plan/comment.h"
#include "strategy/plan/places.h"
#include "strategy/rematerialize/rematerialize.h"
#include "strategy/split/split.h"
#include "strategy/unify/unify.h"

static const char *const hoist_variants[] = {
	"plain", "fenced", "guarded", "guarded-fenced", "split", "split-fenced", NULL};
static const char *const fuse_variants[] = {"plain", "laundered", NULL};
static const char *const predicate_variants[] = {"plain", NULL};
static const char *const sequentialize_variants[] = {"selector", "nested", NULL};
static const char *const launder_variants[] = {
	"uniform", "uniform, if/else kept", "per lane", "per lane, if/else kept", NULL};
static const char *const split_variants[] = {"two loops", "counted", "search", "in runs", NULL};
static const char *const unify_variants[] = {"plain", NULL};
static const char *const rejoin_variants[] = {"nested", "alone", NULL};

const struct strategy strategies[STRATEGY_COUNT] = {
	{STRATEGY_HOIST, SUBJECT_MERGE, "hoist",
		"the wide compute moves after the merge; only small values cross", hoist_variants,
		2, hoist_plan},
	{STRATEGY_FUSE, SUBJECT_MERGE, "fuse", "arms that differ only in operands become one body",
		fuse_variants, 1, fuse_plan},
	{STRATEGY_SEQUENTIALIZE, SUBJECT_MERGE, "sequentialize",
		"an if/else becomes guarded ifs with a fence between", sequentialize_variants, 1,
		sequentialize_plan},
	{STRATEGY_LAUNDER, SUBJECT_MERGE, "launder", "the condition goes through an empty asm",
		launder_variants, 1, launder_plan},
	{STRATEGY_SPLIT, SUBJECT_MERGE, "split", "a loop becomes loops with one arm each",
		split_variants, 1, split_plan},
	{STRATEGY_PREDICATE, SUBJECT_MERGE, "predicate",
		"a guarded arm and the same arm without the guard become one masked body",
		predicate_variants, 1, predicate_plan},
	{STRATEGY_DROP_SYNC, SUBJECT_BARRIER, "drop-sync",
		"barriers that order nothing are dropped", drop_sync_variants, 1, drop_sync_plan},
	{STRATEGY_REMATERIALIZE, SUBJECT_FRAGMENT, "rematerialize",
		"values that a loop only reads are loaded in the loop, not before it",
		fragment_variants, 1, rematerialize_plan},
	{STRATEGY_JOIN, SUBJECT_RUN, "join", "adjacent accesses become one", NULL, 1, join_plan},
	{STRATEGY_REJOIN, SUBJECT_GUARDED, "rejoin",
		"guarded ifs become an if/else again, without the fence", rejoin_variants, 1,
		rejoin_plan},
	{STRATEGY_UNIFY, SUBJECT_MERGE, "unify",
		"arms that call instances of one function template become one call", unify_variants,
		1, unify_plan},
};

const struct strategy *strategy_find(const char *name)
{
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		if (strcmp(strategies[i].name, name) == 0) {
			return &strategies[i];
		}
	}
	return NULL;
}

bool strategy_may_fit(const struct strategy *s, const struct site *site)
{
	bool guards = s->id == STRATEGY_SEQUENTIALIZE, one = site_is_one_armed(site);
	bool arms = site->instance[0].merge->arms > 1;
	if (merge_returns(site->instance[0].merge)) {
		return s->id == STRATEGY_UNIFY; /* the others need a place after it */
	}
	return one ? s->id == STRATEGY_SPLIT || (arms && guards) : !site->alike || guards;
}

bool strategy_merges_arms(enum strategy_id id)
{
	return id == STRATEGY_HOIST || id == STRATEGY_FUSE || id == STRATEGY_PREDICATE ||
	       id == STRATEGY_UNIFY;
}

static kt_id fn_of(const struct site_instance *in)
{
	return in->fragment ? in->fragment->fn : in->merge->fn;
}

static kt_id file_of(const struct site_instance *in)
{
	return (in->fragment ? in->fragment->decl : in->merge->node)->file;
}

static void plan_instance(struct candidate *out, struct arena *a, const struct strategy *s,
	const char *variant, const struct site *site, const struct site_instance *in,
	const struct strategy_opts *opts)
{
	const struct kt_unit *u = in->parse->unit;
	*out = (struct candidate){.strategy = s->id, .variant = variant};
	struct plan p = {.parse = in->parse,
		.merge = in->merge,
		.alike = site->alike > 0,
		.fragment = in->fragment,
		.place = in->fragment ? in->fragment->decl : NULL,
		.opts = opts,
		.a = a,
		.out = out,
		.text = u->file[file_of(in)].text};
	s->plan(&p, variant);
	if (!out->clause && in->merge) {
		plan_check_lanes(&p);
	}
	if (!out->clause && out->edits.edits.n == 0) {
		plan_refuse(&p, CLAUSE_NOTHING, "it changes nothing here");
	}
	if (!out->clause && in->merge && opts->comments) {
		plan_comment(&p);
	}
	size_t clash[2];
	if (!out->clause && !edit_list_check(&out->edits, p.text.n, clash)) {
		BUG("%s (%s): its own edits overlap at byte %zu", s->name, variant,
			out->edits.edits.v[clash[0]].begin);
	}
	if (!out->clause) {
		plan_check_places(&p, file_of(in), fn_of(in));
	}
}

static void check_views(struct candidate *out, struct arena *a, const struct site *site,
	const struct strategy_opts *opts)
{
	const struct site_instance *in = &site->instance[0];
	struct plan p = {.parse = in->parse, .opts = opts, .a = a, .out = out};
	plan_check_views(&p, fn_of(in), site->begin, site->end);
}

/* One variant over all instances of a site. */
static void plan_variant(struct candidate *out, struct arena *a, const struct strategy *s,
	const char *variant, const struct site *site, const struct strategy_opts *opts)
{
	plan_instance(out, a, s, variant, site, &site->instance[0], opts);
	for (size_t i = 1; i < site->instances && !out->clause; i++) {
		struct candidate other;
		const struct site_instance *in = &site->instance[i];
		plan_instance(&other, a, s, variant, site, in, opts);
		if (!other.clause && other.measure_why) {
			out->measure_why = other.measure_why;
		}
		for (size_t k = 0; k < other.assumptions; k++) {
			plan_assume(out, other.assumed[k]);
		}
		out->unseen |= other.unseen;
		out->wrapper = wrapper_join(a, out->wrapper, other.wrapper);
		plan_agree(out, a, &other, in->parse->unit, fn_of(in));
		candidate_release(&other);
	}
	if (!out->clause) {
		check_views(out, a, site, opts);
	}
	if (out->clause) {
		edit_list_release(&out->edits);
	}
}

/* Is it a duplicate of x? For fragments, several forms may fail the same clause at different
 * places; the first is enough. */
static bool is_duplicate(
	const struct strategy *s, const struct candidate *x, const struct candidate *c)
{
	if (!c->clause) {
		return !x->clause && candidate_same_edits(x, c);
	}
	return x->clause == c->clause &&
	       (s->subject == SUBJECT_FRAGMENT || strcmp(x->why, c->why) == 0);
}

void strategy_plan(struct candidate **out, size_t *n, struct arena *a, const struct strategy *s,
	const struct site *site, const struct strategy_opts *opts)
{
	ARRAY(struct candidate) list = {0};
	bool refused = false; /* for all forms of the current group */
	bool found = false;
	for (size_t v = 0; s->variants && s->variants[v] && !(found && opts->any); v++) {
		refused = refused && v % s->forms;
		if (refused) {
			continue; /* as a duplicate */
		}
		if (opts->variant && strcmp(opts->variant, s->variants[v]) != 0) {
			continue;
		}
		struct candidate c;
		plan_variant(&c, a, s, s->variants[v], site, opts);
		refused = c.clause && c.all_forms;
		found |= c.clause == 0;
		bool duplicate = false;
		for (size_t i = 0; i < list.n; i++) {
			duplicate |= is_duplicate(s, &list.v[i], &c);
		}
		if (duplicate) {
			candidate_release(&c);
		} else {
			array_push(&list, c);
		}
	}
	array_move(*out, *n, a, &list);
}

bool site_asks_for_else(
	const struct site *site, const struct strategy *only, const struct strategy_opts *opts)
{
	const struct merge *m = site->instance[0].merge;
	struct strategy_opts first = *opts;
	bool used = m->kind == MERGE_COND && !merge_discarded(m->node), legal = false;

	if (!m->chained || !(used || merge_returns(m))) {
		return false;
	}
	struct arena *scratch = arena_create();
	first.any = true;
	for (size_t i = 0; i < STRATEGY_COUNT && !legal; i++) {
		const struct strategy *s = &strategies[i];
		struct candidate *c;
		size_t n = 0;
		if (s->subject == SUBJECT_MERGE && (!only || only == s) &&
			strategy_may_fit(s, site)) {
			strategy_plan(&c, &n, scratch, s, site, &first);
		}
		for (size_t k = 0; k < n; k++) {
			legal |= c[k].clause == 0;
			candidate_release(&c[k]);
		}
	}
	struct edit_list l = {0};
	bool may = !legal && !site_as_else(&l, scratch, site, opts);
	edit_list_release(&l);
	arena_free(scratch);
	return may;
}
