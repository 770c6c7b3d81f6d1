/*
 * Uniformity by optimistic fixpoint: what calls pass and what comes around loops starts uniform and
 * is demoted until nothing changes.
 *
 * Each function body is walked as the lanes would run it. A region is a stretch of code that lanes
 * may run without some of those that came to it: an arm, a loop, a switch. It is "apart" when what
 * decides on entering or leaving it differs per lane. Inside of one, what a variable is set to is
 * what those lanes agree on; where the ways come together again, lanes differ in all that was set
 * on one of them. An assignment to a whole variable makes it what is assigned; a write to a part,
 * or through a reference that a call has, adds to it. Variables that a reference is bound to, and
 * what outlives the function's call, have one value for the whole function: a write from a region
 * further in than theirs that is apart demotes them. Lanes that leave (break, continue, return)
 * from an apart region make the region apart that they jump out of: a loop as a whole, since the
 * next iteration starts without them. The function's own region, apart once lanes may have
 * returned, matters to what outlives the call: references, *this, control.
 *
 * Memory has no state here but what was written since the last barrier. A load is uniform when its
 * address is, so pointers to storage that each lane has for itself count as differing, and the
 * address of a local that escapes demotes the local. For a work-group it goes for LDS, too, if a
 * barrier that all lanes reach lies between write and read: lanes that read one address while
 * nobody writes there read the same. References are followed: a write
 * through one is a write to all it may be bound to.
 *
 * Beside that there is a reason to differ, where one is seen: values that are made of the lane's
 * number (or the wave's), conditions on these, and so why lanes are missing where they are. That
 * proves nothing; it is reported for a barrier that not all reach.
 *
 * A lambda's body is a function like others: what it writes of captured variables, or hands on, it
 * exposes, and what it only reads stays what it was. Where the unit does not have all of the body
 * (asm, code that is not understood, calls by others), all that its text mentions is exposed.
 *
 * Given up as differing, on purpose: functions with goto or labels, what asm mentions, captured
 * variables as a lambda reads them, objects made by constructors, iterators, pointers that were
 * loaded or made of integers.
 */
#include "analysis/lanes/uniform_walk.h"

/* Questions come function by function, a few times over the unit: of more nodes than these no
 * answers are kept, until so many walks of all that was asked for show that they come otherwise. */
enum {
	RECORDED_FIRST = 100000,
	WALKS_MAX = 8,
	FIXPOINTS_MAX = 100
};

static void forget(struct uniformity *u)
{
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		uniform_table_release(&u->record[fn]);
	}
	u->recorded = 0;
}

static void release(void *what)
{
	struct uniformity *u = what;
	arena_free(u->scratch);
	uniform_table_release(&u->state);
	forget(u);
	uniform_heads_release(u);
	ids_release(&u->causes);
	ids_release(&u->members);
	ids_release(&u->partings);
	arena_free(u->flow);
}

/* Walks until nothing changes. A walk that changes nothing may still have seen what the walk before
 * it left in a variable, so it takes two of them. */
static void find_fixpoint(struct uniformity *u)
{
	for (unsigned quiet = 0; quiet < 2;) {
		u->changed = false;
		for (kt_id fn = 1; fn < u->unit->fns; fn++) {
			if (u->unit->fn[fn].body) {
				uniform_walk_function(u, fn, NULL);
			}
		}
		quiet = u->changed ? 0 : quiet + 1;
	}
}

/* What it is kept under. */
enum lanes_of {
	OF_WAVE,
	OF_BLOCK,
	OF_NUMBERED_WAVE /* whose number is known to be one */
};

static struct uniformity *create(struct facts *f, struct arena *a, enum lanes_of lanes)
{
	struct uniformity *u = ARENA_NEW(a, struct uniformity);
	u->facts = f;
	u->block = lanes == OF_BLOCK;
	u->unit = facts_unit(f);
	u->arena = a;
	u->scratch = arena_create();
	u->flow = arena_create();
	u->slot = ARENA_ARRAY(a, struct slot, u->unit->syms + u->unit->fns);
	u->fn = ARENA_ARRAY(a, struct fn_state, u->unit->fns);
	u->record = ARENA_ARRAY(a, struct node_table, u->unit->fns);
	u->recorded_max = RECORDED_FIRST;
	u->virtuals = uniformity_has_word(u, "virtual");
	uniform_each_node(u, uniform_see_node);
	uniform_each_node(u, uniform_see_open);
	uniform_each_node(u, uniform_see_captured);
	for (kt_id fn = 1; fn < u->unit->fns; fn++) {
		uniform_start_function(u, fn);
	}
	uniform_start_symbols(u);
	if (lanes == OF_NUMBERED_WAVE) {
		uniform_waves_start(u);
	}
	find_fixpoint(u);
	facts_keep(f, FACTS_KEEP_UNIFORMITY, lanes, u, release);
	return u;
}

struct uniformity *uniformity_create(struct facts *f, struct arena *a)
{
	return create(f, a, OF_WAVE);
}

static struct uniformity *kept(struct facts *f, enum lanes_of lanes)
{
	struct uniformity *u = facts_kept(f, FACTS_KEEP_UNIFORMITY, lanes);
	return u ? u : create(f, facts_arena(f), lanes);
}

struct uniformity *uniformity_of_block(struct facts *f)
{
	return kept(f, OF_BLOCK);
}

struct uniformity *uniformity_of_waves(struct facts *f)
{
	return kept(f, OF_NUMBERED_WAVE);
}

bool uniformity_assumes_flat(const struct uniformity *u, kt_id fn)
{
	return u->flat && u->flat[fn] == FLAT_ASSUMED;
}

/* ---- queries ---- */

static unsigned recorded(struct uniformity *u, const struct kt_node *n);

struct uniformity_cause uniformity_parting(struct uniformity *u, const struct kt_node *n)
{
	recorded(u, n);
	const struct uniformity_cause *c =
		(const struct uniformity_cause *)ids_get(&u->partings, (uintptr_t)n, 0);
	return c ? *c : (struct uniformity_cause){0};
}

bool uniformity_is_one_wave(struct uniformity *u, kt_id fn)
{
	unsigned threads = uniform_threads(u, fn, true);
	return threads > 0 && threads <= u->unit->wave_size;
}

bool uniformity_is_opaque(const struct uniformity *u, kt_id fn)
{
	return u->fn[fn].opaque;
}

bool uniformity_has_virtuals(const struct uniformity *u)
{
	return u->virtuals;
}

static const struct node_table *record_of(struct uniformity *u, kt_id fn)
{
	struct node_table *t = &u->record[fn];
	if (t->n > 0) {
		return t;
	}
	if (u->recorded > u->recorded_max) {
		forget(u);
		if (u->walked > u->asked * WALKS_MAX) {
			u->recorded_max *= 2;
			u->walked = 0;
		}
	}
	u->changed = false;
	uniform_walk_function(u, fn, t);
	for (unsigned tries = 0; u->changed; tries++) {
		if (tries == FIXPOINTS_MAX) {
			BUG("%s: uniformity is no fixpoint", u->unit->fn[fn].name);
		}
		forget(u);
		find_fixpoint(u);
		u->changed = false;
		uniform_walk_function(u, fn, t);
	}
	u->recorded += t->n;
	u->walked += t->n;
	u->asked += u->fn[fn].asked ? 0 : t->n;
	u->fn[fn].asked = true;
	return t;
}

/* What the last walk knew of n: all bits where it did not come by. */
static unsigned recorded(struct uniformity *u, const struct kt_node *n)
{
	kt_id fn = n ? facts_function_of(u->facts, n) : 0;
	if (!fn || !u->unit->fn[fn].body) {
		return BIT_LANE | BIT_APART;
	}
	return uniform_table_get(record_of(u, fn), n, BIT_LANE | BIT_APART);
}

/* The first innermost node that spoils n. */
static const struct kt_node *culprit(struct uniformity *u, const struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		if (c && c->kind != KT_THIS && recorded(u, c) & BIT_LANE) {
			return culprit(u, c);
		}
	}
	return n;
}

static const char *reason(struct uniformity *u, const struct kt_node *n)
{
	struct str s = kt_source(u->unit, n);
	const char *name = n->sym ? uniform_sym_of(u, n->sym)->name : n->text;
	const char *text = s.n && !(n->flags & KT_F_MACRO) ? arena_strndup(u->arena, s.p, s.n)
			   : name && *name		   ? name
							   : kt_kind_name(n->kind);
	const char *why = n->kind == KT_REF && n->sym && kt_is_variable(u->unit, n->sym)
				  ? u->slot[n->sym].why
				  : NULL;
	return arena_printf(u->arena,
		why ? "'%s' may differ between lanes: %s" : "'%s' may differ between lanes", text,
		why);
}

bool uniformity_expr(struct uniformity *u, const struct kt_node *n, const char **why)
{
	bool uniform = !(recorded(u, n) & BIT_LANE);
	if (!uniform && why) {
		*why = n ? reason(u, culprit(u, n)) : "nothing is known of it";
	}
	return uniform;
}

bool uniformity_is_of_lane(struct uniformity *u, const struct kt_node *n)
{
	return recorded(u, n) & (BIT_MADE | BIT_MADE_PASSED);
}

bool uniformity_control(struct uniformity *u, const struct kt_node *n)
{
	return !(recorded(u, n) & BIT_APART);
}
