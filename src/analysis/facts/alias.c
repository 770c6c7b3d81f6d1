#include "analysis/facts/points.h"

static bool is_restrict(const struct facts *f, kt_id sym)
{
	return points_type(f, f->u->sym[sym].type)->is_restrict;
}

static bool is_dynamic_shared(const struct facts *f, kt_id sym)
{
	const struct kt_type *t = points_type(f, f->u->sym[sym].type);
	return f->u->sym[sym].space == KT_SHARED && t->kind == KT_T_ARRAY && t->count <= 0;
}

static bool is_global_memory(const struct facts *f, loc_id loc)
{
	if (loc == LOC_GLOBAL || loc == LOC_UNKNOWN) {
		return true;
	}
	/* the pointee of a kernel's parameter is global memory */
	return LOC_IS_DEREF(loc) || (LOC_IS_VAR(loc) && f->u->sym[LOC_SYM(loc)].space == KT_GLOBAL);
}

/* Is it private, and not exposed to unknown code? */
static bool is_hidden(const struct facts *f, loc_id loc)
{
	return LOC_IS_VAR(loc) && f->u->sym[LOC_SYM(loc)].space == KT_PRIVATE &&
	       !f->exposed[LOC_SYM(loc)];
}

static bool is_somewhere(loc_id loc)
{
	return loc == LOC_UNKNOWN || loc == LOC_THIS || loc == LOC_BEYOND_THIS;
}

static bool roots_alias(struct facts *f, loc_id x, loc_id y)
{
	if (x == y) {
		return true;
	}
	if (is_somewhere(x) || is_somewhere(y)) {
		return !is_hidden(f, is_somewhere(x) ? y : x);
	}
	if (LOC_IS_DEREF(x) && LOC_IS_DEREF(y)) {
		return !is_restrict(f, LOC_SYM(x)) && !is_restrict(f, LOC_SYM(y));
	}
	if (LOC_IS_VAR(x) && LOC_IS_VAR(y)) {
		return is_dynamic_shared(f, LOC_SYM(x)) && is_dynamic_shared(f, LOC_SYM(y));
	}
	return is_global_memory(f, x) && is_global_memory(f, y);
}

/* Parameters exist before the function's locals, so they cannot refer to these. */
static bool is_younger(const struct facts *f, loc_id loc, loc_id than)
{
	return LOC_IS_DEREF(than) && LOC_IS_VAR(loc) &&
	       f->u->sym[LOC_SYM(loc)].kind != KT_S_GLOBAL &&
	       f->u->sym[LOC_SYM(loc)].fn == f->u->sym[LOC_SYM(than)].fn;
}

static bool may_alias(struct facts *f, loc_id x, loc_id y)
{
	if (x == y) {
		return true;
	}
	bool named_x = !LOC_IS_DEREF(x) && !LOC_IS_BEYOND(x);
	bool named_y = !LOC_IS_DEREF(y) && !LOC_IS_BEYOND(y);
	if (named_x && named_y) {
		return roots_alias(f, x, y);
	}
	if (is_younger(f, x, y) || is_younger(f, y, x)) {
		return false;
	}
	if (LOC_IS_DEREF(x) && LOC_IS_DEREF(y) &&
		(is_restrict(f, LOC_SYM(x)) || is_restrict(f, LOC_SYM(y)))) {
		return false;
	}
	struct locset rx = {0}, ry = {0};
	points_resolve(&rx, f, f->compared, x);
	points_resolve(&ry, f, f->compared, y);
	if (rx.n == 0 || ry.n == 0) {
		return true; /* without callers it is unknown */
	}
	for (uint32_t i = 0; i < rx.n; i++) {
		for (uint32_t j = 0; j < ry.n; j++) {
			if (roots_alias(f, rx.v[i], ry.v[j])) {
				return true;
			}
		}
	}
	return false;
}

bool facts_may_alias(struct facts *f, loc_id x, loc_id y)
{
	bool may = may_alias(f, x, y);
	arena_clear(f->compared);
	return may;
}

bool facts_is_private(struct facts *f, loc_id loc)
{
	if (!LOC_IS_SYM(loc)) {
		return false;
	}
	if (LOC_IS_VAR(loc)) {
		return f->u->sym[LOC_SYM(loc)].space == KT_PRIVATE &&
		       f->u->sym[LOC_SYM(loc)].kind != KT_S_FIELD;
	}
	kt_id p = LOC_SYM(loc);
	const struct locset *r = LOC_IS_DEREF(loc) ? &f->roots[p] : &f->beyond[p];
	bool reference = LOC_IS_DEREF(loc) && points_is_kind(f, f->u->sym[p].type, KT_T_REFERENCE);
	for (uint32_t i = 0; i < r->n; i++) {
		bool unseen = f->u->open || (f->u->hides && r->n > 1);
		if (r->v[i] == LOC_UNKNOWN && unseen && reference && !f->lost.n) {
			/* callers in other units are assumed to pass the same as the ones here */
			continue;
		}
		if (!LOC_IS_VAR(r->v[i]) || f->u->sym[LOC_SYM(r->v[i])].space != KT_PRIVATE) {
			return false;
		}
	}
	if (r->n == 0) {
		/* without callers a reference is assumed to name a private object */
		return reference;
	}
	return true;
}

void facts_objects(const loc_id **out, size_t *n, struct facts *f, loc_id loc)
{
	const struct locset *r = LOC_IS_DEREF(loc)    ? &f->roots[LOC_SYM(loc)]
				 : LOC_IS_BEYOND(loc) ? &f->beyond[LOC_SYM(loc)]
						      : NULL;
	*out = r ? r->v : NULL;
	*n = r ? r->n : 0;
}

const char *facts_loc_name(struct facts *f, struct arena *a, loc_id loc)
{
	switch (loc) {
	case LOC_NONE:
	case LOC_UNKNOWN:
	case LOC_BEYOND_THIS:
		return "unknown memory";
	case LOC_GLOBAL:
		return "global memory";
	case LOC_THIS:
		return "*this";
	default:
		break;
	}
	const struct kt_sym *s = &f->u->sym[LOC_SYM(loc)];
	bool reference = points_is_kind(f, s->type, KT_T_REFERENCE);
	bool named = LOC_IS_VAR(loc) || (LOC_IS_DEREF(loc) && reference);
	return named ? s->name : arena_printf(a, "*%s", s->name);
}

/* The type of the widest variable reached through loc, for a pointer parameter or for memory beyond
 * a parameter. */
static kt_id widest_object(struct facts *f, loc_id loc)
{
	const loc_id *object;
	size_t n;
	kt_id widest = 0;
	facts_objects(&object, &n, f, loc);
	for (size_t i = 0; i < n; i++) {
		kt_id t = LOC_IS_VAR(object[i]) ? f->u->sym[LOC_SYM(object[i])].type : 0;
		if (t && (!widest || points_type(f, t)->size > points_type(f, widest)->size)) {
			widest = t;
		}
	}
	return widest;
}

kt_id facts_loc_type(struct facts *f, loc_id loc)
{
	if (!LOC_IS_SYM(loc)) {
		return 0;
	}
	kt_id t = f->u->sym[LOC_SYM(loc)].type;
	if (LOC_IS_VAR(loc)) {
		return t;
	}
	if (LOC_IS_DEREF(loc) && points_is_kind(f, t, KT_T_REFERENCE)) {
		return points_type(f, t)->elem;
	}
	kt_id widest = widest_object(f, loc);
	return widest || LOC_IS_BEYOND(loc) ? widest : points_type(f, t)->elem;
}
