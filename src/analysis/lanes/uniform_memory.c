/*
 * Loads, and the memory written since the last barrier: a load from a uniform address is uniform
 * only if no lane writes there meanwhile. uniform.c has the rules.
 */
#include "analysis/lanes/uniform_walk.h"

/* ---- writes ---- */

struct dirt uniform_dirt(struct dirt *d)
{
	d->set.cap = 0; /* a change makes a copy first */
	return *d;
}

bool uniform_dirt_add(struct dirt *to, struct arena *a, const struct dirt *by)
{
	bool more = by->all && !to->all;
	to->all |= by->all;
	return locset_union(&to->set, a, &by->set) || more;
}

void uniform_soil(struct walk *w, const struct kt_node *n)
{
	if (!w->u->block || w->dirt.all) {
		return;
	}
	struct fx fx = facts_effects(w->u->facts, n);
	w->dirt.all = fx.flags & (FX_UNKNOWN | FX_ASM | FX_ASYNC);
	locset_union(&w->dirt.set, w->u->flow, &fx.writes);
}

void uniform_clean(struct walk *w)
{
	w->dirt = (struct dirt){0};
}

static bool is_soiled(const struct walk *w, const struct locset *at)
{
	return w->dirt.all || facts_sets_alias(w->u->facts, at, &w->dirt.set);
}

/* ---- loads ---- */

/* Does the function itself write the memory that it loads here (lvalue n, or the target of pointer
 * n)? Lanes that communicate through memory without a barrier are a race, but the compiler may
 * forward a lane's own store: then not all lanes execute a load. */
bool uniform_load_races(struct walk *w, const struct kt_node *n, bool pointer)
{
	struct uniformity *u = w->u;
	unsigned known = uniform_table_get(&u->state, n, 0);
	if (!(known & NODE_RACE_KNOWN)) {
		struct locset from = {0};
		(pointer ? facts_pointees : facts_lvalue)(&from, u->facts, u->scratch, n);
		const struct fx *fx = facts_summary(u->facts, w->fn);
		known |= NODE_RACE_KNOWN;
		known |= locset_meets(&from, &fx->writes) ? NODE_RACE : 0;
		arena_clear(u->scratch);
		uniform_table_set(&u->state, n, known);
	}
	return known & NODE_RACE;
}

static bool is_shared(const struct uniformity *u, loc_id loc)
{
	return LOC_IS_VAR(loc) && uniform_sym_of(u, LOC_SYM(loc))->space == KT_SHARED;
}

/* Does a work-group read one address of LDS, in every call, with no write since the last
 * barrier? (Global memory other work-groups may write.) */
static bool is_broadcast(struct walk *w, const struct kt_node *n)
{
	struct uniformity *u = w->u;
	struct locset at = {0};
	if (!u->block || u->grid || w->dirt.all) {
		return false;
	}
	facts_lvalue(&at, u->facts, u->scratch, n);
	bool known = at.n > 0 && !is_soiled(w, &at);
	for (uint32_t i = 0; i < at.n && known; i++) {
		const loc_id *object;
		size_t objects;
		facts_objects(&object, &objects, u->facts, at.v[i]);
		known = is_shared(u, at.v[i]) || objects > 0;
		for (size_t k = 0; k < objects && known; k++) {
			known = is_shared(u, object[k]);
		}
	}
	arena_clear(u->scratch);
	return known;
}

unsigned uniform_load(struct walk *w, const struct kt_node *n, unsigned addr)
{
	unsigned bits = kt_may_hold_pointer(kt_object_type(w->u->unit, n->type)) ? BIT_LOCAL : 0;
	bool same = !(addr & BIT_LANE) &&
		    (addr & BIT_LOCAL ? is_broadcast(w, n) : !uniform_load_races(w, n, false));
	if (same) {
		return bits;
	}
	/* by the wave's number, as in flags[threadIdx.x / lanes], the lanes of a wave do not
	 * differ */
	unsigned why = w->u->block ? BIT_OWN : BIT_OWN & ~(unsigned)(BIT_WAVE | BIT_WAVE_PASSED);
	return bits | BIT_LANE | (addr & why);
}

/* The bits of reads through a reference to it: for LDS, the time of the read is unknown. */
unsigned uniform_bound(struct val v)
{
	return v.addr == BIT_LOCAL ? v.bits | BIT_LANE : v.bits;
}
