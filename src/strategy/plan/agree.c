/*
 * Do all lanes of a wave agree on a condition? Either the analysis proves it, wave numbers included
 * (see uniform_waves.c), or the code after it requires it: a side of an if that surely reaches a
 * matrix operation or a barrier is taken by all lanes of the wave or by none
 * (analysis/lanes/meets.h). Then
 *
 *   - lanes that evaluate the condition agree on it: if one of them takes that side, all lanes of
 *     the wave do; otherwise they all take the other side. How many lanes these are is not known;
 *   - if both sides reach such an operation, all lanes of the wave reach the if.
 *
 * For a switch all sides except one must reach one. The lanes agree on the side, not on the value.
 *
 * If the condition is computed from the lane number, from what the lane loads by that number, or
 * from the lane's result of a matrix operation, the kernel violates this rule, and nothing is
 * concluded.
 *
 * Nothing is concluded from a loop of gotos, whose iterations verify cannot tell apart, nor from a
 * virtual call, which may run another body.
 */
#include <string.h>

#include "analysis/lanes/meets.h"
#include "strategy/plan/plan.h"

struct agreement {
	struct plan *p;
	const struct kt_node *choice; /* KT_IF, KT_SWITCH, KT_COND */
	const struct kt_node *first;  /* the operation that one of its sides reaches */
	size_t with;		      /* number of sides that reach one */
	size_t without;
};

static void see_side(struct agreement *g, const struct kt_node *met)
{
	g->first = g->first ? g->first : met;
	g->with += met ? 1 : 0;
	g->without += met ? 0 : 1;
}

static void see_switch(struct agreement *g)
{
	const struct merge *m = merge_at(&g->p->parse->merges, g->choice);
	if (!m || m->fallthrough) {
		return;
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		see_side(g, meets_whole_part(g->p->parse->facts, arm->body, arm->first, arm->last));
	}
	if (!m->has_else) {
		see_side(g, NULL);
	}
}

static void see_sides(struct agreement *g)
{
	struct facts *f = g->p->parse->facts;
	struct uniformity *u = g->p->parse->uniformity;
	const struct kt_node *n = g->choice;
	if (uniformity_has_virtuals(u) || uniformity_is_opaque(u, facts_function_of(f, n))) {
		return;
	}
	if (n->kind == KT_SWITCH) {
		see_switch(g);
	} else if (n->kind == KT_IF || n->kind == KT_COND) {
		size_t then = n->kind == KT_IF ? (size_t)KT_IF_THEN : (size_t)KT_COND_THEN;
		see_side(g, meets_whole(f, n->child[then]));
		see_side(g, meets_whole(f, n->child[then + 1]));
	}
}

static bool is_condition(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return up && ((up->kind == KT_IF && n->slot == KT_IF_COND) ||
			     (up->kind == KT_SWITCH && n->slot == KT_SWITCH_COND) ||
			     (up->kind == KT_COND && n->slot == KT_COND_COND));
}

void plan_assume(struct candidate *c, struct assumed what)
{
	for (size_t i = 0; i < c->assumptions; i++) {
		const struct assumed *o = &c->assumed[i];
		bool flat = o->what == ASSUMED_FLAT && what.what == ASSUMED_FLAT;
		if (flat || (o->node->begin == what.node->begin && o->what == what.what &&
				    strcmp(o->unit->file[o->node->file].path,
					    what.unit->file[what.node->file].path) == 0)) {
			return;
		}
	}
	if (c->assumptions < ASSUMED_MAX) {
		c->assumed[c->assumptions++] = what;
	}
}

/* Does the condition show divergence, here or on the way to it? Then the kernel violates the rule,
 * and nothing follows. */
static bool parts_lanes(struct plan *p, const struct kt_node *choice)
{
	struct uniformity *waves = uniformity_of_waves(p->parse->facts);
	for (const struct kt_node *n = choice; n; n = n->parent) {
		for (size_t i = 0; i < n->n; i++) {
			if (n->child[i] && is_condition(n->child[i]) &&
				uniformity_is_of_lane(waves, n->child[i])) {
				return true;
			}
		}
	}
	return false;
}

bool plan_check_lanes(struct plan *p)
{
	const struct kt_node *root = p->merge->node;
	const struct kt_unit *u = p->parse->unit;
	for (const struct kt_node *n = root; n && p->parse->uniformity; n = kt_next(n, root)) {
		const struct kt_node *c = uniformity_parting_matrix(p->parse->facts, n).node;
		if (c) {
			return plan_refuse(p, CLAUSE_LANES,
				"'%.*s' in line %u differs per lane, so only some lanes of a wave "
				"reach a matrix operation in line %u: its result is undefined",
				STR_ARG(kt_source(u, c)),
				kt_line(p->parse->unit, c->file, c->begin),
				kt_line(p->parse->unit, n->file, n->begin));
		}
	}
	return true;
}

/* Does an operation that a side reaches require that lanes agree on the condition (whole: and that
 * all lanes are active)? */
static bool is_asked_for(struct plan *p, const struct kt_node *choice, bool whole)
{
	struct agreement g = {.p = p, .choice = choice};
	see_sides(&g);
	bool asked = g.with > 0 && g.without <= (whole ? 0 : 1) && !parts_lanes(p, choice);
	if (asked) {
		p->out->unseen = true;
		plan_assume(
			p->out, (struct assumed){p->parse->unit, g.first,
					facts_effects(p->parse->facts, g.first).flags & FX_MATRIX
						? ASSUMED_MATRIX
						: ASSUMED_BARRIER});
	}
	return asked;
}

/* Is n uniform, or reached by all lanes, by wave numbers, if blocks have one dimension (which the
 * compiler does not know)? */
static bool by_numbers(struct plan *p, const struct uniformity *waves, const struct kt_node *n)
{
	if (uniformity_assumes_flat(waves, facts_function_of(p->parse->facts, n))) {
		if (!p->opts->assume_flat) {
			return false;
		}
		plan_assume(p->out, (struct assumed){p->parse->unit, n, ASSUMED_FLAT});
	}
	p->out->unseen = true;
	return true;
}

static bool are_together(struct plan *p, const struct kt_node *n)
{
	if (uniformity_control(p->parse->uniformity, n)) {
		return true;
	}
	if (is_asked_for(p, n, true)) {
		/* it is under a divergent branch, whose jump may depend on this code */
		p->out->measure_why = PLAN_GUARDS_PER_LANE;
		return true;
	}
	struct uniformity *waves = uniformity_of_waves(p->parse->facts);
	return uniformity_control(waves, n) && by_numbers(p, waves, n);
}

bool plan_is_proved_uniform(struct plan *p, const struct kt_node *cond, const char **why)
{
	const char *differs = "nothing is known of it";
	struct uniformity *u = p->parse->uniformity;
	if (u && uniformity_expr(u, cond, &differs)) {
		return true;
	}
	struct uniformity *waves = u ? uniformity_of_waves(p->parse->facts) : NULL;
	if (waves && uniformity_expr(waves, cond, &differs) && by_numbers(p, waves, cond)) {
		return true;
	}
	*why = arena_printf(p->a, "the condition is not proved uniform: %s", differs);
	return false;
}

static bool is_agreed(struct plan *p, const struct kt_node *cond, const char **why)
{
	return uniformity_expr(p->parse->uniformity, cond, NULL) ||
	       (is_condition(cond) && is_asked_for(p, cond->parent, false)) ||
	       plan_is_proved_uniform(p, cond, why);
}

bool plan_is_uniform(struct plan *p, const struct kt_node *node, const struct kt_node *const *cond,
	size_t n, const char **why)
{
	if (!p->parse->uniformity || (node && !are_together(p, node))) {
		*why = "not all lanes of a wave are known to reach it";
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		if (cond[i] && !is_agreed(p, cond[i], why)) {
			return false;
		}
	}
	return true;
}

/* Why arms with these effects (FX_MATRIX, FX_BARRIER, FX_UNKNOWN) must be measured. */
static const char *guards_why(unsigned flags)
{
	return flags & (FX_MATRIX | FX_BARRIER) ? PLAN_GUARDS_PER_LANE
						: "the condition is not proved uniform, and an arm "
						  "runs code that is not seen, "
						  "maybe a matrix operation or a barrier: only a "
						  "measurement shows whether the "
						  "compiler keeps the skip around it";
}

void plan_guards(struct plan *p, unsigned flags)
{
	if (p->out->unseen && flags & (FX_MATRIX | FX_BARRIER | FX_UNKNOWN)) {
		p->out->measure_why = guards_why(flags);
	}
}

void plan_guards_on(struct plan *p, unsigned flags, const struct kt_node *node,
	const struct kt_node *const *cond, size_t n)
{
	struct uniformity *u = p->parse->uniformity;
	bool uniform = uniformity_control(u, node);
	if (!(flags & (FX_MATRIX | FX_BARRIER | FX_UNKNOWN)) || p->out->measure_why) {
		return;
	}
	for (size_t i = 0; i < n && uniform; i++) {
		uniform = !cond[i] || uniformity_expr(u, cond[i], NULL);
	}
	if (!uniform) {
		p->out->measure_why = guards_why(flags);
	}
}

const struct kt_node *const *plan_conditions(size_t *n, struct plan *p, const struct merge *m)
{
	const struct kt_node **cond = ARENA_ARRAY(p->a, const struct kt_node *, m->arms + 1);
	*n = 0;
	if (m->kind == MERGE_SWITCH) {
		cond[(*n)++] = m->node->child[KT_SWITCH_COND];
	}
	for (size_t i = 0; i < m->arms; i++) {
		cond[(*n)++] = m->arm[i].cond;
	}
	return cond;
}

const char *plan_ordered_words(unsigned flags)
{
	return flags & FX_BARRIER	       ? "a barrier"
	       : flags & FX_CROSSLANE	       ? "a cross-lane operation"
	       : flags & (FX_UNKNOWN | FX_ASM) ? "code that unphi cannot see through"
	       : flags & FX_ORDERED	       ? "an atomic, volatile or fence operation"
	       : flags & FX_MATRIX	       ? "a matrix operation"
					       : NULL;
}
