#include "analysis/points.h"

#include <string.h>

struct kt_unit *facts_unit(const struct facts *f)
{
	return f->u;
}

const struct kt_type *points_type(const struct facts *f, kt_id id)
{
	return &f->u->type[id < f->u->types ? id : 0];
}

bool points_is_kind(const struct facts *f, kt_id type, enum kt_type_kind k)
{
	return points_type(f, type)->kind == k;
}

bool points_is_array(const struct facts *f, const struct kt_node *n)
{
	return points_is_kind(f, n->type, KT_T_ARRAY);
}

/* Can a value of this type carry an address? */
static bool holds_pointers(const struct facts *f, kt_id type)
{
	const struct kt_type *t = points_type(f, type);
	switch (t->kind) {
	case KT_T_POINTER:
	case KT_T_REFERENCE:
	case KT_T_RECORD:
	case KT_T_OTHER:
		return true;
	case KT_T_ARRAY:
		return holds_pointers(f, t->elem);
	default:
		return false;
	}
}

/* Arrays become pointers to themselves. */
static bool may_be_address(const struct facts *f, const struct kt_node *n)
{
	return holds_pointers(f, n->type) || points_is_array(f, n);
}

const struct kt_fn *points_callee(const struct facts *f, const struct kt_node *call)
{
	return call->fn ? &f->u->fn[call->fn] : NULL;
}

const struct intrinsic *facts_intrinsic(const struct facts *f, const struct kt_node *call)
{
	if (!f->db) {
		return NULL;
	}
	const struct kt_fn *fn = points_callee(f, call);
	const char *name = fn ? fn->base : call->text;
	/* A body in user code says more than a name that happens to be known. */
	if (!name || (fn && fn->body && !fn->in_system_header)) {
		return NULL;
	}
	return intrinsic_find(f->db, str_of(name));
}

/* The argument for parameter i, or NULL. */
static const struct kt_node *argument(const struct kt_node *call, size_t i)
{
	size_t at = i + (call->flags & KT_F_METHOD ? 1 : 0);
	return at < call->n ? call->child[at] : NULL;
}

static const struct kt_node *object_of(const struct kt_node *call)
{
	return call->flags & KT_F_METHOD && call->n ? call->child[0] : NULL;
}

kt_id facts_function_of(const struct facts *f, const struct kt_node *n)
{
	while (n->parent) {
		n = n->parent;
	}
	return (kt_id)ids_get(&f->fn_of_body, (uintptr_t)n, 0);
}

loc_id points_this(const struct facts *f, const struct kt_node *n)
{
	kt_id self = f->u->fn[facts_function_of(f, n)].self;
	return self ? LOC_DEREF(self) : LOC_THIS;
}

/* ---- what a place holds ---- */

/* What a variable may hold, or the temporary that a local reference names. */
static struct locset *cell_of(struct facts *f, kt_id sym)
{
	return points_is_kind(f, f->u->sym[sym].type, KT_T_REFERENCE) ? &f->beyond[sym]
								      : &f->pts[sym];
}

/* Do all callers of the parameter's function tell that there are no pointers in what it names? */
static bool holds_nothing(const struct facts *f, loc_id loc)
{
	kt_id p = LOC_SYM(loc);
	const struct kt_type *t = points_type(f, f->u->sym[p].type);
	if (LOC_IS_DEREF(loc) && (t->kind == KT_T_POINTER || t->kind == KT_T_REFERENCE)) {
		for (t = points_type(f, t->elem); t->kind == KT_T_ARRAY;) {
			t = points_type(f, t->elem);
		}
		if (t->kind == KT_T_FLOAT || t->kind == KT_T_VECTOR || t->kind == KT_T_BOOL) {
			return true;
		}
	}
	return f->beyond[p].n == 0 && f->fn[f->u->sym[p].fn].callers.n > 0;
}

/* What the pointers in these objects may point to. */
static void contents(
	struct locset *out, struct facts *f, struct arena *a, const struct locset *objects)
{
	for (uint32_t i = 0; i < objects->n; i++) {
		loc_id loc = objects->v[i];
		if (LOC_IS_VAR(loc)) {
			locset_union(out, a, cell_of(f, LOC_SYM(loc)));
		} else if (LOC_IS_SYM(loc)) {
			if (!holds_nothing(f, loc)) {
				locset_add(out, a, LOC_BEYOND(LOC_SYM(loc)));
			}
		} else if (loc == LOC_THIS || loc == LOC_BEYOND_THIS) {
			locset_add(out, a, LOC_BEYOND_THIS);
		} else {
			locset_add(out, a, LOC_UNKNOWN);
		}
	}
}

/* Adds what can be reached from what is in the set. */
static void close_over(struct locset *s, struct facts *f, struct arena *a)
{
	for (bool grew = true; grew;) {
		struct locset more = {0};
		contents(&more, f, a, s);
		grew = locset_union(s, a, &more);
	}
}

void facts_reach(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	facts_pointees(out, f, a, n);
	close_over(out, f, a);
}

/* What pointer n points to, to be accessed: one of which nothing is known may point anywhere. */
static void targets(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	struct locset s = {0};
	facts_pointees(&s, f, a, n);
	if (s.n == 0 && f->solved) {
		locset_add(&s, a, LOC_UNKNOWN);
	}
	locset_union(out, a, &s);
}

/* ---- calls ---- */

static void object_locs(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *object)
{
	if (object->kind == KT_THIS) {
		locset_add(out, a, points_this(f, object));
	} else if (points_is_kind(f, object->type, KT_T_POINTER)) {
		targets(out, f, a, object);
	} else {
		facts_lvalue(out, f, a, object);
	}
}

/* What can be reached through what the argument designates. */
static void beyond_argument(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *arg, bool designates)
{
	struct locset s = {0}, held = {0};
	facts_pointees(&s, f, a, arg);
	if (designates) {
		locset_union(&held, a, &s);
	} else {
		contents(&held, f, a, &s);
	}
	close_over(&held, f, a);
	locset_union(out, a, &held);
}

static bool is_reference_param(const struct facts *f, const struct kt_fn *fn, size_t i)
{
	return points_is_kind(f, f->u->sym[fn->param[i]].type, KT_T_REFERENCE);
}

/* LOC_DEREF (or, beyond, LOC_BEYOND) of parameter i of the callee. */
static void argument_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, size_t i, bool beyond)
{
	const struct kt_node *arg = argument(call, i);
	bool reference = is_reference_param(f, points_callee(f, call), i);
	if (!arg) {
		return; /* a default argument */
	}
	if (beyond) {
		beyond_argument(out, f, a, arg, reference);
	} else if (reference) {
		facts_lvalue(out, f, a, arg);
	} else if (arg->flags & KT_F_VALUE || !points_is_kind(f, arg->type, KT_T_POINTER)) {
		facts_pointees(out, f, a, arg);
	} else {
		targets(out, f, a, arg);
	}
}

/* The same of the object. */
static void self_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, bool beyond)
{
	const struct kt_node *object = object_of(call);
	bool constructs = call->kind == KT_CONSTRUCT;
	if (constructs || !object) {
		/* a constructor writes a new object */
		const struct kt_node *var = call->parent;
		if (constructs && beyond) {
			facts_reach(out, f, a, call);
		} else if (constructs && var && var->kind == KT_VAR) {
			locset_add(out, a, LOC_VAR(var->sym));
		}
	} else if (!beyond) {
		object_locs(out, f, a, object);
	} else if (object->kind == KT_THIS) {
		struct locset s = {0};
		locset_add(&s, a, points_this(f, object));
		contents(out, f, a, &s);
	} else {
		beyond_argument(out, f, a, object, !points_is_kind(f, object->type, KT_T_POINTER));
	}
}

void points_at_call(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, loc_id loc)
{
	const struct kt_fn *fn = points_callee(f, call);
	bool beyond = loc == LOC_BEYOND_THIS || LOC_IS_BEYOND(loc);
	if ((loc == LOC_THIS || loc == LOC_BEYOND_THIS) && fn && fn->is_lambda) {
		/* the object of the method that the lambda stands in: known where that calls it */
		struct locset here = {0};
		locset_add(&here, a, points_this(f, call));
		if (LOC_IS_SYM(here.v[0])) {
			beyond ? contents(out, f, a, &here) : (void)locset_union(out, a, &here);
		} else {
			locset_add(out, a, LOC_UNKNOWN);
		}
		return;
	}
	bool self =
		loc == LOC_THIS || loc == LOC_BEYOND_THIS ||
		(fn && fn->self && LOC_IS_SYM(loc) && !LOC_IS_VAR(loc) && LOC_SYM(loc) == fn->self);
	if (self) {
		self_locs(out, f, a, call, beyond);
		return;
	}
	for (size_t i = 0; LOC_IS_SYM(loc) && !LOC_IS_VAR(loc) && fn && i < fn->params; i++) {
		if (fn->param[i] == LOC_SYM(loc)) {
			argument_locs(out, f, a, call, i, beyond);
			return;
		}
	}
	/* a parameter of the function around a lambda keeps its name, as its variables do */
	locset_add(out, a, loc);
}

static void returned(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *call)
{
	const struct locset *ret = &f->fn[call->fn].ret;
	for (uint32_t i = 0; i < ret->n; i++) {
		points_at_call(out, f, a, call, ret->v[i]);
	}
}

static bool is_beyond_self(const struct kt_fn *fn, loc_id loc)
{
	return loc == LOC_BEYOND_THIS ||
	       (LOC_IS_BEYOND(loc) && fn->self && LOC_SYM(loc) == fn->self);
}

/* What a constructor leaves in its object: also what can be reached from the rest, where it copies
 * what was in the object. */
static void constructed(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *call)
{
	const struct locset *ret = &f->fn[call->fn].ret;
	struct locset held = {0};
	bool again = false;
	for (uint32_t i = 0; i < ret->n; i++) {
		if (is_beyond_self(&f->u->fn[call->fn], ret->v[i])) {
			again = true;
		} else {
			points_at_call(&held, f, a, call, ret->v[i]);
		}
	}
	if (again) {
		close_over(&held, f, a);
	}
	locset_union(out, a, &held);
}

static bool returns_reference(const struct facts *f, const struct kt_node *call)
{
	return call->kind == KT_CALL && call->fn &&
	       points_is_kind(f, f->u->fn[call->fn].ret, KT_T_REFERENCE);
}

/* What is handed to code that is not seen may be what it returns. */
static void handed_over(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *call)
{
	if (object_of(call)) {
		object_locs(out, f, a, object_of(call));
	}
	for (size_t i = 0; argument(call, i); i++) {
		facts_pointees(out, f, a, argument(call, i));
	}
	if (!facts_intrinsic(f, call)) {
		locset_add(out, a, LOC_UNKNOWN);
	}
}

static void call_lvalue(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_fn *fn = points_callee(f, n);
	if (!fn || !fn->body) {
		handed_over(out, f, a, n);
	} else if (returns_reference(f, n)) {
		returned(out, f, a, n);
	}
}

static void call_pointees(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_fn *fn = points_callee(f, n);
	struct locset s = {0};
	if (!fn || !fn->body) {
		handed_over(&s, f, a, n);
		close_over(&s, f, a);
		locset_union(out, a, &s);
	} else if (returns_reference(f, n)) {
		returned(&s, f, a, n);
		contents(out, f, a, &s);
	} else {
		returned(out, f, a, n);
	}
}

/* ---- places and pointers ---- */

static bool is_reference_field(const struct facts *f, const struct kt_node *n)
{
	return n->sym && points_is_kind(f, f->u->sym[n->sym].type, KT_T_REFERENCE);
}

static void member_lvalue(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_node *base = n->n ? n->child[0] : NULL;
	if (is_reference_field(f, n)) {
		struct locset object = {0}, s = {0};
		if (!base || base->kind == KT_THIS) {
			locset_add(&object, a, points_this(f, n));
			contents(&s, f, a, &object);
		} else if (n->flags & KT_F_ARROW) {
			targets(&object, f, a, base);
			contents(&s, f, a, &object);
		} else {
			facts_pointees(&s, f, a, base);
		}
		if (s.n == 0 && f->solved) {
			locset_add(&s, a, LOC_UNKNOWN);
		}
		locset_union(out, a, &s);
	} else if (!base || base->kind == KT_THIS) {
		locset_add(out, a, points_this(f, n));
	} else if (n->flags & KT_F_ARROW) {
		targets(out, f, a, base);
	} else {
		facts_lvalue(out, f, a, base);
	}
}

void facts_lvalue(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF: {
		if (!n->sym) {
			return;
		}
		const struct kt_sym *s = &f->u->sym[n->sym];
		if (s->space == KT_CONSTANT) {
			return;
		}
		if (points_is_kind(f, s->type, KT_T_REFERENCE)) {
			if (s->kind == KT_S_PARAM) {
				locset_add(out, a, LOC_DEREF(n->sym));
			} else if (f->pts[n->sym].n == 0 && f->solved) {
				locset_add(out, a, LOC_UNKNOWN);
			} else {
				locset_union(out, a, &f->pts[n->sym]);
			}
		} else {
			locset_add(out, a, LOC_VAR(n->sym));
		}
		return;
	}
	case KT_MEMBER:
		member_lvalue(out, f, a, n);
		return;
	case KT_INDEX:
		if (points_is_kind(f, n->child[0]->type, KT_T_POINTER)) {
			targets(out, f, a, n->child[0]);
		} else {
			facts_lvalue(out, f, a, n->child[0]);
		}
		return;
	case KT_UNARY:
		if (n->op == KT_OP_DEREF && n->n) {
			targets(out, f, a, n->child[0]);
		} else if (n->n) {
			facts_lvalue(out, f, a, n->child[0]);
		}
		return;
	case KT_ASSIGN:
		facts_lvalue(out, f, a, n->child[0]);
		return;
	case KT_BINARY:
		if (n->op == KT_OP_COMMA) {
			facts_lvalue(out, f, a, n->child[1]);
		}
		return;
	case KT_COND:
		facts_lvalue(out, f, a, n->child[KT_COND_THEN]);
		facts_lvalue(out, f, a, n->child[KT_COND_ELSE]);
		return;
	case KT_CAST:
		if (n->n) {
			facts_lvalue(out, f, a, n->child[0]);
		}
		return;
	case KT_CALL:
		call_lvalue(out, f, a, n);
		return;
	case KT_EXPR_UNKNOWN:
		locset_add(out, a, LOC_UNKNOWN);
		for (size_t i = 0; i < n->n; i++) {
			if (n->child[i]) {
				facts_lvalue(out, f, a, n->child[i]);
			}
		}
		return;
	default:
		return; /* temporaries and literals */
	}
}

/* What is in object n: a place, or a part of a temporary. */
static void place_pointees(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	bool member = n->kind == KT_MEMBER && n->n && n->child[0] && !(n->flags & KT_F_ARROW) &&
		      !is_reference_field(f, n) && n->child[0]->kind != KT_THIS;
	bool element = n->kind == KT_INDEX && !points_is_kind(f, n->child[0]->type, KT_T_POINTER);
	if (member || element) {
		const struct kt_node *whole = n->child[0];
		bool place = whole->kind == KT_REF || whole->kind == KT_MEMBER ||
			     whole->kind == KT_INDEX ||
			     (whole->kind == KT_UNARY && whole->op == KT_OP_DEREF);
		place ? place_pointees(out, f, a, whole) : facts_pointees(out, f, a, whole);
		return;
	}
	struct locset object = {0};
	facts_lvalue(&object, f, a, n);
	contents(out, f, a, &object);
}

/* What an object is made of, it may point to, and a reference in it may name. */
static void made_of(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_fn *fn = points_callee(f, n);
	if (n->kind == KT_CONSTRUCT && fn && fn->body) {
		constructed(out, f, a, n);
		return;
	}
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *part = n->child[i];
		bool copies = part && n->kind == KT_CONSTRUCT && part->type == n->type;
		if (!part) {
			continue;
		}
		facts_pointees(out, f, a, part);
		if (!copies &&
			(!points_is_kind(f, part->type, KT_T_POINTER) ||
				n->kind == KT_EXPR_UNKNOWN) &&
			(points_is_kind(f, n->type, KT_T_RECORD) || n->kind == KT_EXPR_UNKNOWN)) {
			facts_lvalue(out, f, a, part);
		}
	}
}

void facts_pointees(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	if (!may_be_address(f, n) && n->kind != KT_CAST && n->kind != KT_EXPR_UNKNOWN) {
		return;
	}
	switch (n->kind) {
	case KT_REF:
	case KT_MEMBER:
	case KT_INDEX:
		if (points_is_array(f, n)) {
			facts_lvalue(out, f, a, n);
		} else {
			place_pointees(out, f, a, n);
		}
		return;
	case KT_THIS:
		locset_add(out, a, points_this(f, n));
		return;
	case KT_UNARY:
		if (n->op == KT_OP_ADDR && n->n) {
			facts_lvalue(out, f, a, n->child[0]);
		} else if (n->op == KT_OP_DEREF && points_is_array(f, n)) {
			facts_lvalue(out, f, a, n);
		} else if (n->op == KT_OP_DEREF) {
			place_pointees(out, f, a, n);
		} else if (n->n) {
			facts_pointees(out, f, a, n->child[0]);
		}
		return;
	case KT_CALL:
		call_pointees(out, f, a, n);
		return;
	case KT_LITERAL:
	case KT_SIZEOF:
		return;
	case KT_CONSTRUCT:
	case KT_INIT_LIST:
	case KT_EXPR_UNKNOWN:
		made_of(out, f, a, n);
		if (n->kind == KT_EXPR_UNKNOWN) {
			locset_add(out, a, LOC_UNKNOWN);
		}
		return;
	case KT_CAST:
		if (n->n && points_is_kind(f, n->type, KT_T_POINTER) &&
			points_is_kind(f, n->child[0]->type, KT_T_INT) &&
			!(n->child[0]->flags & KT_F_VALUE)) {
			locset_add(out, a, LOC_UNKNOWN);
		}
		/* fall through */
	default:
		for (size_t i = 0; i < n->n; i++) {
			if (n->child[i]) {
				facts_pointees(out, f, a, n->child[i]);
			}
		}
		return;
	}
}

void facts_elements(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	facts_lvalue(out, f, a, n);
	if (!points_is_array(f, n)) {
		facts_pointees(out, f, a, n); /* begin() may be a pointer in it */
	}
}

/* ---- the unit, once ---- */

static bool is_assignment(const struct kt_node *n)
{
	return (n->kind == KT_ASSIGN && n->n == 2 && n->op == KT_OP_NONE) ||
	       (n->kind == KT_CALL && n->n == 2 && n->flags & KT_F_OPERATOR && n->text &&
		       strcmp(n->text, "operator=") == 0);
}

/* A call whose callee has no body: what it is handed it may copy about. An assignment that the
 * compiler makes up copies what it says. */
static bool is_opaque(const struct facts *f, const struct kt_node *n)
{
	return n->kind == KT_EXPR_UNKNOWN || n->kind == KT_STMT_UNKNOWN ||
	       (n->kind == KT_CALL && (!n->fn || (!f->u->fn[n->fn].body && !is_assignment(n))));
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
	if (n->kind == KT_RETURN && n->n && holds_pointers(f, f->u->fn[fn].ret)) {
		array_push(&f->fn[fn].returns, n);
	}
	bool stores =
		is_opaque(f, n) || n->kind == KT_RANGE_FOR ||
		(is_assignment(n) && may_be_address(f, n->child[1])) ||
		(n->kind == KT_VAR && n->sym && n->n && holds_pointers(f, f->u->sym[n->sym].type));
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
		if (!holds_pointers(f, s->type) || s->kind == KT_S_FIELD) {
			continue;
		}
		if (s->kind == KT_S_PARAM) {
			locset_add(&f->pts[id], f->arena, LOC_DEREF(id));
		} else if (s->kind == KT_S_GLOBAL) {
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

/* The variables that a store to loc may change, as one set of roots. Through the this of a lambda
 * it may be any object that has methods. */
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

/* Is loc the object that the function around n makes? What that may hold is known by its calls. */
static bool is_made_here(const struct facts *f, const struct kt_node *n, loc_id loc)
{
	kt_id fn = facts_function_of(f, n);
	return f->fn[fn].constructs && f->u->fn[fn].self && loc == LOC_DEREF(f->u->fn[fn].self);
}

static bool store_to(struct facts *f, struct arena *a, const struct kt_node *n, loc_id loc,
	const struct locset *value)
{
	if (LOC_IS_VAR(loc)) {
		return locset_union(cell_of(f, LOC_SYM(loc)), f->arena, value);
	}
	if (is_made_here(f, n, loc)) {
		return locset_union(&f->fn[facts_function_of(f, n)].ret, f->arena, value);
	}
	struct locset real = {0}, to = {0};
	bool grew = false;
	resolve_all(&real, f, a, value);
	stored_to(&to, f, a, loc);
	for (uint32_t i = 0; i < to.n; i++) {
		if (LOC_IS_VAR(to.v[i])) {
			grew |= locset_union(cell_of(f, LOC_SYM(to.v[i])), f->arena, &real);
		}
	}
	if (LOC_IS_SYM(loc)) {
		close_over(&real, f, a);
		grew |= locset_union(&f->beyond[LOC_SYM(loc)], f->arena, &real);
	}
	return grew;
}

/* Is the value of n a temporary that a reference keeps alive? */
static bool is_temporary(const struct facts *f, const struct kt_node *n)
{
	while (n->kind == KT_CAST && n->n) {
		n = n->child[0];
	}
	return n->kind == KT_CONSTRUCT || n->kind == KT_INIT_LIST || n->kind == KT_LITERAL ||
	       (n->kind == KT_BINARY && n->op != KT_OP_COMMA) ||
	       (n->kind == KT_CALL && n->fn && !returns_reference(f, n));
}

static bool grow_variable(struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_node *value = n->child[0];
	struct locset s = {0};
	if (!points_is_kind(f, f->u->sym[n->sym].type, KT_T_REFERENCE)) {
		facts_pointees(&s, f, a, value);
		return locset_union(&f->pts[n->sym], f->arena, &s);
	}
	facts_lvalue(&s, f, a, value);
	if (is_temporary(f, value)) {
		locset_add(&s, a, LOC_VAR(n->sym));
	}
	bool grew = locset_union(&f->pts[n->sym], f->arena, &s);
	struct locset held = {0};
	facts_pointees(&held, f, a, value);
	return locset_union(&f->beyond[n->sym], f->arena, &held) || grew;
}

static bool grow_range(struct facts *f, struct arena *a, const struct kt_node *n)
{
	kt_id sym = n->child[KT_RANGE_VAR]->sym;
	struct locset s = {0}, held = {0};
	if (!sym) {
		return false;
	}
	facts_elements(&s, f, a, n->child[KT_RANGE_RANGE]);
	contents(&held, f, a, &s);
	if (!points_is_kind(f, f->u->sym[sym].type, KT_T_REFERENCE)) {
		return holds_pointers(f, f->u->sym[sym].type) &&
		       locset_union(&f->pts[sym], f->arena, &held);
	}
	bool grew = locset_union(&f->pts[sym], f->arena, &s);
	return locset_union(&f->beyond[sym], f->arena, &held) || grew;
}

/* What code that is not seen was handed: objects, and what it may make them point to. */
static void handed_objects(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	bool known = n->kind == KT_CALL && facts_intrinsic(f, n);
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
	contents(&value, f, a, &objects);
	if (n->kind != KT_CALL || !facts_intrinsic(f, n)) {
		locset_add(&value, a, LOC_UNKNOWN);
	}
	for (uint32_t i = 0; i < objects.n; i++) {
		loc_id loc = objects.v[i];
		bool holds = LOC_IS_VAR(loc) ? holds_pointers(f, f->u->sym[LOC_SYM(loc)].type)
					     : LOC_IS_SYM(loc) && !holds_nothing(f, loc);
		grew |= holds && value.n && store_to(f, a, n, loc, &value);
	}
	return grew;
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
		facts_lvalue(&to, f, a, n->child[0]);
		facts_pointees(&value, f, a, n->child[1]);
		for (uint32_t i = 0; i < to.n && value.n; i++) {
			grew |= store_to(f, a, n, to.v[i], &value);
		}
	}
	return (is_opaque(f, n) && grow_opaque(f, a, n)) || grew;
}

/* A base that a constructor begins with is a part of the object; an object that a constructor hands
 * about may come to hold anything. */
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
	return locset_union(&f->fn[fn].ret, f->arena, &s);
}

static bool grow_returns(struct facts *f, struct arena *a, kt_id fn)
{
	bool grew = false;
	bool ref = points_is_kind(f, f->u->fn[fn].ret, KT_T_REFERENCE);
	array_each (&f->fn[fn].returns, const struct kt_node *, n) {
		struct locset s = {0};
		(ref ? facts_lvalue : facts_pointees)(&s, f, a, (*n)->child[0]);
		grew |= locset_union(&f->fn[fn].ret, f->arena, &s);
	}
	return grew;
}

static bool grow_param(struct facts *f, struct arena *a, kt_id param, const struct locset *object,
	const struct locset *beyond)
{
	struct locset r = {0}, b = {0};
	resolve_all(&r, f, a, object);
	resolve_all(&b, f, a, beyond);
	bool grew = locset_union(&f->roots[param], f->arena, &r);
	return locset_union(&f->beyond[param], f->arena, &b) || grew;
}

static bool grow_params(struct facts *f, struct arena *a, const struct kt_node *call)
{
	const struct kt_fn *fn = &f->u->fn[call->fn];
	bool grew = false;
	if (fn->self && (object_of(call) || call->kind == KT_CONSTRUCT)) {
		struct locset object = {0}, beyond = {0};
		self_locs(&object, f, a, call, false);
		self_locs(&beyond, f, a, call, true);
		grew |= grow_param(f, a, fn->self, &object, &beyond);
	}
	for (size_t i = 0; i < fn->params; i++) {
		struct locset object = {0}, beyond = {0};
		if (!holds_pointers(f, f->u->sym[fn->param[i]].type)) {
			continue;
		}
		argument_locs(&object, f, a, call, i, false);
		argument_locs(&beyond, f, a, call, i, true);
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
		if (!kernel && !f->fn[id].address_taken && !f->u->open) {
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

/* To a fixed point. Sets only grow. */
static void solve(struct facts *f)
{
	for (bool grew = true; grew;) {
		grew = false;
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
	}
}

/* ---- addresses that get about ---- */

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

/* Is everything that is stored to loc found again by those who load it? */
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

static void expose_node(struct facts *f, const struct kt_node *n)
{
	struct locset s = {0}, to = {0};
	struct arena *a = f->scratch;
	bool hidden = n->kind == KT_CAST && points_is_kind(f, n->type, KT_T_INT) && n->n &&
		      may_be_address(f, n->child[0]);
	if (hidden) {
		facts_reach(&s, f, a, n->child[0]);
	} else if (is_opaque(f, n) && !(n->kind == KT_CALL && facts_intrinsic(f, n))) {
		handed_objects(&s, f, a, n);
		close_over(&s, f, a);
	} else if (is_assignment(n) && may_be_address(f, n->child[1])) {
		bool followed = true;
		facts_lvalue(&to, f, a, n->child[0]);
		for (uint32_t i = 0; i < to.n; i++) {
			followed &= is_followed(f, n, to.v[i]);
		}
		if (!followed) {
			facts_reach(&s, f, a, n->child[1]);
		}
	}
	expose(f, &s);
}

static void solve_exposed(struct facts *f)
{
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
	solve(f);
	f->solved = true;
	solve(f);
	solve_exposed(f);
}
