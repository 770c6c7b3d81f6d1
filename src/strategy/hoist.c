/*
 * hoist: what all arms end in is written once, behind the merge. The wide compute then stands in no
 * arm, and only narrow values cross: where the arms' endings differ in an operand (a hole), a
 * variable takes it in each arm.
 *
 * BEFORE                                  AFTER
 *   if (edge) {                             f16x4 unphi_x;
 *           const f16x4 x = masked(p);      if (edge) {
 *           acc = mma(x, y, acc);                   const f16x4 x = masked(p);
 *   } else {                                        unphi_x = x;
 *           const f16x4 x = *p;             } else {
 *           acc = mma(x, y, acc);                   const f16x4 x = *p;
 *   }                                               unphi_x = x;
 *                                           }
 *                                           acc = mma(unphi_x, y, acc);
 *
 * BEFORE                                  AFTER
 *   if (t < split) {                        const f16x4 *const unphi_panel =
 *           multiply(acc, a, left);                 t < split ? left : right;
 *   } else {                                multiply(acc, a, unphi_panel);
 *           multiply(acc, a, right);
 *   }
 *
 * Legal when
 *  1. it is an if with else, an else-if chain that ends in one, or a switch with default and
 *     without fall-through, and nothing is declared in its header;
 *  2. its skeleton is not from a macro, no preprocessor directive but a loop pragma stands
 *     inside, and the arms hold nothing but statements and comments;
 *  3. no arm holds a label, and none leaves (break, continue, return, goto, trap): every path
 *     goes through the tail to the end;
 *  4. the arms end in the same statements but for holes (the tail), which write every wide
 *     accumulator that crosses; what stands before (the heads) writes none;
 *  5. a hole only reads, reads nothing that the tail writes or declares, and holds no barrier or
 *     other ordered operation, and a cross-lane one only where no loop or condition stands around
 *     it: evaluated at the end of its head, once, by the arm's lanes, it has the same value;
 *  6. a hole that the tail would not evaluate on every path may be evaluated anyway: no load
 *     through a pointer, no division, no call but of a pure builtin, no index that is not
 *     constant;
 *  7. a tail with a barrier, cross-lane, atomic, volatile or unknown operation needs conditions
 *     that are proved to be the same in all lanes of a wave. (A matrix operation met by part of a
 *     wave was an error before.)
 *  8. no type is declared in an arm;
 *  9. no variable of a head has a destructor, and neither the tail nor a pointer that a hole
 *     hands over reaches one: they die before the tail runs;
 * 10. a hole's type can be written down, and does not depend on a template's parameter;
 * 11. unless contraction is off: no float multiply is cut from, or brought together with, an add
 *     that takes its result (see analysis/contract.h);
 * 12. what newly crosses is narrower than what no longer does;
 * 13. fenced: it is no switch, each arm keeps something, and no block of its own is needed.
 * By construction: conditions stay where they were and are evaluated as before (one with an
 * effect whose if goes is kept as a statement); heads keep their order; the tail follows them as
 * it did.
 *
 * Variants: plain (two arms that keep nothing but their holes become a ?: for each hole) and
 * fenced (the arms that remain become guarded ifs with a fence between).
 */
#include "strategy/hoist.h"

#include <string.h>
#include "analysis/contract.h"
#include "base/msg.h"
#include "frontend/lex.h"
#include "strategy/hoist_callee.h"

enum {
	CLAUSE_SHAPE = 1,
	CLAUSE_TEXT,
	CLAUSE_LEAVES,
	CLAUSE_TAIL,
	CLAUSE_HOLE,
	CLAUSE_SPECULATION,
	CLAUSE_UNIFORM,
	CLAUSE_TYPES,
	CLAUSE_LIFETIME,
	CLAUSE_NAME,
	CLAUSE_CONTRACT,
	CLAUSE_GAIN,
	CLAUSE_FORM,
};

enum {
	HOIST_ATTEMPTS = 64
};

/* What the legality of one match needs besides. */
struct check {
	struct hoist *h;
	struct wide wide;
	struct liveness *live;
	struct contract *contract;
};

/* ---- small helpers ---- */

static void add_effects(struct hoist *h, struct fx *sum, const struct kt_node *n)
{
	struct fx fx;
	facts_effects(&fx, h->f, h->p->a, n);
	locset_union(&sum->reads, h->p->a, &fx.reads);
	locset_union(&sum->writes, h->p->a, &fx.writes);
	sum->flags |= fx.flags;
}

/* Effects of the statements [first, last) of arm i. */
static struct fx part_effects(struct hoist *h, size_t i, size_t first, size_t last)
{
	struct fx sum = {0};
	for (size_t k = first; k < last; k++) {
		add_effects(h, &sum, h->body[i].list.stmt[k]);
	}
	return sum;
}

static struct fx tail_effects(struct hoist *h, size_t i)
{
	return part_effects(h, i, hoist_heads(h, i), h->body[i].list.n);
}

bool hoist_has_effect(struct hoist *h, const struct kt_node *cond)
{
	struct fx fx;
	facts_effects(&fx, h->f, h->p->a, cond);
	if (kt_type_of(h->u, cond)->kind == KT_T_RECORD) {
		return true; /* its conversion may do anything */
	}
	return fx.writes.n > 0 || fx.flags & ~(unsigned)FX_FLOAT;
}

static bool below(const struct kt_node *n, const struct kt_node *up)
{
	while (n && n != up) {
		n = n->parent;
	}
	return n != NULL;
}

static bool in_hole(const struct hoist *h, size_t arm, const struct kt_node *n)
{
	for (size_t k = 0; k < h->match.holes; k++) {
		if (below(n, h->match.hole[k].expr[arm])) {
			return true;
		}
	}
	return false;
}

/* ---- clauses 1 and 2: shape and text ---- */

static bool check_shape(struct hoist *h)
{
	struct plan *p = h->p;
	const struct merge *m = h->m;
	if (m->kind == MERGE_COND) {
		return plan_refuse(
			p, CLAUSE_SHAPE, "it is a conditional expression, not a statement");
	}
	if (!m->has_else || m->arms < 2) {
		return plan_refuse(p, CLAUSE_SHAPE, "there is a path without an arm (no %s)",
			m->kind == MERGE_SWITCH ? "default" : "else");
	}
	if (m->fallthrough) {
		return plan_refuse(
			p, CLAUSE_SHAPE, "an arm of the switch falls through into the next");
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *n = m->arm[i].owner;
		if (n->child[KT_IF_INIT] || n->child[KT_IF_VAR]) {
			return plan_refuse(p, CLAUSE_SHAPE, "a variable is declared in its header");
		}
	}
	const struct kt_node *body =
		m->kind == MERGE_SWITCH ? m->node->child[KT_SWITCH_BODY] : NULL;
	if (body && (body->kind != KT_COMPOUND || m->arm[0].first != 0)) {
		return plan_refuse(p, CLAUSE_SHAPE, "a statement stands before the first case");
	}
	return true;
}

/* ---- clauses 3 and 8: what no arm may hold ---- */

static bool check_leaves(struct hoist *h)
{
	for (size_t i = 0; i < h->m->arms; i++) {
		struct fx fx = part_effects(h, i, 0, h->body[i].list.n);
		if (fx.flags & FX_LABEL) {
			return plan_refuse(
				h->p, CLAUSE_LEAVES, "an arm holds a label that can be jumped to");
		}
		if (fx.flags & FX_EXIT) {
			const char *word = fx.flags & FX_RETURN	    ? "return"
					   : fx.flags & FX_BREAK    ? "break"
					   : fx.flags & FX_CONTINUE ? "continue"
					   : fx.flags & FX_GOTO	    ? "goto"
								    : "trap";
			return plan_refuse(
				h->p, CLAUSE_LEAVES, "an arm may leave in its middle (%s)", word);
		}
	}
	return true;
}

/* ---- clause 4: what moves ---- */

/* Statements at the end of arm i from the first one on that writes a wide accumulator. */
static size_t wide_suffix(struct check *c, size_t i)
{
	struct hoist *h = c->h;
	for (size_t k = 0; k < h->body[i].list.n; k++) {
		struct fx fx = part_effects(h, i, k, k + 1);
		if (facts_sets_alias(h->f, &fx.writes, &c->wide.set)) {
			return h->body[i].list.n - k;
		}
	}
	return 0;
}

static bool check_writes_all(struct check *c)
{
	struct fx fx = tail_effects(c->h, 0);
	for (uint32_t i = 0; i < c->wide.set.n; i++) {
		if (!locset_has(&fx.writes, c->wide.set.v[i])) {
			return plan_refuse(c->h->p, CLAUSE_TAIL,
				"what the arms have in common does not write '%s'",
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
		return plan_refuse(h->p, CLAUSE_TAIL,
			"the arms differ where they write the accumulator: '%s' against '%s'",
			plan_quote(h->p, d[0]), plan_quote(h->p, d[1]));
	}
	return plan_refuse(h->p, CLAUSE_TAIL,
		"an arm writes the accumulator before the code that all arms end in");
}

/* ---- clauses 5 and 6: holes ---- */

static bool declared_in_tail(const struct hoist *h, size_t i, kt_id sym)
{
	for (size_t k = 0; k < h->match.tail; k++) {
		const struct kt_node *root = hoist_tail(h, i, k);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind == KT_VAR && n->sym == sym) {
				return true;
			}
		}
	}
	return false;
}

/* Names of all variables that arm i's tail declares, in inner scopes too. */
static struct match_names tail_names(struct hoist *h, size_t i)
{
	ARRAY(const char *) names = {0};
	for (size_t k = 0; k < h->match.tail; k++) {
		const struct kt_node *root = hoist_tail(h, i, k);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (n->kind == KT_VAR && n->sym) {
				array_push(&names, h->u->sym[n->sym].name);
			}
		}
	}
	struct match_names r = {array_to_arena(h->p->a, &names), names.n};
	array_release(&names);
	return r;
}

static bool check_hole_names(struct hoist *h, size_t i, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		if (n->kind == KT_REF && n->sym && declared_in_tail(h, i, n->sym)) {
			return plan_refuse(h->p, CLAUSE_HOLE,
				"the arms differ in '%s', which depends on '%s' inside the code "
				"that "
				"would move",
				plan_quote(h->p, e), h->u->sym[n->sym].name);
		}
	}
	struct match_names names = tail_names(h, i);
	struct str word;
	if (match_hidden_use(h->f, e, e->begin, e->end, &names, &word)) {
		return plan_refuse(h->p, CLAUSE_HOLE,
			"the arms differ in '%s', which names '%.*s' of the code that would move",
			plan_quote(h->p, e), STR_ARG(word));
	}
	return true;
}

static bool is_statement(const struct hoist *h, size_t i, const struct kt_node *n)
{
	for (size_t k = 0; k < h->body[i].list.n; k++) {
		if (h->body[i].list.stmt[k] == n) {
			return true;
		}
	}
	return false;
}

/* Do the lanes that enter arm i all evaluate e, once? */
static bool with_all_lanes(const struct hoist *h, size_t i, const struct kt_node *e)
{
	for (const struct kt_node *n = e; !is_statement(h, i, n); n = n->parent) {
		const struct kt_node *up = n->parent;
		bool plain = kt_is_stmt(up->kind)
				     ? up->kind == KT_COMPOUND || up->kind == KT_DECL
				     : up->kind != KT_COND && up->kind != KT_LAMBDA &&
					       up->kind != KT_EXPR_UNKNOWN &&
					       up->op != KT_OP_LAND && up->op != KT_OP_LOR;
		if (!plain) {
			return false;
		}
	}
	return true;
}

static bool check_hole_effects(struct hoist *h, size_t i, const struct kt_node *e)
{
	const char *why = NULL;
	struct fx fx;
	facts_effects(&fx, h->f, h->p->a, e);
	if (!(fx.flags & (FX_BARRIER | FX_MATRIX)) && with_all_lanes(h, i, e)) {
		fx.flags &= ~(unsigned)FX_CROSSLANE;
	}
	if (fx.flags & FX_CONVERGENT) {
		return plan_refuse(h->p, CLAUSE_HOLE,
			"the arms differ in '%s', which holds a matrix, barrier or cross-lane "
			"operation",
			plan_quote(h->p, e));
	}
	if (fx.writes.n || fx.flags & ~(unsigned)FX_FLOAT) {
		return plan_refuse(h->p, CLAUSE_HOLE,
			"the arms differ in '%s', which may have a side effect",
			plan_quote(h->p, e));
	}
	struct fx tail = tail_effects(h, i);
	if (facts_conflict(h->f, h->p->a, &tail, &fx, &why)) {
		return plan_refuse(h->p, CLAUSE_HOLE,
			"the arms differ in '%s', which cannot be evaluated before the rest: %s",
			plan_quote(h->p, e), why);
	}
	return true;
}

static bool may_exit(struct hoist *h, const struct kt_node *n)
{
	struct fx fx;
	facts_effects(&fx, h->f, h->p->a, n);
	return fx.flags & FX_EXIT;
}

static bool runs_at_least_once(struct hoist *h, const struct kt_node *loop)
{
	struct counted_loop c;
	return loop_is_counted(&c, h->f, h->p->a, loop) && c.last > c.first;
}

/* Is child slot of up evaluated whenever up is? */
static bool always_evaluates(struct hoist *h, const struct kt_node *up, size_t slot)
{
	switch (up->kind) {
	case KT_COMPOUND:
		for (size_t i = 0; i < slot; i++) {
			if (may_exit(h, up->child[i])) {
				return false;
			}
		}
		return true;
	case KT_IF:
		return slot == KT_IF_COND || slot == KT_IF_INIT || slot == KT_IF_VAR;
	case KT_SWITCH:
		return slot != KT_SWITCH_BODY;
	case KT_FOR:
		return slot == KT_FOR_INIT || slot == KT_FOR_COND ||
		       (slot == KT_FOR_BODY && runs_at_least_once(h, up));
	case KT_WHILE:
		return slot != KT_WHILE_BODY;
	case KT_DO:
		return slot == KT_DO_BODY;
	case KT_RANGE_FOR:
	case KT_CASE:
	case KT_DEFAULT:
	case KT_LABEL:
	case KT_LAMBDA:
	case KT_STMT_UNKNOWN:
	case KT_EXPR_UNKNOWN:
		return false;
	case KT_BINARY:
		return slot == 0 || (up->op != KT_OP_LAND && up->op != KT_OP_LOR);
	case KT_COND:
		return slot == KT_COND_COND;
	default:
		return true;
	}
}

static bool always_evaluated(struct hoist *h, const struct kt_node *e, const struct kt_node *stmt)
{
	for (const struct kt_node *n = e; n != stmt; n = n->parent) {
		if (!always_evaluates(h, n->parent, n->slot)) {
			return false;
		}
	}
	return true;
}

static bool constant_index(struct hoist *h, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(h->u, n->child[0]);
	const struct kt_node *i = n->child[1];
	return (t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR) && i->flags & KT_F_VALUE &&
	       i->value >= 0 && i->value < t->count;
}

static bool pure_builtin(struct hoist *h, const struct kt_node *n)
{
	const struct kt_fn *fn = n->fn ? &h->u->fn[n->fn] : NULL;
	const char *name = fn ? fn->base : n->text;
	const struct intrinsic_db *db = facts_intrinsics(h->f);
	if (!name || !db || (fn && fn->body && !fn->in_system_header)) {
		return false;
	}
	const struct intrinsic *in = intrinsic_find(db, str_of(name));
	return in && (in->kind == INTRINSIC_PURE || in->kind == INTRINSIC_LANE);
}

static bool speculatable(struct hoist *h, const struct kt_node *e)
{
	struct fx fx;
	facts_effects(&fx, h->f, h->p->a, e);
	for (uint32_t i = 0; i < fx.reads.n; i++) {
		if (!facts_is_private(h->f, fx.reads.v[i])) {
			return false;
		}
	}
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		bool ok = true;
		switch (n->kind) {
		case KT_CALL:
			ok = pure_builtin(h, n);
			break;
		case KT_CONSTRUCT:
		case KT_LAMBDA:
		case KT_EXPR_UNKNOWN:
			ok = false;
			break;
		case KT_INDEX:
			ok = constant_index(h, n);
			break;
		case KT_MEMBER:
			ok = !(n->flags & KT_F_ARROW);
			break;
		case KT_UNARY:
			ok = n->op != KT_OP_DEREF && n->op != KT_OP_OTHER;
			break;
		case KT_BINARY:
			ok = n->op != KT_OP_DIV && n->op != KT_OP_REM && n->op != KT_OP_OTHER;
			break;
		default:
			break;
		}
		if (!ok) {
			return false;
		}
	}
	return true;
}

static const struct kt_node *tail_statement_of(
	const struct hoist *h, size_t i, const struct kt_node *e)
{
	for (size_t k = 0; k < h->match.tail; k++) {
		if (below(e, hoist_tail(h, i, k))) {
			return hoist_tail(h, i, k);
		}
	}
	BUG("a hole stands outside the tail");
}

static bool check_holes(struct hoist *h)
{
	for (size_t k = 0; k < h->match.holes; k++) {
		for (size_t i = 0; i < h->m->arms; i++) {
			const struct kt_node *e = h->match.hole[k].expr[i];
			if (!check_hole_names(h, i, e) || !check_hole_effects(h, i, e)) {
				return false;
			}
			if (!always_evaluated(h, e, tail_statement_of(h, i, e)) &&
				!speculatable(h, e)) {
				return plan_refuse(h->p, CLAUSE_SPECULATION,
					"the arms differ in '%s', which is not evaluated on every "
					"path "
					"now, and might fault if it were",
					plan_quote(h->p, e));
			}
		}
	}
	return true;
}

/* ---- clause 7: convergence ---- */

static bool check_uniform(struct hoist *h)
{
	struct fx fx = tail_effects(h, 0);
	if (!(fx.flags & FX_ORDERED)) {
		return true;
	}
	struct uniformity *u = h->p->parse->uniformity;
	const char *what = fx.flags & FX_BARRIER     ? "a barrier"
			   : fx.flags & FX_CROSSLANE ? "a cross-lane operation"
			   : fx.flags & (FX_UNKNOWN | FX_ASM)
				   ? "code that unphi cannot see through"
				   : "an atomic, volatile or fence operation";
	const char *why = NULL;
	bool ok = u && uniformity_control(u, h->m->node);
	if (ok && h->m->kind == MERGE_SWITCH) {
		ok = uniformity_expr(u, h->m->node->child[KT_SWITCH_COND], &why);
	}
	for (size_t i = 0; i < h->m->arms && ok && h->m->kind == MERGE_IF; i++) {
		ok = !h->m->arm[i].cond || uniformity_expr(u, h->m->arm[i].cond, &why);
	}
	if (ok) {
		return true;
	}
	if (why) {
		return plan_refuse(h->p, CLAUSE_UNIFORM,
			strstr(why, ": ")
				? "the code that would move holds %s, and the condition is not "
				  "proved uniform: %s"
				: "the code that would move holds %s, and the condition is not "
				  "proved uniform: '%s' may differ per lane",
			what, why);
	}
	return plan_refuse(h->p, CLAUSE_UNIFORM,
		"the code that would move holds %s, and not all lanes are known to get there",
		what);
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
			if (v->kind == KT_VAR && type_has_destructor(h->u, v->type) &&
				!plan_refuse(h->p, CLAUSE_LIFETIME,
					"'%s', declared in an arm, may have a destructor",
					h->u->sym[v->sym].name)) {
				return false;
			}
		}
		if (odd && !plan_refuse(h->p, CLAUSE_TYPES,
				   "an arm declares something that is no plain variable: '%s'",
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

/* What the tail of arm i reads or writes besides its holes. */
static struct locset tail_reach(struct hoist *h, size_t i)
{
	struct locset out = {0};
	struct arena *a = h->p->a;
	if (tail_effects(h, i).flags & FX_UNKNOWN) {
		locset_add(&out, a, LOC_UNKNOWN);
	}
	for (size_t k = 0; k < h->match.tail; k++) {
		const struct kt_node *root = hoist_tail(h, i, k);
		for (const struct kt_node *n = root; n;) {
			if (n->kind == KT_RANGE_FOR) {
				facts_lvalue(&out, h->f, a, n->child[KT_RANGE_RANGE]);
			}
			if (kt_is_stmt(n->kind)) {
				n = kt_next(n, root);
				continue;
			}
			size_t count;
			struct event *ev = facts_events(h->f, a, n, &count);
			for (size_t e = 0; e < count; e++) {
				if (!in_hole(h, i, ev[e].node)) {
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
	/* of all arms: a switch may declare in one what another uses */
	struct locset locals = {0};
	loc_id at;
	for (size_t i = 0; i < h->m->arms; i++) {
		if (!head_locals(h, i, &locals)) {
			return false;
		}
	}
	for (size_t i = 0; i < h->m->arms; i++) {
		struct locset reach = tail_reach(h, i);
		if (first_alias(h, &locals, &reach, &at)) {
			return plan_refuse(h->p, CLAUSE_LIFETIME,
				"the code that would move reaches '%s', which is declared in an "
				"arm",
				facts_loc_name(h->f, h->p->a, at));
		}
		for (size_t k = 0; k < h->match.holes; k++) {
			const struct kt_node *e = h->match.hole[k].expr[i];
			struct locset points = {0};
			facts_pointees(&points, h->f, h->p->a, e);
			if (first_alias(h, &locals, &points, &at)) {
				return plan_refuse(h->p, CLAUSE_LIFETIME,
					"'%s' may point to '%s', which is declared in an arm",
					plan_quote(h->p, e), facts_loc_name(h->f, h->p->a, at));
			}
		}
	}
	return true;
}

/* ---- clause 10: names of types ---- */

bool hoist_nameable(struct str s)
{
	const char *const bad[] = {"auto", "decltype", "type-parameter", "lambda", "anonymous",
		"unnamed", "nullptr_t"};
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (str_find(s, bad[i], 0) != SIZE_MAX) {
			return false;
		}
	}
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		bool word =
			(c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
		if (!word && !strchr("_:<>, *", c)) {
			return false;
		}
	}
	return s.n > 0;
}

bool hoist_in_template(const struct hoist *h)
{
	const struct kt_fn *fn = &h->u->fn[h->m->fn];
	return fn->is_method || strchr(fn->name, '<');
}

static bool skipped_in_type(struct str w)
{
	return str_is(w, "const") || str_is(w, "__restrict") || str_is(w, "__restrict__") ||
	       str_is(w, "restrict");
}

bool hoist_declared_type_is(const struct hoist *h, kt_id sym)
{
	const struct kt_sym *s = &h->u->sym[sym];
	const struct kt_type *t = &h->u->type[s->type];
	while (t->kind == KT_T_ARRAY || t->kind == KT_T_REFERENCE) {
		t = &h->u->type[t->elem];
	}
	struct str text = h->u->file[s->file].text;
	struct str name = str_of(t->name);
	if (!t->name || !text.p || s->at > text.n ||
		!hoist_nameable(match_bare_type(h->p->a, t, false)
					? str_of(match_bare_type(h->p->a, t, false))
					: name)) {
		return false;
	}
	/* the words of the type, backwards from the name */
	size_t from = s->at > name.n + 64 ? s->at - name.n - 64 : 0;
	struct str before[64];
	size_t n = 0;
	for (struct lex_token k = lex_next(text, from); k.kind != LEX_END && k.end <= s->at;
		k = lex_next(text, k.end)) {
		struct str w = str_sub(text, k.begin, k.end);
		bool skip = skipped_in_type(w) || (n && str_is(w, "(")) || str_is(w, "&");
		if (!skip) {
			if (n == 64) {
				memmove(before, before + 1, 63 * sizeof(before[0]));
				n--;
			}
			before[n++] = w;
		}
	}
	struct str want[32];
	size_t m = 0;
	for (struct lex_token k = lex_next(name, 0); k.kind != LEX_END && m < 32;
		k = lex_next(name, k.end)) {
		struct str w = str_sub(name, k.begin, k.end);
		if (!skipped_in_type(w)) {
			want[m++] = w;
		}
	}
	if (m == 0 || m == 32 || n < m) {
		return false;
	}
	for (size_t i = 0; i < m; i++) {
		if (!str_eq(before[n - m + i], want[i])) {
			return false;
		}
	}
	return n == m || !str_is(before[n - m - 1], ":");
}

static bool type_is_fixed(const struct hoist *h, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		switch (n->kind) {
		case KT_REF: {
			const struct kt_sym *s = &h->u->sym[n->sym];
			bool fixed = n->sym && (s->kind == KT_S_CONST || s->space == KT_CONSTANT);
			if (!n->sym || (!fixed && !hoist_declared_type_is(h, n->sym))) {
				return false;
			}
			break;
		}
		case KT_LITERAL:
			if (n->text &&
				((n->text[0] >= 'A' && n->text[0] <= 'Z') || n->text[0] == '_')) {
				return false; /* a template's parameter */
			}
			break;
		case KT_CALL:
			if (n->fn &&
				(h->u->fn[n->fn].is_method || strchr(h->u->fn[n->fn].name, '<'))) {
				return false;
			}
			break;
		case KT_CAST: {
			struct str s = kt_source(h->u, n);
			const char *name = match_bare_type(h->p->a, kt_type_of(h->u, n), false);
			if (str_find(s, name, 0) == SIZE_MAX) {
				return false;
			}
			break;
		}
		case KT_CONSTRUCT:
		case KT_THIS:
			return false;
		default:
			break;
		}
	}
	return true;
}

static bool check_names(struct hoist *h)
{
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct kt_node *e = hoist_typed(h, &h->match.hole[k]);
		const char *name = match_bare_type(h->p->a, kt_type_of(h->u, e), false);
		if (!hoist_nameable(str_of(name))) {
			return plan_refuse(h->p, CLAUSE_NAME,
				"the type of '%s' (%s) cannot be written down", plan_quote(h->p, e),
				name);
		}
		for (size_t i = 0; hoist_in_template(h) && i < h->m->arms; i++) {
			e = h->match.hole[k].expr[i];
			if (!type_is_fixed(h, e)) {
				return plan_refuse(h->p, CLAUSE_NAME,
					"the type of '%s' may depend on a template's parameter",
					plan_quote(h->p, e));
			}
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
	for (size_t i = 0; i < h->m->arms; i++) {
		arm[i] = h->body[i].list;
	}
	if (!c->contract) {
		c->contract = contract_create(h->f, h->p->a);
		c->live = liveness_create(h->f, h->p->a, h->m->fn);
	}
	struct contract_cut cut = {.merge = h->m->node,
		.fn = h->m->fn,
		.arm = arm,
		.arms = h->m->arms,
		.match = &h->match,
		.live = c->live};
	const char *why;
	return !contract_cuts(c->contract, &cut, &why) ||
	       plan_refuse(h->p, CLAUSE_CONTRACT, "%s", why);
}

static bool is_carrier(const struct merge *m, loc_id loc)
{
	for (size_t i = 0; i < m->carriers; i++) {
		if (m->carrier[i].loc == loc) {
			return true;
		}
	}
	return false;
}

/* VGPRs per lane that the holes take. */
static unsigned holes_width(const struct hoist *h)
{
	unsigned width = 0;
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct hole *hole = &h->match.hole[k];
		width += hole->same == k ? merge_type_width(kt_type_of(h->u, hoist_typed(h, hole)))
					 : 0;
	}
	return width;
}

static bool check_gain(struct check *c)
{
	struct hoist *h = c->h;
	unsigned width = holes_width(h);
	struct locset crossing = {0};
	for (size_t i = 0; i < h->m->arms; i++) {
		struct fx head = part_effects(h, i, 0, hoist_heads(h, i));
		struct locset reach = tail_reach(h, i);
		for (uint32_t k = 0; k < head.writes.n; k++) {
			loc_id loc = head.writes.v[k];
			if (locset_has(&reach, loc) && facts_is_private(h->f, loc) &&
				!is_carrier(h->m, loc) && locset_add(&crossing, h->p->a, loc)) {
				width += merge_type_width(&h->u->type[facts_loc_type(h->f, loc)]);
			}
		}
	}
	if (width >= c->wide.width && !c->wide.narrow_instance) {
		return plan_refuse(h->p, CLAUSE_GAIN,
			"%u VGPRs of operands would cross in place of %u of accumulators", width,
			c->wide.width);
	}
	return true;
}

/* ---- the search ---- */

static bool check_match(struct check *c)
{
	struct hoist *h = c->h;
	return check_writes_all(c) && check_uniform(h) && check_holes(h) && check_lifetime(h) &&
	       check_names(h) && check_gain(c) && check_contract(c);
}

/* Does the tail begin with a variable that only takes what a hole hands over? */
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

/* The legal tail whose holes are narrowest, the longest of these. If none is legal, the report says
 * why the longest is not. */
static bool find_tail(struct check *c)
{
	struct hoist *h = c->h;
	struct match_arm *arm = ARENA_ARRAY(h->p->a, struct match_arm, h->m->arms);
	struct match best = {0};
	unsigned best_width = 0;
	bool best_copies = false;
	size_t least = 1;
	for (size_t i = 0; i < h->m->arms; i++) {
		arm[i] = h->body[i].list;
		size_t n = wide_suffix(c, i);
		if (n == 0) {
			plan_refuse(
				h->p, CLAUSE_TAIL, "an arm does not write the wide accumulator");
			return false;
		}
		least = n > least ? n : least;
	}
	size_t max = SIZE_MAX;
	for (unsigned i = 0; i < HOIST_ATTEMPTS; i++) {
		match_tail(&h->match, h->f, h->p->a, arm, h->m->arms, max);
		if (h->match.tail < least && !(refuse_difference(c) && h->match.tail)) {
			break;
		}
		unsigned width = holes_width(h);
		bool better =
			!best.tail || width < best_width || (width == best_width && best_copies);
		if (better && check_match(c)) {
			best = h->match;
			best_width = width;
			best_copies = begins_with_copy(h);
		}
		if (h->match.tail <= least || (best.tail && best_width == 0)) {
			break;
		}
		max = h->match.tail - 1;
	}
	h->match = best;
	if (best.tail) {
		h->p->out->clause = 0;
		h->p->out->why = NULL;
	}
	return best.tail > 0;
}

void hoist_plan(struct plan *p, const char *variant)
{
	bool fenced = strstr(variant, "fenced") != NULL;
	if (str_starts(str_of(variant), "split")) {
		callee_plan(p, fenced ? HOIST_FENCED : HOIST_PLAIN);
		return;
	}
	struct hoist h = {.p = p,
		.m = p->merge,
		.u = p->parse->unit,
		.f = p->parse->facts,
		.body = ARENA_ARRAY(p->a, struct arm_body, p->merge->arms)};
	struct check c = {.h = &h};
	if (!check_shape(&h)) {
		return;
	}
	for (size_t i = 0; i < h.m->arms; i++) {
		arm_body_find(&h.body[i], p, h.m, &h.m->arm[i]);
	}
	if (arm_bodies_check_text(p, h.m, h.body, h.m->arms, CLAUSE_TEXT, CLAUSE_TAIL) &&
		check_leaves(&h) && arm_bodies_check_types(p, h.body, h.m->arms, CLAUSE_TYPES) &&
		wide_find(&c.wide, p, CLAUSE_TAIL) && find_tail(&c)) {
		p->out->tail = h.match.tail;
		hoist_edit(&h, fenced ? HOIST_FENCED : HOIST_PLAIN, CLAUSE_FORM);
	}
	if (c.contract) {
		contract_release(c.contract);
		liveness_release(c.live);
	}
}
