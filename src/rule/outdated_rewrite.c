/*
 * unphi-outdated-rewrite: guarded ifs that unphi wrote for a compiler that makes a second copy at a
 * uniform if/else; the compiler in use makes none.
 *
 *   if (taken) {
 *           step(acc, x);                   From clang 24 on (settings.skips_uniform_from) regions
 *   }                                       of uniform branches are left as they are: an else
 *   __builtin_amdgcn_wave_barrier();        costs no copy there, and the fence and the second
 *   if (!taken) {                           condition only stand in the way of what LLVM does
 *           last(acc, x);                   with both arms together.
 *   }
 *
 * A note, because the gain of the else has to be measured: with --measure it is a warning if rejoin
 * is better. Reported if rejoin is legal (strategy/guard/rejoin.c): then the branch is proved
 * uniform, or its condition is in a scalar register, and the fence is unphi's.
 */
#include "analysis/merge/guarded.h"
#include "rule/rule.h"
#include "rule/subject.h"

static bool is_legal(const struct rule_input *in, struct arena *scratch, const struct site *site)
{
	struct candidate *c;
	size_t n;
	bool legal = false;
	strategy_plan(&c, &n, scratch, &strategies[STRATEGY_REJOIN], site, in->opts);
	for (size_t i = 0; i < n; i++) {
		legal |= c[i].clause == 0;
		candidate_release(&c[i]);
	}
	return legal;
}

static const char *crosses(struct arena *a, const struct site_instance *in)
{
	const struct merge *m = in->merge;
	if (m->carriers == 0) {
		return "what the arms load";
	}
	const struct carrier *c = &m->carrier[0];
	return arena_printf(a, "'%s' (%u VGPRs per lane)",
		facts_loc_name(in->parse->facts, a, c->loc), c->width);
}

static void report(const struct rule_input *in, const struct site *site, struct diag_list *out)
{
	const struct site_instance *widest = site_widest(site);
	const struct kt_unit *u = widest->parse->unit;
	const struct kt_node *n = widest->merge->node;
	const struct kt_file *file = &u->file[n->file];
	struct diag d = {.level = DIAG_NOTE,
		.rule = "unphi-outdated-rewrite",
		.weight = site->chained,
		.next = "rewrite"};
	d.place = (struct diag_place){file->path, file->text, n->begin, n->begin + 2, NULL};
	subject_set(&d, in->a, u, widest->merge->fn, n);
	d.text = str_of(arena_printf(in->a,
		"guarded ifs of an earlier rewrite keep %s in one copy: the compiler in use makes "
		"no "
		"second one at a uniform if/else, so an else may be better",
		crosses(in->a, widest)));
	d.note = ARENA_ARRAY(in->a, struct diag_note, 1);
	d.note[d.notes++] = (struct diag_note){
		.text = str_of(arena_printf(in->a, "in %s", u->fn[widest->merge->fn].name)),
		.says = SAYS_WHERE};
	array_push(&out->v, d);
}

void rule_outdated_rewrite(const struct rule_input *in, struct diag_list *out)
{
	struct arena *scratch = in->skips_uniform ? arena_create() : NULL;
	struct site *site = NULL;
	size_t n = 0;
	if (in->skips_uniform) {
		sites_find(&site, &n, in->a, in->parse, in->parses, SITES_GUARDED);
	}
	for (size_t i = 0; i < n; i++) {
		const struct site_instance *first = &site[i].instance[0];
		const struct arm *arm = first->merge->arm;
		bool lanes = guard_between(first->parse->unit, arm[0].owner, arm[1].owner) ==
			     BETWEEN_LANES;
		if (!lanes && facts_may_run(first->parse->facts, scratch, first->merge->fn) &&
			is_legal(in, scratch, &site[i])) {
			report(in, &site[i], out);
		}
		arena_clear(scratch);
	}
	if (scratch) {
		arena_free(scratch);
	}
}
