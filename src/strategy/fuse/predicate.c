/*
 * predicate: an arm that does under a condition what the others do unconditionally becomes the body
 * of all. Its condition is extended to be true for every other arm.
 *
 * BEFORE                                    AFTER
 *   if (inside) {                           {
 *           const f16x4 x = load(p);                const bool taken = inside;
 *           multiply(acc, x);                       f16x4 x = {0, 0, 0, 0};
 *   } else {                                        if (taken || k < cols) {
 *           f16x4 x = {0, 0, 0, 0};                         x = load(p);
 *           if (k < cols) {                         }
 *                   x = load(p);                    multiply(acc, x);
 *           }                               }
 *           multiply(acc, x);
 *   }
 *
 * In the same way `g ? e : z` matched with e becomes `(taken || g) ? e : z`, and if (g) S, with or
 * without an else, matched with S becomes if (taken || g) S. A variable that the guarded arm first
 * initializes with a constant is initialized so for all arms, and overwritten at once.
 *
 * Legal when
 *  1 to 10. as for fuse, where what a condition comes to guard counts as an operand that differs;
 * 11. an arm guards, by an if or a ?:, code that every other arm has in the same place;
 * 12. no barrier, cross-lane, atomic, volatile or unknown operation and no matrix operation is
 *     guarded so, unless all conditions are uniform, as for fuse, and the guard is proved uniform:
 *     if no lane ever reaches the guarded code, it requires nothing.
 * By construction: the guard is evaluated only in its own arm, at its place; the rest is as for
 * fuse.
 */
#include "strategy/fuse/fuse.h"

enum {
	CLAUSE_GUARD = FUSE_OWN,
	CLAUSE_GUARDED_UNIFORM,
};

static bool has_guard(const struct fuse *z)
{
	for (size_t k = 0; k < z->o.diffs; k++) {
		if (z->o.diff[k].kind == OVERLAY_GUARD) {
			return true;
		}
	}
	return false;
}

static unsigned guarded_flags(struct fuse *z, const struct overlay_diff *d)
{
	unsigned flags = 0;
	for (size_t i = 0; i < d->part[0].n; i++) {
		flags |= facts_effects(z->f, d->part[0].stmt[i]).flags;
	}
	return flags;
}

static bool check_guards(struct fuse *z)
{
	for (size_t k = 0; k < z->o.diffs; k++) {
		const struct overlay_diff *d = &z->o.diff[k];
		const char *why = NULL;
		if (d->kind != OVERLAY_GUARD ||
			!(guarded_flags(z, d) & (FX_CONVERGENT | FX_ORDERED))) {
			continue;
		}
		bool uniform =
			fuse_is_uniform(z, &why) && plan_is_proved_uniform(z->p, d->guard, &why);
		plan_guards(z->p, guarded_flags(z, d));
		if (!uniform && !fuse_refuse_uniform(z, CLAUSE_GUARDED_UNIFORM,
					"the guarded code of an arm holds a convergent or ordered "
					"operation",
					why)) {
			return false;
		}
	}
	return true;
}

void predicate_plan(struct plan *p, const char *variant)
{
	(void)variant;
	struct fuse z;
	const struct guard_opts o = {.guard = GUARD_FENCE, .flatten = true};
	if (!fuse_begin(&z, p, &o)) {
		return;
	}
	struct candidate first = {0};
	for (size_t base = 0; base < z.sel.arms; base++) {
		p->out->clause = 0;
		bool ok = fuse_match(&z, base, true);
		if (has_guard(&z)) {
			if (ok && check_guards(&z)) {
				fuse_edit(&z);
				return;
			}
			first = first.clause ? first : *p->out;
		}
	}
	p->out->clause = first.clause;
	p->out->why = first.why;
	if (!first.clause) {
		plan_refuse(p, CLAUSE_GUARD,
			"no arm does the same as the others under a further condition");
	}
}
