/*
 * One pair of parts for all merges whose arms call a function: where a template argument differs
 * between the arms of one of them only, it is handed over in all. What stays the same in a merge is
 * a constant there again once the parts are inlined.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/plan/layout.h"

enum {
	TPARAMS_MAX = 64
};

/* Is it the function of c, be it another instance or in another parse? */
static bool is_function_of(const struct callee *c, const struct kt_unit *u, kt_id id)
{
	const struct kt_fn *own = &c->u->fn[c->leaf[0].fn], *fn = &u->fn[id];
	return fn->body && fn->body->begin == own->body->begin && fn->body->end == own->body->end &&
	       strcmp(u->file[fn->file].path, c->u->file[own->file].path) == 0;
}

/* Template parameters that differ between the arms of m, if these call the function of c. */
static uint64_t differences(
	const struct callee *c, const struct parse *parse, const struct merge *m)
{
	struct candidate none = {0};
	struct plan p = *c->p;
	p.parse = parse;
	p.merge = m;
	p.out = &none;
	struct callee other = {.p = &p, .m = m, .u = parse->unit, .f = parse->facts};
	bool same = m->node->file && parse->unit->file[m->node->file].text.p &&
		    str_eq(parse->unit->file[m->node->file].text, c->p->text) &&
		    callee_find_leaves(&other);
	uint64_t found = 0;
	for (size_t i = 0; i < other.leaves && same; i++) {
		same = is_function_of(c, other.u, other.leaf[i].fn);
	}
	for (size_t i = 0; same && i < c->pattern.tparams && i < TPARAMS_MAX; i++) {
		found |= callee_argument_differs(&other, i) ? (uint64_t)1 << i : 0;
	}
	return found;
}

static void release(void *user)
{
	(void)user; /* the arena's */
}

/* Of all merges of a parse; found once. */
static uint64_t differences_in(const struct callee *c, const struct parse *parse)
{
	kt_id fn = 1;
	while (fn < parse->unit->fns && !is_function_of(c, parse->unit, fn)) {
		fn++;
	}
	if (fn == parse->unit->fns) {
		return 0;
	}
	uint64_t *all = facts_kept(parse->facts, FACTS_KEEP_SPLITS, fn);
	if (all) {
		return *all;
	}
	all = ARENA_NEW(facts_arena(parse->facts), uint64_t);
	*all = 0;
	for (size_t i = 0; i < parse->merges.n; i++) {
		const struct merge *m = &parse->merges.v[i];
		if (m->kind != MERGE_COND && !m->silent) {
			*all |= differences(c, parse, m);
		}
	}
	facts_keep(parse->facts, FACTS_KEEP_SPLITS, fn, all, release);
	return *all;
}

/* Does the state of a pair that an earlier rewrite made of the function have this member? */
static bool has_member(const struct callee *c, const char *state, struct str name)
{
	struct str t = c->p->text;
	size_t n = 0;
	const size_t *at = layout_uses(plan_layout(c->p), str_of(state), &n);
	for (size_t i = 0; i < n; i++) {
		size_t open = lex_skip_space(t, at[i] + strlen(state));
		size_t close = open < t.n && t.p[open] == '{' ? lex_close(t, open) : SIZE_MAX;
		if (close != SIZE_MAX) {
			return callee_has_word(t, (struct span){open, close}, name);
		}
	}
	return false;
}

void callee_share_differences(struct callee *c)
{
	const char *state = callee_state_name(c);
	uint64_t all = differences_in(c, c->p->parse);
	for (size_t i = 0; i < c->p->opts->views; i++) {
		all |= differences_in(c, &c->p->opts->view[i]);
	}
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		struct callee_tparam *q = &c->pattern.tparam[i];
		bool other = (i < TPARAMS_MAX && all >> i & 1) || has_member(c, state, q->name);
		q->differs |= other && !q->is_type;
	}
}
