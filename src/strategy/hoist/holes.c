/*
 * hoist's holes: clauses 5, 6 and 14. A hole is evaluated at the end of each head, or becomes a
 * select in the tail (the guarded forms).
 */
#include <string.h>
#include "analysis/arms/overlay.h"
#include "analysis/facts/liveness.h"
#include "base/msg.h"
#include "strategy/hoist/hoist.h"

bool hoist_in_hole(const struct hoist *h, size_t arm, const struct kt_node *n, bool chosen)
{
	for (size_t k = 0; k < h->match.holes; k++) {
		if ((chosen || !hoist_is_chosen(h, k)) &&
			kt_is_below(n, h->match.hole[k].expr[arm])) {
			return true;
		}
	}
	return false;
}

/* ---- names ---- */

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

/* Why hole e of arm i uses a name that is unknown in its head; NULL: it does not. */
static const char *foreign_name(struct hoist *h, size_t i, const struct kt_node *e)
{
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		if (n->kind == KT_REF && n->sym && declared_in_tail(h, i, n->sym)) {
			return arena_printf(h->p->a,
				"the arms differ in '%s', which depends on '%s' inside the code "
				"that would move",
				plan_quote(h->p, e), h->u->sym[n->sym].name);
		}
	}
	struct match_names names = tail_names(h, i);
	struct str word;
	if (match_hidden_use(h->f, e, e->begin, e->end, &names, &word)) {
		return arena_printf(h->p->a,
			"the arms differ in '%s', which names '%.*s' of the code that would move",
			plan_quote(h->p, e), STR_ARG(word));
	}
	return NULL;
}

/* ---- effects ---- */

static bool is_statement(const struct hoist *h, size_t i, const struct kt_node *n)
{
	for (size_t k = 0; k < h->body[i].list.n; k++) {
		if (h->body[i].list.stmt[k] == n) {
			return true;
		}
	}
	return false;
}

/* Do all lanes that enter arm i evaluate e exactly once? */
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

/* once: evaluated at the end of the head, where cross-lane operations see the same lanes. */
static struct fx effects(struct hoist *h, size_t i, const struct kt_node *e, bool once)
{
	struct fx fx = facts_effects(h->f, e);
	if (once && !(fx.flags & (FX_BARRIER | FX_MATRIX)) && with_all_lanes(h, i, e)) {
		fx.flags &= ~(unsigned)FX_CROSSLANE;
	}
	return fx;
}

static bool check_effects(struct hoist *h, size_t i, const struct kt_node *e, bool once)
{
	struct fx fx = effects(h, i, e, once);
	if (fx.flags & FX_CONVERGENT) {
		return plan_refuse(h->p, HOIST_HOLE,
			"the arms differ in '%s', which holds a matrix, barrier or cross-lane "
			"operation",
			plan_quote(h->p, e));
	}
	if (fx_acts(&fx)) {
		return plan_refuse(h->p, HOIST_HOLE,
			"the arms differ in '%s', which may have a side effect",
			plan_quote(h->p, e));
	}
	return true;
}

/* Why e may have another value at the end of its head; NULL: it has the same. */
static const char *written_by_tail(struct hoist *h, size_t i, const struct kt_node *e)
{
	const char *why = NULL;
	struct fx fx = effects(h, i, e, true);
	struct fx tail = hoist_tail_effects(h, i);
	if (!fx.reads.n && !fx_acts(&fx)) {
		return NULL; /* a constant never changes */
	}
	return facts_conflict(h->f, h->p->a, &tail, &fx, &why)
		       ? arena_printf(h->p->a,
				 "the arms differ in '%s', which cannot be evaluated before the "
				 "rest: %s",
				 plan_quote(h->p, e), why)
		       : NULL;
}

/* ---- speculation ---- */

static bool may_exit(struct hoist *h, const struct kt_node *n)
{
	return facts_effects(h->f, n).flags & FX_EXIT;
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
		       (slot == KT_FOR_BODY && loop_runs(h->f, up));
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
	const struct intrinsic *in = facts_intrinsic(h->f, n);
	return in && (in->kind == INTRINSIC_PURE || in->kind == INTRINSIC_LANE);
}

static bool speculatable(struct hoist *h, const struct kt_node *e)
{
	struct fx fx = facts_effects(h->f, e);
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
		if (kt_is_below(e, hoist_tail(h, i, k))) {
			return hoist_tail(h, i, k);
		}
	}
	BUG("a hole stands outside the tail");
}

/* An object bound to a reference can be read. */
static bool may_fault(struct hoist *h, size_t i, const struct kt_node *e)
{
	return !always_evaluated(h, e, tail_statement_of(h, i, e)) && !speculatable(h, e);
}

/* ---- holes bound to a reference ---- */

/* Is e an object that is bound to a reference? */
static bool is_bound(const struct hoist *h, const struct kt_node *e)
{
	kt_id param = kt_param_of(h->u, e);
	return param && kt_is_reference(h->u, param);
}

/* If a hole is bound to a reference, the reference gets another object: the variable that replaces
 * the hole, or a head's variable that is carried over. */
static bool check_bound(struct hoist *h, const struct hole *hole)
{
	kt_id param = kt_param_of(h->u, hole->expr[0]);
	return !is_bound(h, hole->expr[0]) || value_is_all(h->u, param, 0) ||
	       plan_refuse(h->p, HOIST_HOLE,
		       "the arms differ in '%s', which is bound to '%s', of which more than the "
		       "value may count",
		       plan_quote(h->p, hole->expr[0]), h->u->sym[param].name);
}

/* Is e an object, not a temporary? */
static bool is_object(const struct kt_unit *u, const struct kt_node *e)
{
	switch (e->kind) {
	case KT_REF:
		return e->sym && u->sym[e->sym].kind != KT_S_CONST && !(e->flags & KT_F_VALUE);
	case KT_MEMBER: {
		const struct kt_node *base = e->child[KT_MEMBER_BASE];
		return !base || kt_type_of(u, base)->kind == KT_T_POINTER || is_object(u, base);
	}
	case KT_INDEX:
		return kt_type_of(u, e->child[0])->kind == KT_T_POINTER ||
		       is_object(u, e->child[0]);
	case KT_UNARY:
		return e->op == KT_OP_DEREF;
	case KT_COND:
		return e->child[KT_COND_THEN] && is_object(u, e->child[KT_COND_THEN]) &&
		       is_object(u, e->child[KT_COND_ELSE]) &&
		       e->child[KT_COND_THEN]->type == e->child[KT_COND_ELSE]->type;
	case KT_BINARY:
		return e->op == KT_OP_COMMA && is_object(u, e->child[1]);
	case KT_CALL:
		return e->fn && u->type[u->fn[e->fn].ret].kind == KT_T_REFERENCE;
	case KT_CAST:
		return u->type[e->type].kind == KT_T_REFERENCE;
	default:
		return false;
	}
}

enum hole_seen hoist_seen(const struct hoist *h, const struct hole *hole)
{
	const struct kt_node *e = hole->expr[0];
	if (!value_selects_function(h->u, e)) {
		return SEEN_VALUE;
	}
	return !is_object(h->u, e)	       ? SEEN_TEMPORARY
	       : kt_type_of(h->u, e)->is_const ? SEEN_CONST
					       : SEEN_VALUE;
}

/* ---- clause 14: selects ---- */

bool hoist_is_chosen(const struct hoist *h, size_t k)
{
	return h->place.chosen && h->place.chosen[k];
}

static const struct kt_node *head_variable(const struct hoist *h, size_t i, kt_id sym)
{
	for (size_t k = 0; k < hoist_heads(h, i); k++) {
		const struct kt_node *d = h->body[i].list.stmt[k];
		for (size_t c = 0; d->kind == KT_DECL && c < d->n; c++) {
			if (d->child[c]->kind == KT_VAR && d->child[c]->sym == sym) {
				return d->child[c];
			}
		}
	}
	return NULL;
}

kt_id hoist_counterpart(const struct hoist *h, size_t i, kt_id sym)
{
	for (size_t k = 0; k < h->match.tail; k++) {
		const struct kt_node *root = hoist_tail(h, 0, k), *x = root;
		const struct kt_node *other = hoist_tail(h, i, k), *y = other;
		while (x && y) {
			if (y->kind == KT_VAR && y->sym == sym) {
				return x->sym;
			}
			bool hole = false;
			for (size_t n = 0; n < h->match.holes && !hole; n++) {
				hole = h->match.hole[n].expr[0] == x;
			}
			x = hole ? kt_skip(x, root) : kt_next(x, root);
			y = hole ? kt_skip(y, other) : kt_next(y, other);
		}
	}
	return 0;
}

static bool declared_in_merge(const struct hoist *h, kt_id sym)
{
	const struct kt_sym *s = &h->u->sym[sym];
	const struct kt_node *m = h->m->node;
	return s->kind != KT_S_CONST && s->file == m->file && s->at >= m->begin && s->at < m->end;
}

static bool refuse_in_place(struct hoist *h, const struct kt_node *e, struct str word)
{
	return plan_refuse(h->p, HOIST_IN_PLACE,
		"the arms differ in '%s', where '%.*s' would mean something else",
		plan_quote(h->p, e), STR_ARG(word));
}

/* Checks a head's variable that is carried over by value. */
static bool check_carried(
	struct hoist *h, size_t i, const struct kt_node *e, const struct kt_node *n)
{
	const struct kt_sym *s = &h->u->sym[n->sym];
	const struct kt_type *t = &h->u->type[s->type];
	bool plain = head_variable(h, i, n->sym) && s->kind == KT_S_LOCAL &&
		     s->space == KT_PRIVATE && !s->is_static && pair_fits_hole(t) &&
		     !(n->flags & KT_F_MACRO) &&
		     !(n->parent->kind == KT_UNARY && n->parent->op == KT_OP_ADDR);
	if (!plain) {
		return plan_refuse(h->p, HOIST_IN_PLACE,
			"the arms differ in '%s', and '%s', declared in an arm, is not a small "
			"value "
			"that could be handed over",
			plan_quote(h->p, e), s->name);
	}
	if (t->is_const && value_selects_function(h->u, n)) {
		return plan_refuse(h->p, HOIST_IN_PLACE,
			"the arms differ in '%s', and that '%s' is const may say which function is "
			"meant",
			plan_quote(h->p, e), s->name);
	}
	if (!plan_written_type(h->p, n->sym, h->m->node->begin, h->m->node->end)) {
		return plan_refuse(h->p, HOIST_NAME, "the type of '%s' (%s) cannot be written down",
			s->name, kt_type_bare_name(h->p->a, t, false));
	}
	for (size_t k = 0; k < h->place.carrieds; k++) {
		if (h->place.carried[k].sym == n->sym) {
			return true;
		}
	}
	h->place.carried[h->place.carrieds++] = (struct hoist_carried){n->sym, i};
	return true;
}

/* Every name in e must keep its meaning in arm 0's tail, without the head. */
static bool check_place_names(
	struct hoist *h, size_t i, const struct kt_node *e, const struct kt_node *base)
{
	struct match_names own = tail_names(h, i), first = tail_names(h, 0), heads;
	struct str word;
	match_declared(&heads, h->f, h->p->a, h->body[i].list.stmt, hoist_heads(h, i));
	if ((match_hidden_use(h->f, e, e->begin, e->end, &own, &word) ||
		    match_hidden_use(h->f, e, e->begin, e->end, &first, &word) ||
		    match_hidden_use(h->f, e, e->begin, e->end, &heads, &word)) &&
		!refuse_in_place(h, e, word)) {
		return false;
	}
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		if (n->kind != KT_REF || !n->sym) {
			continue;
		}
		kt_id to = hoist_counterpart(h, i, n->sym);
		if (!to && declared_in_merge(h, n->sym)) {
			if (!check_carried(h, i, e, n)) {
				return false;
			}
			continue;
		}
		word = str_of(h->u->sym[to ? to : n->sym].name);
		kt_id found = overlay_visible(h->u, base, h->m->node, word);
		bool renamed = to && to != n->sym;
		bool same = to ? found == to : !found || !declared_in_tail(h, 0, found);
		same = same && (!renamed || h->u->sym[to].type == h->u->sym[n->sym].type ||
				       !value_selects_function(h->u, n));
		if ((!same || (renamed && n->flags & KT_F_MACRO)) && !refuse_in_place(h, e, word)) {
			return false;
		}
	}
	return true;
}

static bool is_carried(const struct hoist *h, size_t i, loc_id loc)
{
	for (size_t k = 0; k < h->place.carrieds; k++) {
		const struct hoist_carried *c = &h->place.carried[k];
		if (c->arm == i && loc == LOC_VAR(c->sym)) {
			return true;
		}
	}
	return false;
}

/* Apart from carried variables, a selected operand must not read variables of an arm. */
static bool check_place_reads(struct hoist *h, size_t i, const struct kt_node *e)
{
	struct locset reads = {0};
	struct fx fx = facts_effects(h->f, e);
	locset_union(&reads, h->p->a, &fx.reads);
	for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
		if (n->kind == KT_REF && n->sym && is_carried(h, i, LOC_VAR(n->sym))) {
			struct locset points = {0};
			facts_reach(&points, h->f, h->p->a, n);
			locset_union(&reads, h->p->a, &points);
		}
	}
	for (uint32_t k = 0; k < reads.n; k++) {
		for (size_t a = 0; a < h->m->arms && !is_carried(h, i, reads.v[k]); a++) {
			for (size_t s = 0; s < hoist_heads(h, a); s++) {
				const struct kt_node *root = h->body[a].list.stmt[s];
				for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
					if (n->kind != KT_VAR || !n->sym ||
						!facts_may_alias(
							h->f, LOC_VAR(n->sym), reads.v[k])) {
						continue;
					}
					if (!plan_refuse(h->p, HOIST_IN_PLACE,
						    "the arms differ in '%s', which may reach "
						    "'%s', declared in an arm",
						    plan_quote(h->p, e), h->u->sym[n->sym].name)) {
						return false;
					}
				}
			}
		}
	}
	return true;
}

/* In a chain of selects, different number types would be converted pairwise. */
static bool check_place_types(struct hoist *h, const struct hole *hole)
{
	for (size_t i = 1; i < h->m->arms && h->m->arms > 2; i++) {
		const char *x = kt_type_of(h->u, hole->expr[0])->canon;
		const char *y = kt_type_of(h->u, hole->expr[i])->canon;
		if (!x || !y || strcmp(x, y) != 0) {
			return plan_refuse(h->p, HOIST_IN_PLACE,
				"the arms differ in '%s' and '%s', which are of several types",
				plan_quote(h->p, hole->expr[0]), plan_quote(h->p, hole->expr[i]));
		}
	}
	return true;
}

static bool check_place(struct hoist *h, const struct hole *hole)
{
	for (size_t i = 0; i < h->m->arms; i++) {
		const struct kt_node *e = hole->expr[i];
		if (!check_place_names(h, i, e, hole->expr[0]) || !check_place_reads(h, i, e)) {
			return false;
		}
	}
	return check_place_types(h, hole);
}

/* Finds the holes that become selects: those that no head can evaluate, and equal ones. */
static void find_chosen(struct hoist *h)
{
	size_t names = 0;
	h->place = (struct hoist_place){.chosen = ARENA_ARRAY(h->p->a, bool, h->match.holes)};
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct hole *hole = &h->match.hole[k];
		for (size_t i = 0; i < h->m->arms; i++) {
			const struct kt_node *e = hole->expr[i];
			if (foreign_name(h, i, e) || written_by_tail(h, i, e) ||
				may_fault(h, i, e)) {
				h->place.chosen[hole->same] = true;
				h->place.any = true;
			}
			for (const struct kt_node *n = e; n; n = kt_next(n, e)) {
				names += n->kind == KT_REF;
			}
		}
	}
	for (size_t k = 0; k < h->match.holes; k++) {
		h->place.chosen[k] = h->place.chosen[h->match.hole[k].same];
	}
	h->place.carried = ARENA_ARRAY(h->p->a, struct hoist_carried, names);
}

static bool check_handed(struct hoist *h, size_t i, const struct kt_node *e)
{
	const char *why = foreign_name(h, i, e);
	if (why && !plan_refuse(h->p, HOIST_HOLE, "%s", why)) {
		return false;
	}
	if (!check_effects(h, i, e, true)) {
		return false;
	}
	why = written_by_tail(h, i, e);
	if (why && !plan_refuse(h->p, HOIST_HOLE, "%s", why)) {
		return false;
	}
	return !may_fault(h, i, e) ||
	       plan_refuse(h->p, HOIST_SPECULATION,
		       "the arms differ in '%s', which is not evaluated on every path now, and "
		       "might fault if it were",
		       plan_quote(h->p, e));
}

bool hoist_check_holes(struct hoist *h)
{
	h->place = (struct hoist_place){0};
	if (h->guarded) {
		find_chosen(h);
	}
	for (size_t k = 0; k < h->match.holes; k++) {
		const struct hole *hole = &h->match.hole[k];
		bool chosen = hoist_is_chosen(h, k);
		if (!check_bound(h, hole)) {
			return false;
		}
		for (size_t i = 0; i < h->m->arms; i++) {
			const struct kt_node *e = hole->expr[i];
			if (chosen ? !check_effects(h, i, e, false) : !check_handed(h, i, e)) {
				return false;
			}
		}
		if (chosen && !check_place(h, hole)) {
			return false;
		}
	}
	return true;
}
