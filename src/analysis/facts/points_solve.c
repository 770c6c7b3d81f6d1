/* The contents of a unit's variables, as a fixed point over all of its statements. */
#include "analysis/facts/points.h"

#include <string.h>

static bool is_assignment(const struct kt_node *n)
{
	return (n->kind == KT_ASSIGN && n->n == 2 && n->op == KT_OP_NONE) ||
	       (n->kind == KT_CALL && n->n == 2 && n->flags & KT_F_OPERATOR && n->text &&
		       strcmp(n->text, "operator=") == 0);
}

/* Is it a call without a body, which may copy its arguments anywhere? A function that the compiler
 * generates only copies its object. */
static bool is_opaque(const struct facts *f, const struct kt_node *n)
{
	const struct kt_fn *fn = &f->u->fn[n->fn];
	return n->kind == KT_EXPR_UNKNOWN || n->kind == KT_STMT_UNKNOWN ||
	       ((n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && !fn->body && !fn->is_trivial);
}

/* Is it a call without a body that is known to keep no address? */
static bool is_known_call(const struct facts *f, const struct kt_node *n)
{
	bool copies;
	return n->kind == KT_CALL && (facts_intrinsic(f, n) || facts_sets_bytes(f, n, &copies));
}

static void index_node(struct facts *f, kt_id fn, const struct kt_node *n)
{
	if ((n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn) {
		array_push(&f->fn[n->fn].callers, n);
		f->fn[n->fn].constructs |= n->kind == KT_CONSTRUCT;
	}
	if (n->kind == KT_REF && n->fn) {
		f->fn[n->fn].address_taken = true;
	}
	if (n->kind == KT_RETURN && n->n && points_holds_pointers(f, f->u->fn[fn].ret)) {
		array_push(&f->fn[fn].returns, n);
	}
	bool stores = is_opaque(f, n) || n->kind == KT_RANGE_FOR ||
		      (is_assignment(n) &&
			      (points_may_be_address(f, n->child[1]) || n->flags & KT_F_BINDS)) ||
		      (n->kind == KT_VAR && n->sym && n->n &&
			      points_holds_pointers(f, f->u->sym[n->sym].type));
	if (stores) {
		array_push(&f->stores, n);
	}
}

static void index_unit(struct facts *f)
{
	for (kt_id id = 1; id < f->u->fns; id++) {
		const struct kt_node *body = f->u->fn[id].body;
		if (!body) {
			continue;
		}
		ids_set(&f->fn_of_body, (uintptr_t)body, id);
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			index_node(f, id, n);
		}
	}
}

static void seed_pointees(struct facts *f)
{
	for (kt_id id = 1; id < f->u->syms; id++) {
		const struct kt_sym *s = &f->u->sym[id];
		if (!points_holds_pointers(f, s->type) || s->kind == KT_S_FIELD) {
			continue;
		}
		if (s->kind == KT_S_PARAM) {
			locset_add(&f->pts[id], f->arena, LOC_DEREF(id));
		}
		if (s->kind == KT_S_GLOBAL || points_type(f, s->type)->punned) {
			locset_add(&f->pts[id], f->arena, LOC_UNKNOWN);
		}
	}
}

void points_resolve(struct locset *out, struct facts *f, struct arena *a, loc_id loc)
{
	if (LOC_IS_DEREF(loc)) {
		locset_union(out, a, &f->roots[LOC_SYM(loc)]);
	} else if (LOC_IS_BEYOND(loc)) {
		locset_union(out, a, &f->beyond[LOC_SYM(loc)]);
	} else {
		locset_add(out, a, loc);
	}
}

static void resolve_all(
	struct locset *out, struct facts *f, struct arena *a, const struct locset *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		points_resolve(out, f, a, s->v[i]);
	}
}

/* The variables that a store to loc may change. Through the this of a lambda it may be any object
 * with methods. */
static void stored_to(struct locset *out, struct facts *f, struct arena *a, loc_id loc)
{
	if (loc != LOC_THIS && loc != LOC_BEYOND_THIS) {
		points_resolve(out, f, a, loc);
		return;
	}
	for (kt_id id = 1; id < f->u->fns; id++) {
		kt_id self = f->u->fn[id].self;
		if (self) {
			locset_union(out, a, loc == LOC_THIS ? &f->roots[self] : &f->beyond[self]);
		}
	}
}

/* Is loc the object that the function around n constructs? Its contents are known from the
 * calls. */
static bool is_made_here(const struct facts *f, const struct kt_node *n, loc_id loc)
{
	kt_id fn = facts_function_of(f, n);
	return f->fn[fn].constructs && f->u->fn[fn].self && loc == LOC_DEREF(f->u->fn[fn].self);
}

static bool store_to(struct facts *f, struct arena *a, const struct kt_node *n, loc_id loc,
	const struct locset *value)
{
	if (LOC_IS_VAR(loc)) {
		return points_grow(f, points_cell_of(f, LOC_SYM(loc)), value);
	}
	if (is_made_here(f, n, loc)) {
		return points_grow(f, &f->fn[facts_function_of(f, n)].ret, value);
	}
	struct locset real = {0}, to = {0};
	bool grew = false;
	resolve_all(&real, f, a, value);
	stored_to(&to, f, a, loc);
	for (uint32_t i = 0; i < to.n; i++) {
		if (LOC_IS_VAR(to.v[i])) {
			grew |= points_grow(f, points_cell_of(f, LOC_SYM(to.v[i])), &real);
		}
	}
	if (LOC_IS_SYM(loc)) {
		points_close_over(&real, f, a);
		grew |= points_grow(f, &f->beyond[LOC_SYM(loc)], &real);
	}
	return grew;
}

/* Is the value of n a temporary whose lifetime a reference extends? */
static bool is_temporary(const struct facts *f, const struct kt_node *n)
{
	n = kt_past_casts(n);
	return n->kind == KT_CONSTRUCT || n->kind == KT_INIT_LIST || n->kind == KT_LITERAL ||
	       (n->kind == KT_BINARY && n->op != KT_OP_COMMA) ||
	       (n->kind == KT_CALL && n->fn && !points_returns_reference(f, n));
}

static bool grow_variable(struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_node *value = n->child[0];
	struct locset s = {0};
	if (!points_is_kind(f, f->u->sym[n->sym].type, KT_T_REFERENCE)) {
		facts_pointees(&s, f, a, value);
		return points_grow(f, &f->pts[n->sym], &s);
	}
	facts_lvalue(&s, f, a, value);
	if (is_temporary(f, value)) {
		locset_add(&s, a, LOC_VAR(n->sym));
	}
	bool grew = points_grow(f, &f->pts[n->sym], &s);
	struct locset held = {0};
	facts_pointees(&held, f, a, value);
	return points_grow(f, &f->beyond[n->sym], &held) || grew;
}

static bool grow_range(struct facts *f, struct arena *a, const struct kt_node *n)
{
	kt_id sym = n->child[KT_RANGE_VAR]->sym;
	struct locset s = {0}, held = {0};
	if (!sym) {
		return false;
	}
	facts_elements(&s, f, a, n->child[KT_RANGE_RANGE]);
	points_contents(&held, f, a, &s);
	facts_pointees(&held, f, a, n->child[KT_RANGE_RANGE]); /* the elements of {&x, &y} */
	if (!points_is_kind(f, f->u->sym[sym].type, KT_T_REFERENCE)) {
		return points_holds_pointers(f, f->u->sym[sym].type) &&
		       points_grow(f, &f->pts[sym], &held);
	}
	bool grew = points_grow(f, &f->pts[sym], &s);
	return points_grow(f, &f->beyond[sym], &held) || grew;
}

/* Objects passed to unknown code, and the locations that it may make them point to. */
static void handed_objects(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	bool known = is_known_call(f, n);
	for (size_t i = 0; i < n->n; i++) {
		if (!n->child[i] || kt_is_stmt(n->child[i]->kind)) {
			continue;
		}
		facts_pointees(out, f, a, n->child[i]);
		if (!known) {
			facts_lvalue(out, f, a, n->child[i]);
		}
	}
}

static bool grow_opaque(struct facts *f, struct arena *a, const struct kt_node *n)
{
	struct locset objects = {0}, value = {0};
	bool grew = false;
	handed_objects(&objects, f, a, n);
	points_contents(&value, f, a, &objects);
	if (!is_known_call(f, n)) {
		locset_add(&value, a, LOC_UNKNOWN);
	}
	for (uint32_t i = 0; i < objects.n; i++) {
		loc_id loc = objects.v[i];
		bool holds = LOC_IS_VAR(loc)
				     ? points_holds_pointers(f, f->u->sym[LOC_SYM(loc)].type)
				     : LOC_IS_SYM(loc) && !points_holds_nothing(f, loc);
		grew |= holds && value.n && store_to(f, a, n, loc, &value);
	}
	return grew;
}

/* The locations to which an assignment stores an address, and its targets. */
static void stored(struct locset *to, struct locset *value, struct facts *f, struct arena *a,
	const struct kt_node *n)
{
	if (n->flags & KT_F_BINDS) {
		points_binder(to, f, a, n);
		facts_lvalue(value, f, a, n->child[1]);
		facts_pointees(value, f, a, n->child[1]);
	} else {
		facts_lvalue(to, f, a, n->child[0]);
		facts_pointees(value, f, a, n->child[1]);
	}
}

static bool grow_store(struct facts *f, struct arena *a, const struct kt_node *n)
{
	bool grew = false;
	if (n->kind == KT_VAR) {
		return grow_variable(f, a, n);
	}
	if (n->kind == KT_RANGE_FOR) {
		return grow_range(f, a, n);
	}
	if (is_assignment(n)) {
		struct locset to = {0}, value = {0};
		stored(&to, &value, f, a, n);
		for (uint32_t i = 0; i < to.n && value.n; i++) {
			grew |= store_to(f, a, n, to.v[i], &value);
		}
	}
	return (is_opaque(f, n) && grow_opaque(f, a, n)) || grew;
}

/* A base that a constructor initializes is a part of the object. An object that a constructor
 * passes to unknown code may have any contents. */
static bool grow_constructed(struct facts *f, struct arena *a, kt_id fn)
{
	struct locset s = {0};
	const struct kt_node *body = f->u->fn[fn].body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_CONSTRUCT && n->parent == body) {
			facts_pointees(&s, f, a, n);
		} else if (n->kind == KT_THIS
				   ? n->parent->kind != KT_MEMBER
				   : n->kind == KT_CALL && n->flags & KT_F_METHOD && !n->child[0]) {
			locset_add(&s, a, LOC_UNKNOWN);
		}
	}
	return points_grow(f, &f->fn[fn].ret, &s);
}

static bool grow_returns(struct facts *f, struct arena *a, kt_id fn)
{
	bool grew = false;
	bool ref = points_is_kind(f, f->u->fn[fn].ret, KT_T_REFERENCE);
	array_each (&f->fn[fn].returns, const struct kt_node *, n) {
		struct locset s = {0};
		(ref ? facts_lvalue : facts_pointees)(&s, f, a, (*n)->child[0]);
		grew |= points_grow(f, &f->fn[fn].ret, &s);
	}
	return grew;
}

static bool grow_param(struct facts *f, struct arena *a, kt_id param, const struct locset *object,
	const struct locset *beyond)
{
	struct locset r = {0}, b = {0};
	resolve_all(&r, f, a, object);
	resolve_all(&b, f, a, beyond);
	bool grew = points_grow(f, &f->roots[param], &r);
	return points_grow(f, &f->beyond[param], &b) || grew;
}

static bool grow_params(struct facts *f, struct arena *a, const struct kt_node *call)
{
	const struct kt_fn *fn = &f->u->fn[call->fn];
	bool grew = false;
	if (fn->self && (points_object_of(call) || call->kind == KT_CONSTRUCT)) {
		struct locset object = {0}, beyond = {0};
		points_self_locs(&object, f, a, call, false);
		points_self_locs(&beyond, f, a, call, true);
		grew |= grow_param(f, a, fn->self, &object, &beyond);
	}
	for (size_t i = 0; i < fn->params; i++) {
		struct locset object = {0}, beyond = {0};
		if (!points_holds_pointers(f, f->u->sym[fn->param[i]].type)) {
			continue;
		}
		points_argument_locs(&object, f, a, call, i, false);
		points_argument_locs(&beyond, f, a, call, i, true);
		grew |= grow_param(f, a, fn->param[i], &object, &beyond);
	}
	return grew;
}

static void seed_param(struct facts *f, kt_id param, loc_id object)
{
	locset_add(&f->roots[param], f->arena, object);
	locset_add(&f->beyond[param], f->arena, LOC_UNKNOWN);
}

static void seed_params(struct facts *f)
{
	for (kt_id id = 1; id < f->u->fns; id++) {
		const struct kt_fn *fn = &f->u->fn[id];
		bool kernel = fn->kind == KT_FN_KERNEL;
		if (!kernel && !f->fn[id].address_taken && !f->u->open && !f->u->hides) {
			continue;
		}
		if (fn->self) {
			seed_param(f, fn->self, LOC_UNKNOWN);
		}
		for (size_t i = 0; i < fn->params; i++) {
			seed_param(f, fn->param[i], kernel ? LOC_DEREF(fn->param[i]) : LOC_UNKNOWN);
		}
	}
}

/* The lost locations, and all that can be reached from them. */
static void lost_objects(struct locset *out, struct facts *f, struct arena *a)
{
	struct locset last = {0};
	locset_union(&last, a, &f->lost);
	while (last.n) {
		struct locset more = {0}, fresh = {0};
		for (uint32_t i = 0; i < last.n; i++) {
			stored_to(&more, f, a, last.v[i]);
		}
		points_contents(&more, f, a, &last);
		locset_union(out, a, &last);
		for (uint32_t i = 0; i < more.n; i++) {
			if (!locset_has(out, more.v[i])) {
				locset_add(&fresh, a, more.v[i]);
			}
		}
		last = fresh;
	}
}

/* Lost variables may have any contents, because stores to them may be lost, too. */
static bool grow_lost(struct facts *f, struct arena *a)
{
	struct locset all = {0}, unknown = {0};
	bool grew = false;
	lost_objects(&all, f, a);
	locset_add(&unknown, a, LOC_UNKNOWN);
	for (uint32_t i = 0; i < all.n; i++) {
		kt_id sym = LOC_IS_SYM(all.v[i]) ? LOC_SYM(all.v[i]) : 0;
		if (LOC_IS_VAR(all.v[i])) {
			grew |= points_holds_pointers(f, f->u->sym[sym].type) &&
				points_grow(f, points_cell_of(f, sym), &unknown);
		} else if (sym && !points_holds_nothing(f, all.v[i])) {
			grew |= points_grow(f, &f->beyond[sym], &unknown);
		}
		kt_id fn = sym ? f->u->sym[sym].fn : 0;
		if (fn && f->fn[fn].constructs && f->u->fn[fn].self == sym) {
			grew |= points_grow(f, &f->fn[fn].ret, &unknown);
		}
	}
	return grew;
}

/* Solves to a fixed point. Sets only grow, except those that are lost. */
static void solve(struct facts *f)
{
	for (bool grew = true; grew;) {
		uint32_t lost = f->lost.n;
		grew = f->lost.n && grow_lost(f, f->scratch);
		arena_clear(f->scratch);
		array_each (&f->stores, const struct kt_node *, n) {
			grew |= grow_store(f, f->scratch, *n);
			arena_clear(f->scratch);
		}
		for (kt_id id = 1; id < f->u->fns; id++) {
			if (f->fn[id].constructs && f->u->fn[id].body) {
				grew |= grow_constructed(f, f->scratch, id);
			}
			grew |= grow_returns(f, f->scratch, id);
			array_each (&f->fn[id].callers, const struct kt_node *, call) {
				grew |= grow_params(f, f->scratch, *call);
				arena_clear(f->scratch);
			}
		}
		grew |= f->lost.n != lost;
	}
}

/* ---- addresses that escape ---- */

static void expose(struct facts *f, const struct locset *s)
{
	struct locset r = {0};
	resolve_all(&r, f, f->scratch, s);
	for (uint32_t k = 0; k < r.n; k++) {
		if (LOC_IS_SYM(r.v[k])) {
			f->exposed[LOC_SYM(r.v[k])] = true;
		}
	}
}

/* Do all loads of loc find all addresses stored there? */
static bool is_followed(struct facts *f, const struct kt_node *n, loc_id loc)
{
	struct locset to = {0};
	if (loc != LOC_THIS && loc != LOC_BEYOND_THIS && !is_made_here(f, n, loc)) {
		points_resolve(&to, f, f->scratch, loc);
		for (uint32_t i = 0; i < to.n; i++) {
			if (!LOC_IS_VAR(to.v[i]) ||
				f->u->sym[LOC_SYM(to.v[i])].kind == KT_S_GLOBAL) {
				return false;
			}
		}
		return to.n > 0;
	}
	return is_made_here(f, n, loc);
}

/* Does a cast turn an address into a value without a set: a number, or bytes? */
static bool hides_address(const struct facts *f, const struct kt_node *n)
{
	enum kt_type_kind to = points_type(f, n->type)->kind; /* unknown for a bit_cast */
	return n->kind == KT_CAST && n->n && points_may_be_address(f, n->child[0]) &&
	       (to == KT_T_OTHER || !points_holds_pointers(f, n->type)) && to != KT_T_VOID &&
	       to != KT_T_BOOL;
}

/* Is n a union that lets an address be read as a number, or a part of one? */
static bool is_punned(const struct facts *f, const struct kt_node *n)
{
	for (; n; n = n->n ? n->child[0] : NULL) {
		kt_id self = n->kind == KT_THIS || (n->kind == KT_MEMBER && n->n && !n->child[0])
				     ? kt_this_of(f->u, facts_function_of(f, n))
				     : 0;
		if (self && kt_object_type(f->u, f->u->sym[self].type)->punned) {
			return true;
		}
		const struct kt_type *t = points_type(f, n->type);
		t = t->kind == KT_T_POINTER || t->kind == KT_T_REFERENCE ? points_type(f, t->elem)
									 : t;
		if (t->punned) {
			return true;
		}
		if (n->kind != KT_MEMBER && n->kind != KT_INDEX && n->kind != KT_UNARY &&
			n->kind != KT_CAST) {
			return false;
		}
	}
	return false;
}

/* Is it an object with such a union that is initialized with addresses? */
static bool made_punned(const struct facts *f, const struct kt_node *n)
{
	return (n->kind == KT_INIT_LIST || n->kind == KT_CONSTRUCT || n->kind == KT_LAMBDA) &&
	       points_type(f, n->type)->punned;
}

/* memcpy and similar calls: exposes addresses copied to a place without a set. */
static void copied_bytes(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	struct locset objects = {0};
	bool plain = false;
	if (!is_known_call(f, n)) {
		return;
	}
	handed_objects(&objects, f, a, n);
	for (uint32_t i = 0; i < objects.n; i++) {
		plain |= LOC_IS_VAR(objects.v[i])
				 ? !points_holds_pointers(f, f->u->sym[LOC_SYM(objects.v[i])].type)
				 : true;
	}
	if (plain && objects.n > 1) {
		struct locset held = {0};
		points_contents(&held, f, a, &objects);
		points_close_over(&held, f, a);
		locset_union(out, a, &held);
	}
}

static void expose_node(struct facts *f, const struct kt_node *n)
{
	struct locset s = {0}, to = {0};
	struct arena *a = f->scratch;
	if (hides_address(f, n)) {
		facts_reach(&s, f, a, n->child[0]);
	} else if (is_opaque(f, n) && !is_known_call(f, n)) {
		handed_objects(&s, f, a, n);
		points_close_over(&s, f, a);
	} else if (is_assignment(n) &&
		   (points_may_be_address(f, n->child[1]) || n->flags & KT_F_BINDS)) {
		struct locset value = {0};
		bool followed = !is_punned(f, n->child[0]);
		stored(&to, &value, f, a, n);
		for (uint32_t i = 0; i < to.n; i++) {
			followed &= is_followed(f, n, to.v[i]);
		}
		if (!followed) {
			points_close_over(&value, f, a);
			locset_union(&s, a, &value);
		}
	} else if (made_punned(f, n)) {
		facts_reach(&s, f, a, n);
	}
	copied_bytes(&s, f, a, n);
	expose(f, &s);
}

static void solve_exposed(struct facts *f)
{
	struct locset lost = {0};
	lost_objects(&lost, f, f->scratch);
	expose(f, &lost);
	arena_clear(f->scratch);
	for (kt_id id = 1; id < f->u->fns; id++) {
		const struct kt_node *body = f->u->fn[id].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			expose_node(f, n);
			arena_clear(f->scratch);
		}
	}
}

void points_solve(struct facts *f)
{
	f->pts = ARENA_ARRAY(f->arena, struct locset, f->u->syms);
	f->roots = ARENA_ARRAY(f->arena, struct locset, f->u->syms);
	f->beyond = ARENA_ARRAY(f->arena, struct locset, f->u->syms);
	f->exposed = ARENA_ARRAY(f->arena, bool, f->u->syms);
	index_unit(f);
	seed_pointees(f);
	seed_params(f);
	f->bounded = true;
	solve(f);
	f->solved = true;
	solve(f);
	f->bounded = false;
	solve_exposed(f);
}
