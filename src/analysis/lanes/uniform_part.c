/*
 * Regions that only some lanes enter or leave, and the reason if it is a condition on the lane's or
 * the wave's number. uniform.c has the rules.
 */
#include "analysis/lanes/uniform_walk.h"

/* ---- causes ---- */

struct uniformity_cause uniform_cause_of(unsigned bits, const struct kt_node *cond)
{
	bool known = cond && bits & BIT_LANE && bits & BIT_REASON;
	return (struct uniformity_cause){.node = known ? cond : NULL,
		.waves = known && !(bits & (BIT_MADE | BIT_MADE_PASSED)),
		.passed = known && !(bits & (BIT_MADE | BIT_WAVE)),
		.crossed = known && bits & BIT_CROSSED};
}

/* Missing lanes of a wave rank above missing waves, and certain causes above possible ones. */
static unsigned rank_of(struct uniformity_cause c)
{
	return !c.node ? 0 : c.waves ? 1 : c.crossed ? 2 : 3;
}

/* Adds a cause; true if it changes. What is known of one condition only grows. */
static bool add_cause(struct uniformity_cause *to, struct uniformity_cause by)
{
	bool same = by.node && to->node == by.node;
	bool grows = same && ((by.crossed && !to->crossed) || (!by.waves && to->waves));
	bool news = grows || (!same && rank_of(by) > rank_of(*to));
	if (grows) {
		by.crossed |= to->crossed;
		by.waves &= to->waves;
	}
	*to = news ? by : *to;
	return news;
}

static struct uniformity_cause kept_cause(const struct uniformity *u, const struct kt_node *n)
{
	const struct uniformity_cause *c =
		(const struct uniformity_cause *)ids_get(&u->causes, (uintptr_t)n, 0);
	return c ? *c : (struct uniformity_cause){0};
}

static void keep_cause(struct uniformity *u, const struct kt_node *n, struct uniformity_cause by)
{
	struct uniformity_cause c = kept_cause(u, n);
	if (add_cause(&c, by)) {
		ids_set(&u->causes, (uintptr_t)n, (uintptr_t)arena_memdup(u->arena, &c, sizeof(c)));
		u->changed = true;
	}
}

/* The cause in the regions inside the one at that level. */
static struct uniformity_cause cause_inside(const struct walk *w, unsigned level)
{
	struct uniformity_cause c = {0};
	for (const struct region *r = w->here; r && r->level > level; r = r->up) {
		if (r->apart) {
			add_cause(&c, r->cause);
		}
	}
	return c;
}

/* The reason, if known, why lanes are missing at the current place. */
static struct uniformity_cause current_cause(const struct walk *w)
{
	struct uniformity_cause c = cause_inside(w, 0);
	add_cause(&c, w->u->fn[w->fn].cause);
	return c;
}

void uniform_record_parting(struct walk *w, const struct kt_node *n)
{
	struct uniformity_cause c = current_cause(w);
	if (w->record && (w->u->block || w->u->flat) && c.node) {
		ids_set(&w->u->partings, (uintptr_t)n,
			(uintptr_t)arena_memdup(w->u->arena, &c, sizeof(c)));
	}
}

static unsigned cause_bits(struct uniformity_cause c)
{
	unsigned bits = (c.waves ? BIT_WAVE : BIT_MADE) | (c.crossed ? BIT_CROSSED : 0);
	return !c.node ? 0 : c.passed ? uniform_passed(bits) : bits;
}

unsigned uniform_apart_bits(const struct walk *w, unsigned level)
{
	struct uniformity_cause c = cause_inside(w, level);
	return cause_bits(c);
}

unsigned uniform_missing_bits(const struct walk *w)
{
	return cause_bits(current_cause(w));
}

void uniform_call_apart(struct walk *w, kt_id fn)
{
	uniform_set_flag(w->u, &w->u->fn[fn].apart);
	w->u->changed |= add_cause(&w->u->fn[fn].cause, current_cause(w));
}

/* ---- regions ---- */

void uniform_region_enter(struct walk *w, struct region *r, unsigned bits,
	const struct kt_node *cond, const struct kt_node *node)
{
	*r = (struct region){.up = w->here,
		.level = w->here->level + 1,
		.apart = bits & BIT_LANE,
		.cause = uniform_cause_of(bits, cond),
		.cond = cond,
		.node = node};
	if (node && uniform_table_get(&w->u->state, node, 0) & NODE_APART) {
		r->apart = true;
		add_cause(&r->cause, kept_cause(w->u, node));
	}
	w->here = r;
}

void uniform_region_leave(struct walk *w)
{
	w->here = w->here->up;
}

/* Only some lanes leave or repeat the loop or switch. */
void uniform_region_part(struct walk *w, struct region *r, struct uniformity_cause cause)
{
	r->apart = true;
	add_cause(&r->cause, cause);
	if (r->node && kt_is_loop(r->node->kind)) {
		uniform_state_add(w->u, r->node, NODE_APART);
		keep_cause(w->u, r->node, cause);
	}
}

unsigned uniform_region_bits(const struct region *r)
{
	return r->apart ? BIT_LANE | cause_bits(r->cause) : 0;
}

/* Level of the innermost region in which lanes may be missing, or 0. */
unsigned uniform_apart_level(const struct walk *w)
{
	for (const struct region *r = w->here; r; r = r->up) {
		if (r->apart) {
			return r->level;
		}
	}
	return 0;
}

bool uniform_lanes_apart(const struct walk *w)
{
	return w->opaque || w->u->fn[w->fn].apart || uniform_apart_level(w) > 0;
}

/* ---- lanes that leave ---- */

/* Do lanes that did not enter r continue without the lanes here? */
static bool parted_around(const struct region *r)
{
	for (; r && r->level > 1; r = r->up) {
		if (r->apart) {
			return true;
		}
	}
	return false;
}

/* Lanes leave the function or kernel, and later code runs without them. After an arm in which every
 * path returns, only lanes that did not take it continue. */
static void lanes_leave(struct walk *w, struct uniformity_cause cause)
{
	if (!w->opaque && uniform_apart_level(w) < 2) {
		return;
	}
	for (struct region *r = w->here; r; r = r->up) {
		bool loop = r->node && kt_is_loop(r->node->kind);
		if (loop || !r->up || r == w->leaving) {
			uniform_region_part(w, r, cause);
		}
		if (r == w->leaving && (!w->opaque || cause.node) && !parted_around(r->up)) {
			return;
		}
	}
}

void uniform_lanes_return(struct walk *w)
{
	struct uniformity_cause cause = cause_inside(w, 1);
	cause.ended = cause.node && w->u->unit->fn[w->fn].kind == KT_FN_KERNEL;
	lanes_leave(w, cause);
	w->dead = true;
}

/* break or continue. */
void uniform_lanes_jump(struct walk *w, enum kt_kind kind)
{
	struct region *r = w->here;
	while (r && !(r->node && (kind == KT_BREAK || kt_is_loop(r->node->kind)))) {
		r = r->up;
	}
	if (!r) {
		return;
	}
	if (w->opaque || uniform_apart_level(w) > r->level) {
		uniform_region_part(w, r, cause_inside(w, r->level));
	}
	struct fork *to = kind == KT_BREAK ? r->breaks : r->continues;
	if (to) {
		uniform_way(w, to, true);
	}
	w->dead = true;
}

static const struct kt_node *label_of(const struct walk *w, const struct kt_node *jump)
{
	const struct kt_node *body = w->u->unit->fn[w->fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_LABEL && n->text && jump->text &&
			str_is(str_of(n->text), jump->text)) {
			return n;
		}
	}
	return NULL;
}

/* After a jump nothing is proved; this only notes the lanes that are missing between here and the
 * label. */
void uniform_lanes_goto(struct walk *w, const struct kt_node *jump)
{
	const struct kt_node *label = label_of(w, jump);
	struct uniformity_cause cause = cause_inside(w, 1);
	w->dead = true;
	if (!label || !cause.node) {
		return;
	}
	const struct kt_node *both = label->parent;
	while (both && !kt_is_below(jump, both)) {
		both = both->parent;
	}
	keep_cause(w->u, label, cause);
	for (struct region *r = w->here; r->up && both; r = r->up) {
		const struct kt_node *at = r->node ? r->node : r->cond;
		if (at && !kt_is_below(at, both)) {
			return;
		}
		uniform_region_part(w, r, cause);
	}
}

/* The index of the block's child with n, or the number of children. */
static size_t child_around(const struct kt_node *block, const struct kt_node *n)
{
	n = kt_child_around(n, block);
	return n ? n->slot : block->n;
}

struct uniformity_cause uniform_jumped_over(
	const struct walk *w, const struct kt_node *block, size_t child)
{
	struct uniformity_cause c = {0};
	for (const struct kt_node *n = block; n; n = kt_next(n, block)) {
		const struct kt_node *label = n->kind == KT_GOTO ? label_of(w, n) : NULL;
		size_t to = label ? child_around(block, label) : block->n;
		size_t from = to < block->n ? child_around(block, n) : to;
		bool over = from < to ? from < child && child < to : to <= child && child <= from;
		if (from != to && over) {
			add_cause(&c, kept_cause(w->u, label));
		}
	}
	return c;
}

void uniform_add_result(struct walk *w, unsigned bits)
{
	struct fn_state *f = &w->u->fn[w->fn];
	if (bits & ~f->ret & BIT_VALUE) {
		f->ret |= bits & BIT_VALUE;
		w->u->changed = true;
	}
}

/* A trap is not reported as a cause: it is not expected to run. */
void uniform_lanes_trap(struct walk *w)
{
	if (uniform_lanes_apart(w)) {
		uniform_set_flag(w->u, &w->u->fn[w->fn].leaves);
	}
	lanes_leave(w, (struct uniformity_cause){0});
}

/* Unknown code may jump anywhere. */
void uniform_lanes_anywhere(struct walk *w)
{
	for (struct region *r = w->here; r; r = r->up) {
		if (r->node || !r->up) {
			uniform_region_part(w, r, (struct uniformity_cause){0});
		}
	}
	uniform_set_flag(w->u, &w->u->fn[w->fn].leaves);
	uniform_set_flag(w->u, &w->u->fn[w->fn].hides);
	uniform_add_result(w, BIT_BOTH);
}
