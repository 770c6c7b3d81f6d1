#include "analysis/merge/merge.h"

#include <stdlib.h>
#include <string.h>
#include "analysis/facts/liveness.h"
#include "analysis/facts/mentions.h"
#include "analysis/merge/carried.h"
#include "analysis/merge/guarded.h"
#include "base/array.h"

/* A statement's expression that reads a location. */
struct read {
	loc_id loc;
	uint32_t at; /* in the body's order */
	uint32_t begin;
	const struct kt_node *node; /* what reads it in there */
};

struct finder {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	struct liveness *live;
	kt_id fn;
	ARRAY(struct read) reads; /* of the function, by location; made at the first question */
	bool reads_known;
	bool reads_rise; /* with the body's order their places rise, too */
	ARRAY(struct merge) found;
	ARRAY(struct merge) exits;
	ARRAY(struct merge) guarded;
	ARRAY(struct merge) silent;
};

typedef ARRAY(struct arm) arm_array;

/* No GPU gives a lane more: 256 and as many accumulation registers. */
enum {
	REGISTERS_MAX = 512
};

unsigned merge_type_phis(const struct kt_unit *u, const struct kt_type *t)
{
	if (t->kind == KT_T_ARRAY) {
		unsigned each = merge_type_phis(u, &u->type[t->elem]);
		return t->count > 0 ? (unsigned)t->count * each : each;
	}
	if (t->kind == KT_T_RECORD) {
		return t->size > 16 ? (unsigned)((t->size + 15) / 16) : 1;
	}
	return 1;
}

/* ---- arms ---- */

/* A body that does nothing, or is never come to: as if it did not stand there. */
static bool is_nothing(const struct finder *s, const struct kt_node *body)
{
	while (body && body->kind == KT_COMPOUND && body->n == 1) {
		body = body->child[0];
	}
	if (!body || body->kind == KT_EMPTY || (body->kind == KT_COMPOUND && body->n == 0)) {
		return true;
	}
	const struct intrinsic *in = body->kind == KT_CALL ? facts_intrinsic(s->f, body) : NULL;
	return in && in->kind == INTRINSIC_UNREACHABLE;
}

static void if_arms(
	const struct finder *s, arm_array *arms, const struct kt_node *n, bool *has_else)
{
	for (;;) {
		array_push(arms, (struct arm){.body = n->child[KT_IF_THEN],
					 .cond = n->child[KT_IF_COND],
					 .owner = n});
		const struct kt_node *other = n->child[KT_IF_ELSE];
		if (!other || is_nothing(s, other)) {
			*has_else = false;
			return;
		}
		bool chain = other->kind == KT_IF && !(other->flags & KT_F_CONSTEXPR) &&
			     !(other->child[KT_IF_COND]->flags & KT_F_VALUE);
		if (!chain) {
			array_push(arms, (struct arm){.body = other, .owner = n});
			*has_else = true;
			return;
		}
		n = other;
	}
}

static bool ends_arm(const struct kt_node *n)
{
	if (!n) {
		return false;
	}
	switch (n->kind) {
	case KT_BREAK:
	case KT_RETURN:
	case KT_CONTINUE:
	case KT_GOTO:
		return true;
	case KT_COMPOUND:
		return n->n && ends_arm(n->child[n->n - 1]);
	case KT_CASE:
	case KT_DEFAULT:
		return ends_arm(kt_behind_labels(n));
	default:
		return false;
	}
}

static void switch_arms(struct finder *s, arm_array *arms, struct merge *m)
{
	const struct kt_node *body = m->node->child[KT_SWITCH_BODY];
	if (body->kind != KT_COMPOUND) {
		return;
	}
	for (size_t i = 0; i < body->n; i++) {
		const struct kt_node *c = body->child[i];
		bool label = c->kind == KT_CASE || c->kind == KT_DEFAULT;
		if (!label) {
			if (arms->n) {
				arms->v[arms->n - 1].last = i + 1;
			}
			continue;
		}
		if (arms->n) {
			struct arm *prev = &arms->v[arms->n - 1];
			bool empty = prev->last == prev->first;
			m->fallthrough |= empty || !ends_arm(body->child[prev->last - 1]);
		}
		struct arm arm = {.body = body, .owner = m->node, .first = i, .last = i + 1};
		ARRAY(const struct kt_node *) labels = {0};
		for (const struct kt_node *at = c;
			at && (at->kind == KT_CASE || at->kind == KT_DEFAULT);) {
			array_push(&labels, at);
			arm.is_default |= at->kind == KT_DEFAULT;
			at = at->kind == KT_CASE ? at->child[KT_CASE_STMT]
			     : at->n		 ? at->child[0]
						 : NULL;
		}
		arm.label = array_to_arena(s->a, &labels);
		arm.labels = labels.n;
		array_release(&labels);
		bool last = i + 1 == body->n ||
			    (i + 2 == body->n && body->child[i + 1]->kind == KT_BREAK);
		if (last && arm.is_default && arm.labels == 1 &&
			is_nothing(s, kt_behind_labels(c))) {
			return;
		}
		m->has_else |= arm.is_default;
		array_push(arms, arm);
	}
}

static void cond_arms(arm_array *arms, const struct kt_node *n, bool *has_else)
{
	array_push(arms, (struct arm){.body = n->child[KT_COND_THEN],
				 .cond = n->child[KT_COND_COND],
				 .owner = n});
	array_push(arms, (struct arm){.body = n->child[KT_COND_ELSE], .owner = n});
	*has_else = true;
}

/* ---- carriers ---- */

/* The variable that takes the value of ?: as a whole, or NULL. */
static const struct kt_node *assigned_to(const struct kt_node *cond)
{
	const struct kt_node *n = cond;
	while (n->parent && n->parent->kind == KT_CAST) {
		n = n->parent;
	}
	const struct kt_node *p = n->parent;
	bool assigns = p && ((p->kind == KT_ASSIGN && p->op == KT_OP_NONE) ||
				    (p->kind == KT_CALL && p->flags & KT_F_OPERATOR &&
					    strcmp(p->text, "operator=") == 0));
	return assigns && p->n == 2 && p->child[1] == n ? p->child[0] : NULL;
}

const struct kt_node *merge_assigned(const struct merge *m)
{
	return m->kind == MERGE_COND ? assigned_to(m->node) : NULL;
}

const struct kt_node *merge_statement(const struct merge *m)
{
	const struct kt_node *n = m->node;
	if (m->kind != MERGE_COND) {
		return n;
	}
	while (n->parent && !kt_is_stmt(n->parent->kind)) {
		n = n->parent;
	}
	return n->parent && n->parent->kind == KT_DECL ? n->parent : n;
}

uint32_t merge_end(const struct merge *m)
{
	return m->kind == MERGE_GUARDED ? m->arm[m->arms - 1].owner->end : m->node->end;
}

/* First write of loc in the children [first, last) of n, or in n itself. */
static const struct kt_node *first_write(struct finder *s, const struct kt_node *n, loc_id loc)
{
	if (!facts_writes(s->f, n, loc)) {
		return NULL;
	}
	if (!kt_is_stmt(n->kind)) {
		size_t count;
		struct event *ev = facts_events(s->f, n, &count);
		for (size_t i = 0; i < count; i++) {
			if (ev[i].loc == loc && ev[i].kind != EVENT_READ) {
				return ev[i].node;
			}
		}
		return n;
	}
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *w = n->child[i] ? first_write(s, n->child[i], loc) : NULL;
		if (w) {
			return w;
		}
	}
	return n;
}

/* What a statement ends in, if that leads on to the next iteration or out of the function. */
static const struct kt_node *leaving(const struct kt_node *n)
{
	while (n && n->kind == KT_COMPOUND) {
		n = n->n ? n->child[n->n - 1] : NULL;
	}
	bool leaves = n && (n->kind == KT_CONTINUE || (n->kind == KT_RETURN && n->n == 0));
	return leaves ? n : NULL;
}

const struct kt_node *merge_leaves(const struct merge *m)
{
	return leaving(m->arm[0].body);
}

/* Do both arms of such an if meet where the first one leads? */
static bool exit_arms(arm_array *arms, const struct kt_node *n)
{
	const struct kt_node *block = n->parent;
	const struct kt_node *by = leaving(n->child[KT_IF_THEN]);
	if (n->child[KT_IF_ELSE] || !by || !block || block->kind != KT_COMPOUND ||
		n->slot + 1 >= block->n) {
		return false;
	}
	bool whole = by->kind == KT_RETURN ? !block->parent
					   : block->parent && kt_is_loop(block->parent->kind);
	const struct kt_node *last = block->child[block->n - 1];
	const struct kt_node *too = leaving(last);
	if (!whole || (ends_arm(last) && !(too && too->kind == by->kind))) {
		return false;
	}
	array_push(arms,
		(struct arm){
			.body = n->child[KT_IF_THEN], .cond = n->child[KT_IF_COND], .owner = n});
	array_push(arms,
		(struct arm){.body = block, .owner = n, .first = n->slot + 1, .last = block->n});
	return true;
}

static bool arm_falls_through(const struct merge *m, const struct arm *arm)
{
	if (m->kind == MERGE_COND || m->kind == MERGE_EXIT) {
		return true;
	}
	if (m->kind == MERGE_SWITCH) {
		const struct kt_node *end = arm->body->child[arm->last - 1];
		const struct kt_node *st = end->kind == KT_CASE || end->kind == KT_DEFAULT
						   ? kt_behind_labels(end)
						   : end;
		return !(st && (st->kind == KT_RETURN || st->kind == KT_CONTINUE));
	}
	return !ends_arm(arm->body);
}

static const struct kt_node *arm_first_write(struct finder *s, const struct arm *arm, loc_id loc)
{
	if (arm->last > arm->first) {
		for (size_t i = arm->first; i < arm->last; i++) {
			const struct kt_node *w = first_write(s, arm->body->child[i], loc);
			if (w) {
				return w;
			}
		}
		return NULL;
	}
	return first_write(s, arm->body, loc);
}

static bool arm_reads(struct finder *s, const struct arm *arm, loc_id loc)
{
	return arm->last > arm->first
		       ? liveness_exposed_part(s->live, arm->body, arm->first, arm->last, loc)
		       : liveness_exposed(s->live, arm->body, loc);
}

static int by_location(const void *a, const void *b)
{
	const struct read *x = a, *y = b;
	return x->loc != y->loc ? (x->loc < y->loc ? -1 : 1) : (x->at > y->at) - (x->at < y->at);
}

static void find_reads(struct finder *s)
{
	const struct kt_node *body = s->u->fn[s->fn].body;
	uint32_t last = 0;
	s->reads.n = 0;
	s->reads_known = s->reads_rise = true;
	for (const struct kt_node *n = body; n;) {
		bool top = !kt_is_stmt(n->kind) && n->parent && kt_is_stmt(n->parent->kind);
		if (!top) {
			n = kt_next(n, body);
			continue;
		}
		size_t count;
		struct event *ev = facts_events(s->f, n, &count);
		for (size_t i = 0; i < count; i++) {
			if (ev[i].kind == EVENT_READ) {
				array_push(&s->reads, (struct read){ev[i].loc, (uint32_t)s->reads.n,
							      n->begin, ev[i].node});
			}
		}
		s->reads_rise &= n->begin >= last; /* not so where macros make statements */
		last = n->begin;
		n = kt_skip(n, body);
	}
	if (s->reads.n > 1) {
		qsort(s->reads.v, s->reads.n, sizeof(*s->reads.v), by_location);
	}
}

/* The first one of loc below root, of those whose statement begins at from or later, before to. */
static const struct kt_node *find_read(
	struct finder *s, const struct kt_node *root, loc_id loc, uint32_t from, uint32_t to)
{
	if (!s->reads_known) {
		find_reads(s);
	}
	size_t low = 0, high = s->reads.n;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct read *r = &s->reads.v[middle];
		if (r->loc < loc || (r->loc == loc && s->reads_rise && r->begin < from)) {
			low = middle + 1;
		} else {
			high = middle;
		}
	}
	for (; low < s->reads.n && s->reads.v[low].loc == loc; low++) {
		const struct read *r = &s->reads.v[low];
		if (s->reads_rise && r->begin >= to) {
			break;
		}
		if (r->begin >= from && r->begin < to && kt_is_below(r->node, root)) {
			return r->node;
		}
	}
	return NULL;
}

static void find_use(struct finder *s, const struct merge *m, struct carrier *c)
{
	const struct kt_node *body = s->u->fn[m->fn].body;
	const struct arm *last = &m->arm[m->arms - 1];
	uint32_t end = m->kind == MERGE_EXIT ? last->body->end : merge_end(m);
	c->use = find_read(s, body, c->loc, end, UINT32_MAX);
	const struct kt_node *loop = m->node->parent;
	while (loop && !kt_is_loop(loop->kind)) {
		loop = loop->parent;
	}
	if ((!c->use || (loop && c->use->begin >= loop->end)) && loop) {
		/* around the back edge first, if that is where the value goes next */
		const struct kt_node *again = find_read(s, loop, c->loc, loop->begin, end);
		if (again) {
			c->use = again;
			c->use_next_iteration = true;
		}
	}
}

/* Bytes behind the pointer that the function touches, by constant indexes alone; 0 when it
 * does more with it. */
static int64_t touched(const struct finder *s, kt_id pointer)
{
	const struct kt_type *t = &s->u->type[s->u->type[s->u->sym[pointer].type].elem];
	struct mentions refs = mentions_of(s->f, s->u->sym[pointer].fn, pointer);
	int64_t most = 0;
	for (size_t i = 0; i < refs.n; i++) {
		const struct kt_node *n = refs.v[i];
		const struct kt_node *up = n->parent;
		bool one = (up->kind == KT_UNARY && up->op == KT_OP_DEREF) ||
			   (up->kind == KT_MEMBER && up->flags & KT_F_ARROW);
		bool fixed = up->kind == KT_INDEX && up->child[0] == n &&
			     up->child[1]->flags & KT_F_VALUE && up->child[1]->value >= 0;
		if (!one && !fixed) {
			return 0;
		}
		int64_t at = fixed ? up->child[1]->value : 0;
		most = at + 1 > most ? at + 1 : most;
	}
	return t->size > 0 ? most * t->size : 0;
}

/* The part of the object behind a pointer that a merge of this function can be about. */
static void narrow_to_touched(const struct finder *s, struct carrier *c)
{
	kt_id sym = LOC_SYM(c->loc);
	if (!LOC_IS_DEREF(c->loc) || s->u->type[s->u->sym[sym].type].kind != KT_T_POINTER) {
		return;
	}
	unsigned width = (unsigned)((touched(s, sym) + 3) / 4);
	if (width && width < c->width) {
		c->phis = c->phis * width / c->width;
		c->phis += !c->phis;
		c->width = width;
	}
}

static void narrow_to_carried(const struct finder *s, const struct merge *m, struct carrier *c)
{
	struct carried parts;
	c->carried = c->chained ? c->width : 0;
	if (c->chained && carried_parts(&parts, s->f, m, c->loc) && parts.width < c->width) {
		c->carried = parts.width;
		c->phis = parts.phis;
	}
}

static bool carrier_at(struct finder *s, struct merge *m, loc_id loc, struct carrier *c)
{
	const struct kt_type *t = &s->u->type[facts_loc_type(s->f, loc)];
	*c = (struct carrier){
		.loc = loc, .width = kt_type_width(t), .phis = merge_type_phis(s->u, t)};
	if (!c->width || t->is_const) {
		return false;
	}
	narrow_to_touched(s, c);
	if (c->width > REGISTERS_MAX) {
		return false; /* in memory: no phi */
	}
	const struct kt_node *target = merge_assigned(m);
	struct locset whole = {0};
	if (target) {
		facts_lvalue(&whole, s->f, s->a, target);
	}
	c->first_write = ARENA_ARRAY(s->a, const struct kt_node *, m->arms);
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		if (!arm_falls_through(m, arm)) {
			continue;
		}
		const struct kt_node *w = arm_first_write(s, arm, loc);
		if (!w && locset_has(&whole, loc)) {
			w = arm->body;
		}
		c->first_write[i] = w;
		c->writers += w != NULL;
	}
	if (c->writers < 2) {
		return false;
	}
	for (size_t i = 0; i < m->arms; i++) {
		c->readers += arm_reads(s, &m->arm[i], loc);
	}
	c->chained = c->readers > 0;
	narrow_to_carried(s, m, c);
	return true;
}

static int wider_first(const void *x, const void *y)
{
	const struct carrier *a = x, *b = y;
	if (a->width != b->width) {
		return a->width < b->width ? 1 : -1;
	}
	return a->loc < b->loc ? -1 : a->loc > b->loc;
}

static void find_carriers(struct finder *s, struct merge *m)
{
	const struct kt_node *at = merge_statement(m), *all = at;
	if (m->kind == MERGE_EXIT) {
		at = merge_leaves(m);
		all = m->arm[1].body;
	} else if (m->kind == MERGE_GUARDED) {
		at = m->arm[m->arms - 1].owner;
	}
	const loc_id *locs;
	size_t n = liveness_locs(s->live, &locs);
	ARRAY(struct carrier) cs = {0};
	struct fx fx = facts_effects(s->f, all);
	for (size_t i = 0; i < n; i++) {
		struct carrier c;
		bool writes = m->kind == MERGE_GUARDED || locset_has(&fx.writes, locs[i]);
		if (!writes || !liveness_after(s->live, at, locs[i]) ||
			!carrier_at(s, m, locs[i], &c)) {
			continue;
		}
		find_use(s, m, &c);
		array_push(&cs, c);
		m->crossing += c.width;
		if (c.chained) {
			m->chained += c.carried;
			m->phis += c.phis;
		}
	}
	if (cs.n) {
		qsort(cs.v, cs.n, sizeof(*cs.v), wider_first);
	}
	m->carrier = array_to_arena(s->a, &cs);
	m->carriers = cs.n;
	array_release(&cs);
}

/* ---- walk ---- */

static bool has_constant_condition(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_IF:
		return n->child[KT_IF_COND]->flags & KT_F_VALUE;
	case KT_SWITCH:
		return n->child[KT_SWITCH_COND]->flags & KT_F_VALUE;
	default:
		return n->child[KT_COND_COND]->flags & KT_F_VALUE;
	}
}

/* The else-if of a chain: it belongs to the chain's head. */
static bool is_else_if(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	return n->kind == KT_IF && up && up->kind == KT_IF && up->child[KT_IF_ELSE] == n &&
	       !(up->flags & KT_F_CONSTEXPR) && !has_constant_condition(up);
}

/* Where a statement stands, and no other part of its parent. */
static bool is_statement(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	switch (up ? up->kind : KT_NONE) {
	case KT_COMPOUND:
	case KT_DEFAULT:
		return true;
	case KT_IF:
		return n->slot == KT_IF_THEN || n->slot == KT_IF_ELSE;
	case KT_CASE:
		return n->slot == KT_CASE_STMT;
	default:
		return up && kt_loop_body(up) == n;
	}
}

const struct kt_node *merge_discarded(const struct kt_node *cond)
{
	const struct kt_node *n = cond;
	while (n->parent && n->parent->kind == KT_CAST && n->parent->text == NULL &&
		n->parent->n == 1) {
		n = n->parent;
	}
	return is_statement(n) ? n : NULL;
}

/* An arm of a ?: that has no value either: it belongs to the chain's head. */
static bool is_else_question(const struct kt_node *n)
{
	while (n->kind == KT_COND && n->parent && n->parent->kind == KT_COND &&
		n->slot == KT_COND_ELSE) {
		n = n->parent;
		if (merge_discarded(n)) {
			return true;
		}
	}
	return false;
}

static bool branches(const struct kt_node *n, enum merge_kind *kind)
{
	switch (n->kind) {
	case KT_IF:
		*kind = MERGE_IF;
		return !(n->flags & KT_F_CONSTEXPR);
	case KT_SWITCH:
		*kind = MERGE_SWITCH;
		return true;
	case KT_COND:
		*kind = MERGE_COND;
		return true;
	default:
		return false;
	}
}

static unsigned loop_depth(const struct kt_node *n)
{
	unsigned depth = 0;
	for (n = n->parent; n; n = n->parent) {
		depth += kt_is_loop(n->kind);
	}
	return depth;
}

/* An if of one arm that leaves: with what follows it, two arms may meet. */
static void find_exit(struct finder *s, const struct merge *of)
{
	struct merge m = {.kind = MERGE_EXIT, .fn = of->fn, .node = of->node, .depth = of->depth};
	arm_array arms = {0};
	if (of->kind == MERGE_IF && of->arms == 1 && exit_arms(&arms, of->node)) {
		m.arm = array_to_arena(s->a, &arms);
		m.arms = arms.n;
		m.has_else = true;
		find_carriers(s, &m);
	}
	array_release(&arms);
	if (m.arms) {
		array_push(&s->exits, m);
	}
}

/* Ifs of one arm that stand in a row with the one that begins it. */
static void find_guarded(struct finder *s, const struct merge *of)
{
	struct merge m = {.kind = MERGE_GUARDED, .fn = of->fn, .node = of->node};
	arm_array arms = {0};
	if (of->node->kind != KT_IF || guard_before(s->u, of->node)) {
		return;
	}
	for (const struct kt_node *n = of->node; n; n = guard_next(s->u, n)) {
		array_push(&arms, (struct arm){.body = n->child[KT_IF_THEN],
					  .cond = n->child[KT_IF_COND],
					  .owner = n});
	}
	m.depth = of->depth;
	m.arms = arms.n;
	m.arm = array_to_arena(s->a, &arms);
	array_release(&arms);
	if (m.arms >= 2) {
		find_carriers(s, &m);
		array_push(&s->guarded, m);
	}
}

static void find_in_function(struct finder *s, kt_id fn)
{
	const struct kt_node *body = s->u->fn[fn].body;
	s->fn = fn;
	s->live = NULL;
	s->reads_known = false;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		struct merge m = {.fn = fn, .node = n};
		if (!branches(n, &m.kind)) {
			continue;
		}
		m.silent = has_constant_condition(n) || is_else_if(n);
		if (!s->live) {
			s->live = liveness_of(s->f, fn);
		}
		arm_array arms = {0};
		switch (m.kind) {
		case MERGE_IF:
			if_arms(s, &arms, n, &m.has_else);
			break;
		case MERGE_SWITCH:
			switch_arms(s, &arms, &m);
			break;
		case MERGE_COND:
			cond_arms(&arms, n, &m.has_else);
			break;
		case MERGE_EXIT:
		case MERGE_GUARDED:
			break;
		}
		m.arm = array_to_arena(s->a, &arms);
		m.arms = arms.n;
		array_release(&arms);
		m.depth = loop_depth(n);
		if (m.arms >= 2) {
			find_carriers(s, &m);
		}
		find_guarded(s, &m);
		if (m.silent) {
			array_push(&s->silent, m);
			continue;
		}
		if (m.kind == MERGE_COND && (merge_discarded(n) || is_else_question(n))) {
			if (merge_discarded(n)) {
				array_push(&s->exits, m);
			}
			continue;
		}
		array_push(&s->found, m);
		find_exit(s, &m);
	}
}

/* They stand in the order of the walk: what is around one is the one before, or around that. */
static void link_outer(struct merge_list *l)
{
	for (size_t i = 1; i < l->n; i++) {
		const struct merge *up = &l->v[i - 1];
		while (up && !kt_is_below(l->v[i].node, up->node)) {
			up = up->outer;
		}
		l->v[i].outer = up;
	}
}

static int by_address(const void *x, const void *y)
{
	uintptr_t a = (uintptr_t)(*(const struct merge *const *)x)->node;
	uintptr_t b = (uintptr_t)(*(const struct merge *const *)y)->node;
	return (a > b) - (a < b);
}

static int by_place(const void *x, const void *y)
{
	const struct kt_node *a = (*(const struct merge *const *)x)->node;
	const struct kt_node *b = (*(const struct merge *const *)y)->node;
	if (a->file != b->file) {
		return a->file < b->file ? -1 : 1;
	}
	if (a->begin != b->begin) {
		return a->begin < b->begin ? -1 : 1;
	}
	return (a->end > b->end) - (a->end < b->end);
}

/* Instances of one text have the widest carrier of them all in common. */
static void note_widest(struct merge **v, size_t n)
{
	for (size_t i = 0, next; i < n; i = next) {
		unsigned widest = 0;
		for (next = i; next < n && by_place(&v[i], &v[next]) == 0; next++) {
			bool counts = v[next]->carriers && !v[next]->silent;
			unsigned width = counts ? v[next]->carrier[0].width : 0;
			widest = width > widest ? width : widest;
		}
		for (size_t k = i; k < next; k++) {
			v[k]->widest = widest;
		}
	}
}

static void index_merges(struct merge_list *l, struct arena *a)
{
	size_t n = l->n + l->silents;
	struct merge **v = ARENA_ARRAY(a, struct merge *, n);
	for (size_t i = 0; i < n; i++) {
		v[i] = i < l->n ? &l->v[i] : &l->silent[i - l->n];
	}
	l->by_node = arena_memdup(a, v, l->n * sizeof(*v));
	if (n) {
		qsort(v, n, sizeof(*v), by_place);
		note_widest(v, n);
		qsort(l->by_node, l->n, sizeof(*v), by_address);
	}
}

const struct merge *merge_at(const struct merge_list *l, const struct kt_node *n)
{
	size_t lo = 0, hi = l->n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		if ((uintptr_t)l->by_node[mid]->node < (uintptr_t)n) {
			lo = mid + 1;
		} else {
			hi = mid;
		}
	}
	return lo < l->n && l->by_node[lo]->node == n ? l->by_node[lo] : NULL;
}

const struct merge *merge_below(const struct merge_list *l, const struct kt_node *n)
{
	const struct merge *m = merge_at(l, n), *last = l->v + l->n;
	if (m) {
		return m + 1 != last && kt_is_below(m[1].node, n) ? m + 1 : NULL;
	}
	for (const struct kt_node *k = kt_next(n, n); k && !m; k = kt_next(k, n)) {
		m = merge_at(l, k);
	}
	return m;
}

bool merge_carries(const struct merge *m, loc_id loc)
{
	for (size_t i = 0; i < m->carriers; i++) {
		if (m->carrier[i].loc == loc) {
			return true;
		}
	}
	return false;
}

void merges_find(struct merge_list *out, struct facts *f, struct arena *a)
{
	struct finder s = {.f = f, .u = facts_unit(f), .a = a};
	for (kt_id fn = 1; fn < s.u->fns; fn++) {
		const struct kt_fn *k = &s.u->fn[fn];
		if (k->body && k->kind != KT_FN_HOST && !k->in_system_header) {
			find_in_function(&s, fn);
		}
	}
	out->v = array_to_arena(a, &s.found);
	out->n = s.found.n;
	array_release(&s.found);
	out->exit = array_to_arena(a, &s.exits);
	out->exits = s.exits.n;
	array_release(&s.exits);
	out->guarded = array_to_arena(a, &s.guarded);
	out->guardeds = s.guarded.n;
	array_release(&s.guarded);
	out->silent = array_to_arena(a, &s.silent);
	out->silents = s.silent.n;
	array_release(&s.silent);
	array_release(&s.reads);
	index_merges(out, a);
	link_outer(out);
}
