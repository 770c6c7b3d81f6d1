#include "analysis/merge/carriers.h"

#include <stdlib.h>
#include "analysis/facts/mentions.h"
#include "analysis/merge/arm.h"
#include "analysis/merge/carried.h"

/* The most VGPRs per lane of any GPU: 256 and as many accumulation VGPRs. */
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

/* The first write of loc in n, or n if that is not known; NULL: it writes it nowhere. */
static const struct kt_node *first_write(
	struct carrier_search *s, const struct kt_node *n, loc_id loc)
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

static const struct kt_node *arm_first_write(
	struct carrier_search *s, const struct arm *arm, loc_id loc)
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

static bool arm_reads(struct carrier_search *s, const struct arm *arm, loc_id loc)
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

static void find_reads(struct carrier_search *s)
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
		s->reads_rise &= n->begin >= last; /* macros may make statements out of order */
		last = n->begin;
		n = kt_skip(n, body);
	}
	array_sort(&s->reads, by_location);
}

/* The first read of loc below root in a statement that begins in [from, to); NULL: none. */
static const struct kt_node *find_read(struct carrier_search *s, const struct kt_node *root,
	loc_id loc, uint32_t from, uint32_t to)
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

static void find_use(struct carrier_search *s, const struct merge *m, struct carrier *c)
{
	const struct kt_node *body = s->u->fn[m->fn].body;
	const struct arm *last = &m->arm[m->arms - 1];
	uint32_t end = m->kind == MERGE_EXIT ? last->body->end : merge_end(m);
	c->use = find_read(s, body, c->loc, end, UINT32_MAX);
	const struct kt_node *loop = kt_loop_of(m->node->parent);
	if ((!c->use || (loop && c->use->begin >= loop->end)) && loop) {
		/* the value goes around the back edge before it leaves the loop */
		const struct kt_node *again = find_read(s, loop, c->loc, loop->begin, end);
		if (again) {
			c->use = again;
			c->use_next_iteration = true;
		}
	}
}

/* Bytes after the pointer that the function accesses, if it uses the pointer only with constant
 * indexes; else 0. */
static int64_t touched(const struct carrier_search *s, kt_id pointer)
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

/* Narrows a pointer's carrier to the bytes that this function accesses. */
static void narrow_to_touched(const struct carrier_search *s, struct carrier *c)
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

static void narrow_to_carried(
	const struct carrier_search *s, const struct merge *m, struct carrier *c)
{
	struct carried parts;
	c->carried = c->chained ? c->width : 0;
	if (c->chained && c->from == c->loc && carried_parts(&parts, s->f, m, c->loc) &&
		parts.width < c->width) {
		c->carried = parts.width;
		c->phis = parts.phis;
	}
}

/* Sets the type's width; false: it takes no VGPRs, or is in memory and has no phi. */
static bool begin_carrier(struct carrier_search *s, const struct merge *m, loc_id loc,
	const struct kt_type *t, struct carrier *c)
{
	*c = (struct carrier){.loc = loc,
		.from = loc,
		.width = kt_type_width(t),
		.phis = merge_type_phis(s->u, t)};
	if (!c->width) {
		return false;
	}
	narrow_to_touched(s, c);
	c->first_write = ARENA_ARRAY(s->a, const struct kt_node *, m->arms);
	return c->width <= REGISTERS_MAX;
}

static unsigned arms_read(struct carrier_search *s, const struct merge *m, loc_id loc)
{
	unsigned readers = 0;
	for (size_t i = 0; i < m->arms; i++) {
		readers += arm_reads(s, &m->arm[i], loc);
	}
	return readers;
}

/* Is it a variable with no use but by the arms, of the type t? */
static bool ends_in_arms(
	struct carrier_search *s, const struct kt_node *at, loc_id loc, const struct kt_type *t)
{
	return LOC_IS_VAR(loc) && !liveness_after(s->live, at, loc) &&
	       str_eq(kt_type_bare(&s->u->type[facts_loc_type(s->f, loc)], true),
		       kt_type_bare(t, true));
}

/* acc = step(old): the arms may continue the value of another variable, which ends in them. */
static void find_from(struct carrier_search *s, const struct merge *m, const struct kt_node *at,
	struct carrier *c)
{
	const struct kt_type *t = &s->u->type[facts_loc_type(s->f, c->loc)];
	const loc_id *locs;
	size_t n = liveness_locs(s->live, &locs);
	for (size_t i = 0; i < n && !c->readers; i++) {
		if (locs[i] != c->loc && ends_in_arms(s, at, locs[i], t)) {
			c->readers = arms_read(s, m, locs[i]);
			c->from = locs[i];
		}
	}
	c->from = c->readers ? c->from : c->loc;
}

/* What the value of a ?: is assigned to, or initializes. */
static struct locset locations_set(struct carrier_search *s, const struct merge *m)
{
	const struct kt_node *target = merge_assigned(m);
	kt_id initialized = merge_initialized(s->u, m);
	struct locset set = {0};
	if (target) {
		facts_lvalue(&set, s->f, s->a, target);
	} else if (initialized) {
		locset_add(&set, s->a, LOC_VAR(initialized));
	}
	return set;
}

/* set: locations_set. */
static bool carrier_at(struct carrier_search *s, const struct merge *m, const struct kt_node *at,
	loc_id loc, const struct locset *set, struct carrier *c)
{
	const struct kt_type *t = &s->u->type[facts_loc_type(s->f, loc)];
	bool whole = locset_has(set, loc);
	if ((t->is_const && !whole) || !begin_carrier(s, m, loc, t, c)) {
		return false;
	}
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		if (!arm_falls_through(m, arm)) {
			continue;
		}
		const struct kt_node *w = arm_first_write(s, arm, loc);
		if (!w && whole) {
			w = arm->body;
		}
		c->first_write[i] = w;
		c->writers += w != NULL;
	}
	if (c->writers < (m->one_armed ? 1 : 2)) {
		return false;
	}
	c->readers = arms_read(s, m, loc);
	if (!c->readers && !m->one_armed) {
		find_from(s, m, at, c);
	}
	c->chained = c->readers > 0;
	narrow_to_carried(s, m, c);
	return true;
}

/* The same for a variable whose value the arms continue in the object that they return. */
static bool returned_at(struct carrier_search *s, const struct merge *m, const struct kt_node *at,
	loc_id loc, struct carrier *c)
{
	const struct kt_type *t = &s->u->type[s->u->fn[m->fn].ret];
	if (!ends_in_arms(s, at, loc, t) || !begin_carrier(s, m, loc, t, c)) {
		return false;
	}
	c->returned = true;
	for (size_t i = 0; i < m->arms; i++) {
		const struct kt_node *value = arm_value(m, &m->arm[i]);
		bool same = !value || kt_names(kt_past_casts(value), LOC_SYM(loc));
		c->first_write[i] = same ? arm_first_write(s, &m->arm[i], loc) : value;
		c->writers += c->first_write[i] != NULL;
	}
	c->readers = arms_read(s, m, loc);
	c->chained = c->readers > 0;
	c->carried = c->width;
	return c->writers >= 2 && c->chained;
}

static int wider_first(const void *x, const void *y)
{
	const struct carrier *a = x, *b = y;
	if (a->width != b->width) {
		return a->width < b->width ? 1 : -1;
	}
	return a->loc < b->loc ? -1 : a->loc > b->loc;
}

void carriers_find(struct carrier_search *s, struct merge *m)
{
	const struct kt_node *at = merge_statement(m), *all = at, *by = merge_returns(m);
	if (by) {
		at = by;
	} else if (m->kind == MERGE_EXIT) {
		at = merge_leaves(m);
		all = m->arm[m->arms - 1].body;
	} else if (m->kind == MERGE_GUARDED) {
		at = m->arm[m->arms - 1].owner;
	}
	const loc_id *locs;
	size_t n = liveness_locs(s->live, &locs);
	ARRAY(struct carrier) cs = {0};
	struct fx fx = facts_effects(s->f, all);
	bool gives = arm_value(m, &m->arm[0]) != NULL;
	struct locset set = locations_set(s, m);
	for (size_t i = 0; i < n; i++) {
		struct carrier c;
		bool writes = m->kind == MERGE_GUARDED || locset_has(&fx.writes, locs[i]) ||
			      locset_has(&set, locs[i]);
		bool lives = writes && liveness_after(s->live, at, locs[i]);
		if (!(lives && carrier_at(s, m, at, locs[i], &set, &c)) &&
			!(gives && returned_at(s, m, at, locs[i], &c))) {
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
	array_sort(&cs, wider_first);
	array_move(m->carrier, m->carriers, s->a, &cs);
}
