/*
 * fuse: arms that are equal except for operands become one body. Each operand that differs becomes
 * a select, on a snapshot of the condition taken in place of the merge; so do narrow statements
 * that differ. The wide compute is then in no arm.
 *
 * BEFORE                                    AFTER
 *   if (inside) {                           {
 *           for (int i = 0; i < 4; ++i) {           const bool taken = inside;
 *                   x[i] = load(p, i);              for (int i = 0; i < 4; ++i) {
 *           }                                               x[i] = taken ? load(p, i)
 *           multiply(acc, x);                                                  : masked(p, i);
 *   } else {                                        }
 *           for (int j = 0; j < 4; ++j) {           if (!taken) {
 *                   x[j] = masked(p, j);                    edges++;
 *           }                                       }
 *           edges++;                                multiply(acc, x);
 *           multiply(acc, x);               }
 *   }
 *
 * Legal when
 *  1 to 5. as for sequentialize; no arm holds a goto;
 *  6. no preprocessor directive except a loop pragma is inside, the arms hold only statements and
 *     comments, no code without a text, and declare no type or structured binding;
 *  7. the arms match except for operands and statements that write no wide accumulator, and the
 *     matching code writes every wide accumulator that crosses;
 *  8. every name in a difference means the same in its new place. A variable declared there is used
 *     nowhere else, not even by a pointer; or it is a small value of a type that can be spelled, is
 *     set at the end of the difference, and only its value is used: then a variable declared before
 *     carries it;
 *  9. if an arm has a matrix operation, or a barrier, cross-lane, atomic, volatile or unknown
 *     operation, the conditions are uniform: proved, or required by a matrix operation or barrier
 *     in the arms (see agree.c). Volatile inline asm is such an operation, as for hoist;
 * 10. unless contraction is off: no float multiply is separated from, or joined with, an add of its
 *     result, nor is one that is added again in every iteration of a loop around it (see
 *     analysis/arms/contract.h). A select with sides other than variables and constants ends a
 *     basic block;
 * 11. laundered: every condition is uniform, and the wave reaches the merge as a whole: likewise.
 * 12. for a ?:, whose operands are selected by the condition itself: it is a statement, or the
 *     value that a statement assigns or declares; both arms have its type, and no arm is a lambda,
 *     comma or assignment. The condition has no effect, and reads nothing that the statement
 *     writes, since it may be evaluated again, and later. No selected operand is an accumulator.
 * By construction: the conditions are evaluated once (except in 12), in order, and only when
 * reached; every operand and statement is evaluated at its place, as often as before, and only for
 * its own arm; on a path without an arm none is, since the body is then under one if. Statements
 * that the arms have in another order are independent of those that they pass.
 *
 * Variants: plain, and laundered (the snapshot goes through an empty asm).
 */
#include "strategy/fuse/fuse.h"

#include <string.h>
#include "analysis/arms/contract.h"

struct match_arm fuse_part(const struct overlay_diff *d, size_t i)
{
	return d->kind == OVERLAY_HOLE ? (struct match_arm){&d->expr[i], 1} : d->part[i];
}

static struct fx effects(struct fuse *z, const struct match_arm *part)
{
	struct fx sum = {0};
	for (size_t i = 0; i < part->n; i++) {
		facts_add_effects(&sum, z->f, z->p->a, part->stmt[i]);
	}
	return sum;
}

/* ---- clauses 3, 7 and 8 ---- */

static bool check_goto(struct fuse *z)
{
	for (size_t i = 0; i < z->sel.arms; i++) {
		if (effects(z, &z->body[i].list).flags & FX_GOTO) {
			return plan_refuse(z->p, FUSE_LABEL, "an arm holds a goto");
		}
	}
	return true;
}

static bool refuse_difference(struct fuse *z, const struct overlay_diff *d)
{
	const struct kt_node *x = d->kind == OVERLAY_GAP ? d->differs[0] : d->expr[0];
	const struct kt_node *y = d->kind == OVERLAY_GAP ? d->differs[1] : d->expr[1];
	if (x && y) {
		return plan_refuse(z->p, FUSE_MATCH,
			"the arms differ where they write the accumulator: '%s' against '%s'",
			plan_quote(z->p, x), plan_quote(z->p, y));
	}
	return plan_refuse(z->p, FUSE_MATCH,
		"an arm writes the accumulator in a statement that another does not have");
}

static bool check_match(struct fuse *z)
{
	if (z->o.diffs == 0 && !z->sel.partial) {
		return plan_refuse(z->p, FUSE_MATCH, "the arms do not differ: hoist moves them");
	}
	for (size_t k = 0; k < z->o.diffs; k++) {
		const struct overlay_diff *d = &z->o.diff[k];
		for (size_t i = 0; i < z->sel.arms && d->kind != OVERLAY_GUARD; i++) {
			struct match_arm part = fuse_part(d, i);
			struct fx fx = effects(z, &part);
			if (facts_sets_alias(z->f, &fx.writes, &z->wide.set)) {
				return refuse_difference(z, d);
			}
		}
	}
	/* the target may be assigned the ?:'s value after the arms */
	struct match_arm whole = {&z->region, 1};
	struct fx fx = effects(z, z->region == z->m->node ? &z->body[0].list : &whole);
	for (uint32_t i = 0; i < z->wide.set.n; i++) {
		if (!locset_has(&fx.writes, z->wide.set.v[i])) {
			return plan_refuse(z->p, FUSE_MATCH,
				"the code that the arms share does not write '%s'",
				facts_loc_name(z->f, z->p->a, z->wide.set.v[i]));
		}
	}
	return true;
}

static bool declares_unknown(const struct match_arm *part)
{
	for (size_t i = 0; i < part->n; i++) {
		if (part->stmt[i]->kind == KT_DECL && part->stmt[i]->n == 0) {
			return true;
		}
	}
	return false;
}

static bool in_macro(const struct match_arm *part)
{
	for (size_t i = 0; i < part->n; i++) {
		if (!kt_is_spelled(part->stmt[i])) {
			return true;
		}
	}
	return false;
}

static bool check_part(struct fuse *z, const struct overlay_diff *d, size_t arm)
{
	struct match_arm part = fuse_part(d, arm);
	struct str word;
	if (in_macro(&part) &&
		!plan_refuse(z->p, FUSE_TEXT, "the arms differ in '%s', part of a macro",
			plan_quote(z->p, part.stmt[0]))) {
		return false;
	}
	if (!overlay_fits(&z->o, d, arm, z->m->node, &word) &&
		!plan_refuse(z->p, FUSE_NAMES,
			"the arms differ in '%s', where '%.*s' would mean something else",
			plan_quote(z->p, part.stmt[0]), STR_ARG(word))) {
		return false;
	}
	return d->kind == OVERLAY_HOLE || !declares_unknown(&part) ||
	       plan_refuse(z->p, FUSE_NAMES,
		       "'%s', declared where the arms differ, is used where they do not",
		       plan_quote(z->p, part.stmt[0]));
}

static bool check_names(struct fuse *z)
{
	if (!fuse_check_declared(z)) {
		return false;
	}
	for (size_t k = 0; k < z->o.diffs; k++) {
		/* a guard's text does not move */
		size_t arms = z->o.diff[k].kind == OVERLAY_GUARD ? 0 : z->sel.arms;
		for (size_t i = 0; i < arms; i++) {
			if (!check_part(z, &z->o.diff[k], i)) {
				return false;
			}
		}
	}
	return true;
}

/* ---- clauses 9 and 11: convergence ---- */

bool fuse_is_uniform(struct fuse *z, const char **why)
{
	bool chosen = z->m->kind == MERGE_SWITCH;
	const struct kt_node *value = chosen ? z->m->node->child[KT_SWITCH_COND] : NULL;
	return plan_is_uniform(z->p, z->m->node, &value, 1, why) &&
	       plan_is_uniform(z->p, NULL, z->sel.cond, z->sel.conds, why);
}

bool fuse_refuse_uniform(struct fuse *z, unsigned clause, const char *what, const char *why)
{
	return plan_refuse(z->p, clause, "%s, and %s", what, why);
}

static unsigned difference_flags(struct fuse *z)
{
	unsigned flags = 0;
	for (size_t k = 0; k < z->o.diffs; k++) {
		for (size_t i = 0; i < z->sel.arms; i++) {
			struct match_arm part = fuse_part(&z->o.diff[k], i);
			flags |= effects(z, &part).flags;
		}
	}
	return flags;
}

static bool check_uniform(struct fuse *z)
{
	const char *why;
	unsigned differs = difference_flags(z), held = 0;
	for (size_t i = 0; i < z->sel.arms; i++) {
		held |= effects(z, &z->body[i].list).flags;
	}
	const char *what = plan_ordered_words(held);
	what = what ? arena_printf(z->p->a, "an arm holds %s", what) : NULL;
	if (what && !fuse_is_uniform(z, &why)) {
		return fuse_refuse_uniform(z, FUSE_UNIFORM, what, why);
	}
	plan_guards(z->p, z->sel.partial ? held : differs);
	if (z->sel.partial) {
		plan_guards_on(z->p, held, z->m->node, z->sel.cond, z->sel.conds);
	}
	return true;
}

/* ---- clause 10 ---- */

/* Is a side of a select cheap enough to need no branch? */
static bool is_cheap(struct fuse *z, const struct kt_node *n)
{
	return n->kind == KT_LITERAL ||
	       (n->kind == KT_REF && n->sym && facts_is_private(z->f, LOC_VAR(n->sym)));
}

/* The place at which a difference splits arm i's code into basic blocks; an empty range is before a
 * statement. */
static bool branch_at(struct fuse *z, const struct overlay_diff *d, size_t arm, struct span *at)
{
	if (d->kind == OVERLAY_GUARD && arm == 0) {
		return false; /* the branch exists already */
	}
	bool cheap = d->kind == OVERLAY_HOLE;
	for (size_t i = 0; i < z->sel.arms && cheap; i++) {
		cheap = is_cheap(z, d->expr[i]);
	}
	struct match_arm part = fuse_part(d, arm);
	if (part.n) {
		*at = (struct span){part.stmt[0]->begin, part.stmt[0]->end};
		for (size_t i = 1; i < part.n; i++) {
			at->begin =
				part.stmt[i]->begin < at->begin ? part.stmt[i]->begin : at->begin;
			at->end = part.stmt[i]->end > at->end ? part.stmt[i]->end : at->end;
		}
	} else {
		at->begin = d->after[arm];
		at->end = at->begin;
	}
	return !cheap;
}

static bool check_contract(struct fuse *z)
{
	struct arena *a = z->p->a;
	if (z->p->opts->contract_off) {
		return true;
	}
	struct match_arm *arm = ARENA_ARRAY(a, struct match_arm, z->sel.arms);
	struct contract_branches *branches = ARENA_ARRAY(a, struct contract_branches, z->sel.arms);
	struct hole *hole = ARENA_ARRAY(a, struct hole, z->o.diffs);
	struct match match = {.tail = SIZE_MAX, .hole = hole};
	for (size_t k = 0; k < z->o.diffs; k++) {
		const struct overlay_diff *d = &z->o.diff[k];
		if (d->kind == OVERLAY_HOLE) {
			hole[match.holes++] = (struct hole){.expr = d->expr};
		} else if (d->kind == OVERLAY_GUARD && d->part[0].n == 1) {
			/* an expression evaluated under a condition counts as a hole, too */
			const struct kt_node **e =
				ARENA_ARRAY(a, const struct kt_node *, z->sel.arms);
			for (size_t i = 0; i < z->sel.arms; i++) {
				e[i] = d->part[i].stmt[0];
			}
			hole[match.holes++] = (struct hole){.expr = e};
		}
	}
	for (size_t i = 0; i < z->sel.arms; i++) {
		arm[i] = z->body[i].list;
		branches[i].at = ARENA_ARRAY(a, struct span, z->o.diffs);
		for (size_t k = 0; k < z->o.diffs; k++) {
			struct contract_branches *b = &branches[i];
			b->n += branch_at(z, &z->o.diff[k], i, &b->at[b->n]);
		}
	}
	struct contract_cut cut = {.merge = z->region,
		.fn = z->m->fn,
		.arm = arm,
		.arms = z->sel.arms,
		.match = &match,
		.branches = branches,
		.live = liveness_of(z->f, z->m->fn)};
	const char *why;
	return !contract_cuts(contract_of(z->f), &cut, &why) ||
	       plan_refuse(z->p, FUSE_CONTRACT, "%s", why);
}

bool fuse_begin(struct fuse *z, struct plan *p, const struct guard_opts *o)
{
	*z = (struct fuse){.p = p, .m = p->merge, .u = p->parse->unit, .f = p->parse->facts};
	z->region = z->m->node;
	if (p->merge->kind == MERGE_COND) {
		plan_refuse(p, FUSE_SHAPE, "it is a conditional expression, not a statement");
		return false;
	}
	if (!plan_select_arms(p, o, &z->sel)) {
		return false;
	}
	z->order = ARENA_ARRAY(p->a, size_t, z->sel.arms);
	z->body = ARENA_ARRAY(p->a, struct arm_body, z->sel.arms);
	for (size_t i = 0; i < z->sel.arms; i++) {
		z->order[i] = i;
		arm_body_find(&z->body[i], p, z->sel.merge[i], z->sel.arm[i]);
	}
	return arm_bodies_check_text(p, z->m, z->body, z->sel.arms, FUSE_TEXT, FUSE_MATCH) &&
	       arm_bodies_check_types(p, z->body, z->sel.arms, FUSE_TEXT) && check_goto(z) &&
	       wide_find(&z->wide, p, FUSE_MATCH);
}

bool fuse_check(struct fuse *z)
{
	return check_match(z) && check_names(z) && check_uniform(z) && check_contract(z);
}

bool fuse_match(struct fuse *z, size_t base, bool guards)
{
	struct plan *p = z->p;
	struct match_arm *list = ARENA_ARRAY(p->a, struct match_arm, z->sel.arms);
	for (size_t i = 0; i < z->sel.arms; i++) {
		size_t arm = i == 0 ? base : i <= base ? i - 1 : i;
		z->order[i] = arm;
		arm_body_find(&z->body[i], p, z->sel.merge[arm], z->sel.arm[arm]);
		list[i] = z->body[i].list;
	}
	z->guards = guards;
	overlay_arms(&z->o, z->f, p->a, list, z->sel.arms, guards);
	return fuse_check(z);
}

static bool check_launder(struct fuse *z)
{
	const char *why;
	return fuse_is_uniform(z, &why) ||
	       fuse_refuse_uniform(
		       z, FUSE_LAUNDER, "the condition would go to a scalar register", why);
}

/* Arms may differ in their unroll pragmas. The body is taken from an arm that asks for no more
 * unrolling than the others, since a selected bound is not constant. */
static bool match_some(struct fuse *z)
{
	struct plan *p = z->p;
	bool ok = fuse_match(z, 0, false);
	struct candidate first = *p->out;
	for (size_t base = 1; !ok && p->out->clause == FUSE_MATCH && base < z->sel.arms; base++) {
		p->out->clause = 0;
		ok = fuse_match(z, base, false);
	}
	if (!ok) {
		p->out->clause = first.clause;
		p->out->why = first.why;
	}
	return ok;
}

static bool fuse_arms(struct plan *p, const struct guard_opts *o)
{
	struct fuse z;
	bool launder = o->guard == GUARD_LAUNDER_UNIFORM;
	bool ok = fuse_begin(&z, p, o) && (!launder || check_launder(&z)) && match_some(&z);
	if (ok) {
		fuse_edit(&z);
	}
	return ok;
}

void fuse_plan(struct plan *p, const char *variant)
{
	bool launder = strcmp(variant, "laundered") == 0;
	struct guard_opts o = {
		.guard = launder ? GUARD_LAUNDER_UNIFORM : GUARD_FENCE, .flatten = true};
	if (p->merge->kind == MERGE_COND && !launder) {
		fuse_question(p);
		return;
	}
	if (fuse_arms(p, &o) || p->out->clause != FUSE_MATCH) {
		return;
	}
	/* an if without else inside an arm adds a path without an arm */
	struct candidate first = *p->out;
	*p->out = (struct candidate){.strategy = first.strategy, .variant = first.variant};
	o.one_armed = true;
	if (!fuse_arms(p, &o)) {
		candidate_release(p->out);
		*p->out = first;
	} else {
		candidate_release(&first);
	}
}
