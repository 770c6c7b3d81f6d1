/* May two statements be swapped? */
#include "analysis/facts/points.h"

static bool find_alias(struct facts *f, const struct locset *x, const struct locset *y, loc_id *at)
{
	for (uint32_t i = 0; i < x->n; i++) {
		for (uint32_t j = 0; j < y->n; j++) {
			if (facts_may_alias(f, x->v[i], y->v[j])) {
				*at = y->v[j];
				return true;
			}
		}
	}
	return false;
}

bool facts_sets_alias(struct facts *f, const struct locset *x, const struct locset *y)
{
	loc_id at;
	return find_alias(f, x, y, &at);
}

static bool touches_shared_memory(struct facts *f, const struct fx *fx)
{
	const struct locset *sets[2] = {&fx->reads, &fx->writes};
	for (int k = 0; k < 2; k++) {
		for (uint32_t i = 0; i < sets[k]->n; i++) {
			if (!facts_is_private(f, sets[k]->v[i])) {
				return true;
			}
		}
	}
	return false;
}

static bool memory_order(struct facts *f, const struct fx *x, const struct fx *y)
{
	unsigned orders = FX_BARRIER | FX_FENCE | FX_ATOMIC | FX_ASYNC | FX_VOLATILE | FX_ASM;
	return (x->flags & orders && touches_shared_memory(f, y)) ||
	       (y->flags & orders && touches_shared_memory(f, x));
}

bool facts_conflict(
	struct facts *f, struct arena *a, const struct fx *x, const struct fx *y, const char **why)
{
	const char *dummy;
	const char **out = why ? why : &dummy;
	loc_id at;
	if ((x->flags | y->flags) & FX_UNKNOWN) {
		*out = "code that unphi cannot see through is between";
		return true;
	}
	if (find_alias(f, &x->writes, &y->reads, &at)) {
		*out = arena_printf(
			a, "'%s' is written before it is read", facts_loc_name(f, a, at));
		return true;
	}
	if (find_alias(f, &x->reads, &y->writes, &at)) {
		*out = arena_printf(
			a, "'%s' is read before it is written", facts_loc_name(f, a, at));
		return true;
	}
	if (find_alias(f, &x->writes, &y->writes, &at)) {
		*out = arena_printf(a, "'%s' is written by both", facts_loc_name(f, a, at));
		return true;
	}
	if (x->flags & FX_ORDERED && y->flags & FX_ORDERED) {
		*out = "both are barriers, fences, atomics or volatile: their order matters";
		return true;
	}
	if ((x->flags & FX_UNREACHABLE && y->flags & FX_ORDERED) ||
		(y->flags & FX_UNREACHABLE && x->flags & FX_ORDERED)) {
		*out = "an ordered operation may wait before code that is never reached";
		return true;
	}
	if (memory_order(f, x, y)) {
		*out = "a barrier, fence, atomic or volatile access orders the memory access";
		return true;
	}
	return false;
}
