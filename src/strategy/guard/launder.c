/*
 * launder: the condition passes through an empty asm, so that LLVM does not know that the arms
 * exclude each other (guarded ifs), or what decides between them (if/else kept).
 *
 * BEFORE                          AFTER (uniform)
 *   if (t < tail) {                 int taken = __builtin_amdgcn_readfirstlane(t < tail);
 *           step(acc, x);           asm volatile("" : "+s"(taken));
 *   } else {                        if (taken) {
 *           last(acc, x);                   step(acc, x);
 *   }                               }
 *                                   asm volatile("" : "+s"(taken));
 *                                   if (!taken) {
 *                                           last(acc, x);
 *                                   }
 *
 * The uniform form puts the selector into a scalar register after readfirstlane ("+s"): the branch
 * stays scalar. The per-lane form ("+v") makes it a divergent branch: the compiler may then drop
 * the jump around a short arm and run it with EXEC = 0, which matrix operations ignore: both arms'
 * results would be computed.
 *
 * Legal when
 *  1 to 5. as for sequentialize;
 *  6. uniform: every condition is uniform, and the whole wave reaches the merge: proved, or
 *     required by a matrix operation or barrier in the arms (see agree.c);
 *  7. per lane: no arm, callees included, holds a matrix operation, barrier, cross-lane or other
 *     convergent operation, volatile inline asm, or unknown code. If an arm may leave the function,
 *     the same holds for the rest of the function, which only some of the lanes then reach.
 */
#include <string.h>
#include "strategy/guard/guard.h"

/* Chains inside an arm, which a selector would include, are not changed here. */
static bool check_uniform(struct plan *p, const struct merge *m)
{
	size_t conds;
	const struct kt_node *const *cond = plan_conditions(&conds, p, m);
	const char *why;
	return plan_is_uniform(p, m->node, cond, conds, &why) || plan_refuse(p, 6, "%s", why);
}

/* where: "an arm", or the rest of the function after an arm that may leave. */
static bool check_masked(struct plan *p, const struct kt_node *n, const char *where)
{
	struct fx fx = facts_effects(p->parse->facts, n);
	if (fx.flags & FX_MATRIX) {
		return plan_refuse(
			p, 7, "%s holds a matrix operation, which ignores the lane mask", where);
	}
	if (fx.flags & FX_BARRIER) {
		return plan_refuse(p, 7, "%s holds a barrier", where);
	}
	if (fx.flags & FX_CROSSLANE) {
		return plan_refuse(p, 7, "%s holds a cross-lane operation", where);
	}
	if (fx.flags & FX_PINNED) {
		return plan_refuse(p, 7, "%s holds volatile inline asm", where);
	}
	if (fx.flags & (FX_UNKNOWN | FX_ASM)) {
		return plan_refuse(p, 7, "%s holds code that unphi cannot see through", where);
	}
	return true;
}

static bool check_per_lane(struct plan *p, const struct merge *m)
{
	if (!check_masked(p, m->node, "an arm")) {
		return false;
	}
	const struct kt_node *body = p->parse->unit->fn[m->fn].body;
	return !(facts_effects(p->parse->facts, m->node).flags & FX_EXIT) ||
	       check_masked(p, body, "an arm may leave, and the rest of the function");
}

void launder_plan(struct plan *p, const char *variant)
{
	bool uniform = str_starts(str_of(variant), "uniform");
	struct guard_opts o = {.guard = uniform ? GUARD_LAUNDER_UNIFORM : GUARD_LAUNDER,
		.keep_else = strstr(variant, "kept") != NULL};
	if (p->merge->kind == MERGE_COND) {
		plan_refuse(p, 1, "it is a conditional expression, not a statement");
		return;
	}
	if (o.keep_else && p->merge->kind == MERGE_SWITCH) {
		plan_refuse(p, 1, "a switch is only rewritten to guarded ifs");
		return;
	}
	if (uniform ? check_uniform(p, p->merge) : check_per_lane(p, p->merge)) {
		plan_guard_arms(p, p->merge, &o);
	}
}
