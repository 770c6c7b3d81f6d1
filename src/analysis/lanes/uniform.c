/*
 * Uniformity by an optimistic fixed point: arguments of calls and values at back edges start as
 * uniform and are demoted until nothing changes.
 *
 * Each function body is walked as the lanes run it. A region is code that some lanes may run
 * without the others: an arm, a loop, a switch. It is "apart" if the condition to enter or leave it
 * differs between lanes. Inside a region, a variable has the value on which its lanes agree. After
 * the paths join, lanes differ in all variables that one of the paths has set. An assignment to a
 * whole variable replaces its value; a write to a part, or through a call's reference, adds to it.
 * A variable with a reference bound to it, or one that outlives the call, has one value for the
 * whole function: a write in an inner region that is apart demotes it. Lanes that leave an apart
 * region (break, continue, return) make the region that they leave apart: a loop as a whole, since
 * the next iteration starts without them. The function's own region is apart once lanes may have
 * returned. That matters for all that outlives the call: references, *this, control.
 *
 * The only state of memory is the set of writes since the last barrier. A load is uniform if its
 * address is. So pointers to private storage count as differing, and a local whose address escapes
 * is demoted. For a work-group this also holds for LDS if all lanes reach a barrier between write
 * and read: lanes that read one address, without a write, read the same value. References are
 * followed: a write through one is a write to all its possible targets.
 *
 * The analysis also records reasons to differ: values computed from the lane's (or the wave's)
 * number, conditions on these, and thus why lanes are missing at a place. That is not a proof; it
 * is reported for a barrier that not all lanes reach.
 *
 * A lambda's body is a function like others: captured variables that it writes or passes on are
 * exposed; those that it only reads are not. If parts of the body are unknown (asm, unknown code,
 * calls from elsewhere), all variables that its text mentions are exposed.
 *
 * By design these count as differing: functions with goto or labels, variables in asm, captured
 * variables read in a lambda, objects made by constructors, iterators, and pointers that were
 * loaded or made from integers.
 */
#include "analysis/lanes/uniform_walk.h"

/* Queries usually come function by function, a few times over the unit. So answers are kept only
 * for so many nodes, unless repeated walks show that queries come in another order. */
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
	ids_release(&u->parts);
	ids_release(&u->fields);
	ids_release(&u->partings);
	arena_free(u->flow);
}

/* Walks until nothing changes. A walk without changes may still have used a state from the walk
 * before, so two of them are needed. */
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

/* The key under which the facts keep it. */
enum lanes_of {
	OF_WAVE,
	OF_BLOCK,
	OF_GRID,
	OF_NUMBERED_WAVE /* a wave whose number counts as uniform */
};

static struct uniformity *create(struct facts *f, struct arena *a, enum lanes_of lanes)
{
	struct uniformity *u = ARENA_NEW(a, struct uniformity);
	u->facts = f;
	u->grid = lanes == OF_GRID;
	u->block = u->grid || lanes == OF_BLOCK;
	u->unit = facts_unit(f);
	u->arena = a;
	u->scratch = arena_create();
	u->flow = arena_create();
	uniform_start_parts(u);
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

struct uniformity *uniformity_of_grid(struct facts *f)
{
	return kept(f, OF_GRID);
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

struct uniformity_cause uniformity_parting_matrix(struct facts *f, const struct kt_node *n)
{
	struct uniformity_cause c = {0};
	bool runs = n->kind == KT_CALL || n->kind == KT_CONSTRUCT || n->kind == KT_ASM;
	if (runs && facts_effects(f, n).flags & FX_MATRIX) {
		c = uniformity_parting(uniformity_of_waves(f), n);
	}
	bool apart = c.node && !c.waves && !c.crossed && !kt_is_loop(c.node->parent->kind);
	return apart ? c : (struct uniformity_cause){0};
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
			BUG("%s: uniformity is not a fixed point", u->unit->fn[fn].name);
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

/* The bits of n in the last walk; all bits if the walk did not reach n. */
static unsigned recorded(struct uniformity *u, const struct kt_node *n)
{
	kt_id fn = n ? facts_function_of(u->facts, n) : 0;
	if (!fn || !u->unit->fn[fn].body) {
		return BIT_LANE | BIT_APART;
	}
	return uniform_table_get(record_of(u, fn), n, BIT_LANE | BIT_APART);
}

/* The first innermost node that makes n not uniform. */
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
		*why = n ? reason(u, culprit(u, n)) : "nothing is known about it";
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
