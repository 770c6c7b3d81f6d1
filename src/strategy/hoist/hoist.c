/*
 * hoist: the common end of all arms (the tail) is written once, after the merge. The wide compute
 * is then in no arm, and only narrow values cross. If the tails differ in an operand (a hole), each
 * arm assigns its value to a variable.
 *
 * BEFORE                                  AFTER
 *   if (edge) {                             f16x4 x;
 *           const f16x4 x = masked(p);      if (edge) {
 *           acc = mma(x, y, acc);                   const f16x4 x = masked(p);
 *   } else {                                        x = x;
 *           const f16x4 x = *p;             } else {
 *           acc = mma(x, y, acc);                   const f16x4 x = *p;
 *   }                                               x = x;
 *                                           }
 *                                           acc = mma(x, y, acc);
 *
 * BEFORE                                  AFTER
 *   if (t < split) {                        const f16x4 *const panel =
 *           multiply(acc, a, left);                 t < split ? left : right;
 *   } else {                                multiply(acc, a, panel);
 *           multiply(acc, a, right);
 *   }
 *
 * Legal when
 *  1. it is an if with else, an else-if chain, or a switch without fall-through, and nothing is
 *     declared in its header. If a path has no arm (no last else, no default), a variable says
 *     whether one was taken, and the tail is under an if;
 *  2. its skeleton is not from a macro, no preprocessor directive except a loop pragma is inside,
 *     the arms hold only statements and comments, and no code without a text runs there (a
 *     destructor, begin() of a range);
 *  3. no arm holds a label, and none leaves (break, continue, return, goto, trap): every path
 *     goes through the tail to the end;
 *  4. the arms end in the same statements except for holes (the tail), which write every wide
 *     accumulator that crosses; the statements before (the heads) write none. If that is not
 *     possible, only accumulators at least half as wide as the widest count, and the others still
 *     cross;
 *  5. a hole has no effects, reads nothing that the tail writes or declares, and holds no barrier
 *     or other ordered operation, and a cross-lane one only outside loops and conditions. So it has
 *     the same value if the arm's lanes evaluate it once, at the end of their head. If it is bound
 *     to a reference to const, only its value is used. Overload resolution and template arguments
 *     see it as before: const, or a temporary (hoist_seen);
 *  6. a hole that the tail would not evaluate on every path can be speculated: no load through a
 *     pointer, no division, no call except of a pure builtin, no variable index;
 *  7. if the tail has a matrix operation, or a barrier, cross-lane, atomic, volatile or unknown
 *     operation, the conditions are uniform: proved, or required by a matrix operation or barrier
 *     in the arms (see agree.c). Volatile inline asm is such an operation: if all lanes take one
 *     arm, it runs as often as before, in the same order and with the same lanes. Its effects are
 *     known if its template holds only instructions on its operands (analysis/facts/asm.h). Two
 *     asms are equal if templates, constraints and clobbers are; a hole in one is an input that may
 *     be in any vector register ("v", "a");
 *  8. no type and no structured binding is declared in an arm;
 *  9. neither the tail nor a pointer passed through a hole reaches a variable of a head, which is
 *     dead before the tail runs;
 * 10. a hole's type can be spelled, in a template as in the source;
 * 11. unless contraction is off: no float multiply is separated from, or joined with, an add of its
 *     result, and no multiply that moves is added again in every iteration of a loop around it (see
 *     analysis/arms/contract.h);
 * 12. the new carriers are narrower than those that no longer cross;
 * 13. fenced: it is not a switch, each arm keeps something, and no extra block is needed;
 * 14. guarded: a hole that a head cannot evaluate by clauses 5 and 6 becomes a select on the arm
 *     taken, in the tail itself. It has no effects and no ordered operation; each of its names
 *     means the same there, or is a variable of the head that is passed on as a small value; it
 *     reaches no other variable of an arm; with more than two arms their types agree. At least one
 *     hole becomes a select, and an arm keeps something;
 * 15. if the arms do not end alike, an arm's code after or between its writes of wide accumulators
 *     stays in the arm, if it may be swapped with the code before it that moves (no RAW, WAR, WAW).
 *     Statements that the arms have in different orders may be swapped likewise.
 * By construction: conditions are evaluated at the same place as before (if the if is removed, a
 * condition with an effect is kept as a statement); heads keep their order; the tail follows them
 * as before.
 *
 * BEFORE                                  AFTER, guarded
 *   if (edge) {                             bool taken;
 *           const float *p = a + k;         const float *p;
 *           for (int i = 0; i < 32; ++i)    float s;
 *                   acc[i] += p[i];         if (edge) {
 *   } else {                                        const float *p = a + k;
 *           const float s = f(k);                   taken = true;
 *           for (int i = 0; i < 32; ++i)            p = p;
 *                   acc[i] += s;            } else {
 *   }                                               const float s = f(k);
 *                                                   taken = false;
 *                                                   s = s;
 *                                           }
 *                                           for (int i = 0; i < 32; ++i)
 *                                                   acc[i] += taken ? p[i] : s;
 *
 * BEFORE                                  AFTER, with a path that has no arm
 *   if (inside) {                           bool any = false;
 *           multiply(acc, whole(p));        f16x4 x;
 *   } else if (k < depth) {                 if (inside) {
 *           multiply(acc, masked(p));               any = true;
 *   }                                               x = whole(p);
 *                                           } else if (k < depth) {
 *                                                   any = true;
 *                                                   x = masked(p);
 *                                           }
 *                                           if (any) {
 *                                                   multiply(acc, x);
 *                                           }
 *
 * Variants: plain (if two arms keep only their holes, each hole becomes a ?:), fenced (the
 * remaining arms become guarded ifs with a fence between), and both with guarded: operands that
 * differ inside a loop become selects there, so that no array has to cross.
 */
#include "strategy/hoist/hoist.h"

#include <string.h>
#include "analysis/arms/contract.h"
#include "strategy/extract/extract.h"

enum {
	HOIST_ATTEMPTS = 64
};

/* Further state of the legality checks of a match. */
struct check {
	struct hoist *h;
	struct wide wide;
};

/* ---- small helpers ---- */

struct fx hoist_effects(struct hoist *h, size_t i, size_t first, size_t last)
{
	struct fx sum = {0};
	for (size_t k = first; k < last; k++) {
		facts_add_effects(&sum, h->f, h->p->a, h->body[i].list.stmt[k]);
	}
	return sum;
}

struct fx hoist_tail_effects(struct hoist *h, size_t i)
{
	return hoist_effects(h, i, hoist_heads(h, i), h->body[i].list.n);
}

bool hoist_has_effect(struct hoist *h, const struct kt_node *cond)
{
	if (kt_type_of(h->u, cond)->kind == KT_T_RECORD) {
		return true; /* its conversion function may have effects */
	}
	return facts_acts(h->f, cond);
}

/* ---- clauses 1 and 2: shape and text ---- */

static bool check_shape(struct hoist *h)
{
	struct plan *p = h->p;
	const struct merge *m = h->m;
	if (m->kind == MERGE_COND) {
		return plan_refuse(
			p, HOIST_SHAPE, "it is a conditional expression, not a statement");
	}
	if (m->arms < 2) {
		return plan_refuse(p, HOIST_SHAPE, "there is one arm only");
	}
	if (m->fallthrough) {
		return plan_refuse(
			p, HOIST_SHAPE, "an arm of the switch falls through into the next");
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *n = m->arm[i].owner;
		if (n->child[KT_IF_INIT] || n->child[KT_IF_VAR]) {
			return plan_refuse(p, HOIST_SHAPE, "a variable is declared in its header");
		}
	}
	const struct kt_node *body =
		m->kind == MERGE_SWITCH ? m->node->child[KT_SWITCH_BODY] : NULL;
	if (body && (body->kind != KT_COMPOUND || m->arm[0].first != 0)) {
		return plan_refuse(p, HOIST_SHAPE, "a statement stands before the first case");
	}
	return true;
}

/* ---- clauses 3 and 8: what no arm may hold ---- */

static bool check_leaves(struct hoist *h)
{
	for (size_t i = 0; i < h->m->arms; i++) {
		struct fx fx = hoist_effects(h, i, 0, h->body[i].list.n);
		if (fx.flags & FX_LABEL) {
			return plan_refuse(
				h->p, HOIST_LEAVES, "an arm holds a label that can be jumped to");
		}
		if (fx.flags & FX_EXIT) {
			const char *word = fx.flags & FX_RETURN	    ? "return"
					   : fx.flags & FX_BREAK    ? "break"
					   : fx.flags & FX_CONTINUE ? "continue"
					   : fx.flags & FX_GOTO	    ? "goto"
								    : "trap";
			return plan_refuse(
				h->p, HOIST_LEAVES, "an arm may leave in its middle (%s)", word);
		}
	}
	return true;
}

/* ---- clause 4: what moves ---- */

size_t hoist_wide_suffix(struct hoist *h, const struct wide *wide, size_t i)
{
	for (size_t k = 0; k < h->body[i].list.n; k++) {
		struct fx fx = hoist_effects(h, i, k, k + 1);
		if (facts_sets_alias(h->f, &fx.writes, &wide->set)) {
			return h->body[i].list.n - k;
		}
	}
	return 0;
}

static bool check_writes_all(struct check *c)
{
	struct fx fx = hoist_tail_effects(c->h, 0);
	for (uint32_t i = 0; i < c->wide.set.n; i++) {
		if (!locset_has(&fx.writes, c->wide.set.v[i])) {
			return plan_refuse(c->h->p, HOIST_TAIL,
				"the code that the arms share does not write '%s'",
				facts_loc_name(c->h->f, c->h->p->a, c->wide.set.v[i]));
		}
	}
	return true;
}

static bool refuse_difference(struct check *c)
{
	struct hoist *h = c->h;
	const struct kt_node *const *d = h->match.differs;
	if (d[0] && d[1] && d[0] != d[1]) {
		return plan_refuse(h->p, HOIST_TAIL,
			"the arms differ where they write the accumulator: '%s' against '%s'",
			plan_quote(h->p, d[0]), plan_quote(h->p, d[1]));
	}
	return plan_refuse(h->p, HOIST_TAIL,
		"an arm writes the accumulator before the code that all arms end in");
}

/* ---- clause 7: convergence ---- */

static bool check_uniform(struct hoist *h)
{
	struct fx fx = hoist_tail_effects(h, 0);
	size_t n;
	const struct kt_node *const *cond = plan_conditions(&n, h->p, h->m);
	if (h->partial) {
		plan_guards_on(h->p, fx.flags, h->m->node, cond, n);
	}
	if (!(fx.flags & (FX_ORDERED | FX_MATRIX))) {
		return true;
	}
	const char *why;
	return plan_is_uniform(h->p, h->m->node, cond, n, &why) ||
	       plan_refuse(h->p, HOIST_UNIFORM, "the code that would move holds %s, and %s",
		       plan_ordered_words(fx.flags), why);
}

/* ---- clause 9: variables of the heads ---- */

static bool head_locals(struct hoist *h, size_t i, struct locset *out)
{
	for (size_t k = 0; k < hoist_heads(h, i); k++) {
		const struct kt_node *root = h->body[i].list.stmt[k];
		bool odd = root->kind == KT_DECL && root->n == 0;
		for (size_t c = 0; root->kind == KT_DECL && c < root->n; c++) {
			const struct kt_node *v = root->child[c];
			odd |= v->kind != KT_VAR;
		}
		if (odd && !plan_refuse(h->p, HOIST_TYPES,
				   "an arm declares something that is not a plain variable: '%s'",
				   plan_quote(h->p, root))) {
			return false;
		}
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind == KT_VAR && n->sym) {
				locset_add(out, h->p->a, LOC_VAR(n->sym));
			}
		}
	}
	return true;
}

/* Does a call reach the object only through a reference bound to a hole, and through no other
 * argument? */
static bool reached_by_hole(
	struct hoist *h, size_t i, const struct kt_node *call, loc_id loc, bool chosen)
{
	bool by_hole = false;
	for (size_t k = 0; call->kind == KT_CALL && k < call->n; k++) {
		const struct kt_node *e = call->child[k];
		struct locset s = {0};
		facts_lvalue(&s, h->f, h->p->a, e);
		if (hoist_in_hole(h, i, e, chosen)) {
			by_hole |= locset_has(&s, loc);
			continue;
		}
		facts_reach(&s, h->f, h->p->a, e);
		if (locset_has(&s, loc)) {
			return false;
		}
	}
	return by_hole;
}

/* Locations that the tail of arm i accesses outside its holes; chosen: holes that become selects do
 * not count either. */
static struct locset tail_reach(struct hoist *h, size_t i, bool chosen)
{
	struct locset out = {0};
	struct arena *a = h->p->a;
	if (hoist_tail_effects(h, i).flags & FX_UNKNOWN) {
		locset_add(&out, a, LOC_UNKNOWN);
	}
	for (size_t k = 0; k < h->match.tail; k++) {
		const struct kt_node *root = hoist_tail(h, i, k);
		for (const struct kt_node *n = root; n;) {
			if (n->kind == KT_RANGE_FOR) {
				facts_elements(&out, h->f, a, n->child[KT_RANGE_RANGE]);
			}
			if (kt_is_stmt(n->kind)) {
				n = kt_next(n, root);
				continue;
			}
			size_t count;
			struct event *ev = facts_events(h->f, n, &count);
			for (size_t e = 0; e < count; e++) {
				if (!hoist_in_hole(h, i, ev[e].node, chosen) &&
					!reached_by_hole(h, i, ev[e].node, ev[e].loc, chosen)) {
					locset_add(&out, a, ev[e].loc);
				}
			}
			n = kt_skip(n, root);
		}
	}
	return out;
}

static bool first_alias(struct hoist *h, const struct locset *x, const struct locset *y, loc_id *at)
{
	for (uint32_t i = 0; i < x->n; i++) {
		for (uint32_t k = 0; k < y->n; k++) {
			if (facts_may_alias(h->f, x->v[i], y->v[k])) {
				*at = x->v[i];
				return true;
			}
		}
	}
	return false;
}

static bool check_lifetime(struct hoist *h)
{
	/* of all arms: in a switch an arm may use another one's variable */
	struct locset locals = {0};
	loc_id at;
	for (size_t i = 0; i < h->m->arms; i++) {
		if (!head_locals(h, i, &locals)) {
			return false;
		}
	}
	for (size_t i = 0; i < h->m->arms; i++) {
		struct locset reach = tail_reach(h, i, true);
		if (first_alias(h, &locals, &reach, &at)) {
			return plan_refuse(h->p, HOIST_LIFETIME,
				"the code that would move reaches '%s', which is declared in an "
				"arm",
				facts_loc_name(h->f, h->p->a, at));
		}
		for (size_t k = 0; k < h->match.holes; k++) {
			const struct kt_node *e = h->match.hole[k].expr[i];
			struct locset points = {0};
			facts_reach(&points, h->f, h->p->a, e);
			if (first_alias(h, &locals, &points, &at)) {
				return plan_refuse(h->p, HOIST_LIFETIME,
					"'%s' may point to '%s', which is declared in an arm",
					plan_quote(h->p, e), facts_loc_name(h->f, h->p->a, at));
			}
		}
	}
	return true;
}

/* ---- clause 10: names of types ---- */

static bool check_types(struct hoist *h)
{
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct hole *hole = &h->match.hole[k];
		if (!hoist_is_chosen(h, k) && !hoist_hole_name(h, hole)) {
			return plan_refuse(h->p, HOIST_NAME,
				"the type of '%s' (%s) cannot be written down%s",
				plan_quote(h->p, hole->expr[0]),
				kt_type_bare_name(h->p->a, hoist_hole_type(h, hole), false),
				plan_in_template(h->p) ? ", or may depend on a template's parameter"
						       : "");
		}
	}
	return true;
}

/* ---- clauses 11 and 12 ---- */

static bool check_contract(struct check *c)
{
	struct hoist *h = c->h;
	if (h->p->opts->contract_off) {
		return true;
	}
	struct match_arm *arm = ARENA_ARRAY(h->p->a, struct match_arm, h->m->arms);
	struct contract_branches *b = ARENA_ARRAY(h->p->a, struct contract_branches, h->m->arms);
	for (size_t i = 0; i < h->m->arms; i++) {
		arm[i] = h->body[i].list;
		b[i].at = ARENA_ARRAY(h->p->a, struct span, h->match.holes);
		for (size_t k = 0; k < h->match.holes; k++) {
			const struct kt_node *e = h->match.hole[k].expr[i];
			if (hoist_is_chosen(h, k)) {
				b[i].at[b[i].n++] = (struct span){e->begin, e->end};
			}
		}
	}
	struct contract_cut cut = {.merge = h->m->node,
		.fn = h->m->fn,
		.arm = arm,
		.arms = h->m->arms,
		.match = &h->match,
		.branches = b,
		.in_place = h->place.chosen,
		.live = liveness_of(h->f, h->m->fn)};
	const char *why;
	return !contract_cuts(contract_of(h->f), &cut, &why) ||
	       plan_refuse(h->p, HOIST_CONTRACT, "%s", why);
}

/* VGPRs per lane that the holes take. */
static unsigned holes_width(const struct hoist *h)
{
	unsigned width = 0;
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct hole *hole = &h->match.hole[k];
		bool takes = hole->same == k && !hoist_is_chosen(h, k);
		width += takes ? kt_type_width(hoist_hole_type(h, hole)) : 0;
	}
	for (size_t k = 0; k < h->place.carrieds; k++) {
		width += kt_type_width(&h->u->type[h->u->sym[h->place.carried[k].sym].type]);
	}
	return width + h->place.any + h->partial; /* the arm taken, and whether one was */
}

/* VGPRs per lane that cross for the tail: the holes, and the variables that heads set for it. */
static unsigned crossing_width(struct hoist *h)
{
	unsigned width = holes_width(h);
	struct locset crossing = {0};
	for (size_t i = 0; i < h->m->arms; i++) {
		struct fx head = hoist_effects(h, i, 0, hoist_heads(h, i));
		struct locset reach = tail_reach(h, i, false);
		for (uint32_t k = 0; k < head.writes.n; k++) {
			loc_id loc = head.writes.v[k];
			if (locset_has(&reach, loc) && facts_is_private(h->f, loc) &&
				!merge_carries(h->m, loc) && locset_add(&crossing, h->p->a, loc)) {
				width += kt_type_width(&h->u->type[facts_loc_type(h->f, loc)]);
			}
		}
	}
	return width;
}

static bool check_gain(struct check *c)
{
	struct hoist *h = c->h;
	unsigned width = crossing_width(h);
	if (width >= c->wide.width && !c->wide.narrow_instance) {
		return plan_refuse(h->p, HOIST_GAIN,
			"%u VGPRs of operands would cross in place of %u of accumulators", width,
			c->wide.width);
	}
	return true;
}

/* ---- the search ---- */

/* Refuses merges that other forms or fuse can handle. */
static bool check_guarded(struct hoist *h)
{
	bool heads = false;
	for (size_t i = 0; i < h->m->arms; i++) {
		heads |= hoist_heads(h, i) > 0;
	}
	h->p->out->topic = h->guarded && !(h->place.any && heads) ? TOPIC_OTHER : TOPIC_SAME;
	if (!h->guarded || (h->place.any && heads)) {
		return true;
	}
	return plan_refuse(h->p, HOIST_IN_PLACE,
		h->place.any ? "the arms would be empty: fuse does the same"
			     : "nothing that the arms differ in has to be chosen in its place");
}

static bool check_match(struct check *c)
{
	struct hoist *h = c->h;
	return check_writes_all(c) && check_uniform(h) && hoist_check_holes(h) &&
	       check_guarded(h) && check_lifetime(h) && check_types(h) && check_gain(c) &&
	       check_contract(c);
}

/* Does the tail begin with a variable that is just a hole's value? */
static bool begins_with_copy(const struct hoist *h)
{
	const struct kt_node *first = hoist_tail(h, 0, 0);
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct kt_node *up = h->match.hole[k].expr[0]->parent;
		if (up->kind == KT_VAR && up->parent == first && first->n == 1) {
			return true;
		}
	}
	return false;
}

/* The legal tail with the narrowest holes; among these the longest. If none is legal, the reason is
 * that of the longest. */
static bool find_tail(struct check *c)
{
	struct hoist *h = c->h;
	struct match_arm *arm = ARENA_ARRAY(h->p->a, struct match_arm, h->m->arms);
	struct match best = {0};
	struct hoist_place best_place = {0};
	unsigned best_width = 0;
	bool best_copies = false;
	size_t least = 1;
	size_t max = h->most;
	for (size_t i = 0; i < h->m->arms; i++) {
		arm[i] = h->body[i].list;
		size_t n = hoist_wide_suffix(h, &c->wide, i);
		if (n == 0) {
			plan_refuse(h->p, HOIST_TAIL, "an arm does not write the wide accumulator");
			return false;
		}
		least = n > least ? n : least;
	}
	for (unsigned i = 0; i < HOIST_ATTEMPTS; i++) {
		match_tail(&h->match, h->f, h->p->a, arm, h->m->arms, max);
		if (h->match.tail < least && !(refuse_difference(c) && h->match.tail)) {
			break;
		}
		h->place = (struct hoist_place){0};
		unsigned width = holes_width(h);
		bool better = !best.tail || width < best_width ||
			      (width == best_width && best_copies) || h->guarded;
		bool legal = better && check_match(c);
		if (legal && h->guarded) {
			/* the guarded form is meant to avoid arrays filled by the heads */
			width = crossing_width(h);
			legal = !best.tail || width < best_width;
		}
		if (legal) {
			best = h->match;
			best_place = h->place;
			best_width = width;
			best_copies = begins_with_copy(h);
		}
		if (h->match.tail <= least || (best.tail && best_width == 0)) {
			break;
		}
		max = h->match.tail - 1;
	}
	h->match = best;
	h->place = best_place;
	if (best.tail) {
		h->p->out->topic = TOPIC_SAME;
		h->p->out->clause = 0;
		h->p->out->why = NULL;
	}
	return best.tail > 0;
}

/* Searches a tail after reordering statements of the arms. */
static bool find_traded_tail(struct check *c, bool (*trade)(struct hoist *, const struct wide *))
{
	struct hoist *h = c->h;
	struct arm_body *body = h->body;
	h->body = arena_memdup(h->p->a, body, h->m->arms * sizeof(*body));
	h->p->out->clause = 0;
	h->p->out->why = NULL;
	if (trade(h, &c->wide) && find_tail(c) && hoist_check_trades(h)) {
		return true;
	}
	h->body = body;
	h->most = SIZE_MAX;
	return false;
}

/* A tail at the arms' ends, or one after narrow statements are moved before it. */
static bool find_any_tail(struct check *c)
{
	struct candidate *out = c->h->p->out;
	if (find_tail(c)) {
		return true;
	}
	const char *why = out->why;
	if (out->clause != HOIST_TAIL) {
		return false;
	}
	if (find_traded_tail(c, hoist_sink_wide)) {
		return true;
	}
	unsigned clause = HOIST_TAIL;
	if (out->clause && out->clause != HOIST_TAIL) {
		clause = out->clause;
		why = out->why;
	}
	if (find_traded_tail(c, hoist_part_wide)) {
		return true;
	}
	if (clause != HOIST_TAIL || !out->clause || out->clause == HOIST_TAIL) {
		out->clause = clause;
		out->why = why;
	}
	return false;
}

/* A tail for all wide accumulators, or only for the widest: a fragment that an arm computes in
 * place is narrower than the tail's result, and may still cross. */
static bool find_tail_of_widest(struct check *c)
{
	struct candidate *out = c->h->p->out;
	if (find_any_tail(c)) {
		return true;
	}
	const char *why = out->why;
	if (out->clause != HOIST_TAIL || !wide_keep_widest(&c->wide, c->h->p)) {
		return false;
	}
	out->clause = 0;
	out->why = NULL;
	if (find_any_tail(c)) {
		return true;
	}
	out->clause = HOIST_TAIL;
	out->why = why;
	return false;
}

void hoist_plan(struct plan *p, const char *variant)
{
	bool fenced = strstr(variant, "fenced") != NULL;
	p->out->all_forms = true; /* as long as no form is written */
	if (str_starts(str_of(variant), "split")) {
		callee_plan(p, fenced);
		return;
	}
	struct hoist h = {.p = p,
		.m = p->merge,
		.u = p->parse->unit,
		.f = p->parse->facts,
		.body = ARENA_ARRAY(p->a, struct arm_body, p->merge->arms),
		.most = SIZE_MAX,
		.guarded = str_starts(str_of(variant), "guarded"),
		.partial = !p->merge->has_else};
	struct check c = {.h = &h};
	if (!check_shape(&h)) {
		return;
	}
	for (size_t i = 0; i < h.m->arms; i++) {
		arm_body_find(&h.body[i], p, h.m, &h.m->arm[i]);
	}
	if (arm_bodies_check_text(p, h.m, h.body, h.m->arms, HOIST_TEXT, HOIST_TAIL) &&
		check_leaves(&h) && arm_bodies_check_types(p, h.body, h.m->arms, HOIST_TYPES) &&
		wide_find(&c.wide, p, HOIST_TAIL) && find_tail_of_widest(&c)) {
		for (size_t i = 0; i < h.m->arms; i++) {
			bool under_if = h.guarded || h.partial;
			size_t left = under_if ? h.body[i].list.n : hoist_heads(&h, i);
			plan_guards(p, hoist_effects(&h, i, 0, left).flags);
		}
		p->out->tail = h.match.tail;
		p->out->all_forms = false;
		hoist_edit(&h, fenced ? HOIST_FENCED : HOIST_PLAIN);
	}
}
