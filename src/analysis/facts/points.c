#include "analysis/facts/points.h"

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

bool points_holds_pointers(const struct facts *f, kt_id type)
{
	const struct kt_type *t = points_type(f, type);
	switch (t->kind) {
	case KT_T_POINTER:
	case KT_T_REFERENCE:
	case KT_T_RECORD:
	case KT_T_OTHER:
		return true;
	case KT_T_ARRAY:
		return points_holds_pointers(f, t->elem);
	default:
		return false;
	}
}

bool points_may_be_address(const struct facts *f, const struct kt_node *n)
{
	return points_holds_pointers(f, n->type) || points_is_array(f, n);
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
	/* A body in user code takes precedence over a known name. For a method without a function,
	 * the callee is unknown. */
	if (!name || (!fn && call->flags & KT_F_METHOD) ||
		(fn && fn->body && !fn->in_system_header)) {
		return NULL;
	}
	const struct intrinsic *in = intrinsic_find(f->db, str_of(name));
	return in || !fn ? in : intrinsic_find(f->db, str_of(fn->name)); /* CLASS::METHOD */
}

/* The argument for parameter i, or NULL. */
static const struct kt_node *argument(const struct kt_node *call, size_t i)
{
	size_t at = i + (call->flags & KT_F_METHOD ? 1 : 0);
	return at < call->n ? call->child[at] : NULL;
}

const struct kt_node *points_object_of(const struct kt_node *call)
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

/* The location of *this in the function around n. */
static loc_id this_loc(const struct facts *f, const struct kt_node *n)
{
	kt_id self = kt_this_of(f->u, facts_function_of(f, n));
	return self ? LOC_DEREF(self) : LOC_THIS;
}

/* ---- contents ---- */

/* The possible contents of a variable, or of the temporary that a local reference names. */
struct locset *points_cell_of(struct facts *f, kt_id sym)
{
	return points_is_kind(f, f->u->sym[sym].type, KT_T_REFERENCE) ? &f->beyond[sym]
								      : &f->pts[sym];
}

/* Do all callers of the parameter's function show that its target contains no pointers? */
bool points_holds_nothing(const struct facts *f, loc_id loc)
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

/* Is the target of a parameter a union that may turn a number into an address? */
static bool is_punned_target(const struct facts *f, loc_id loc)
{
	const struct kt_type *t = points_type(f, f->u->sym[LOC_SYM(loc)].type);
	return LOC_IS_DEREF(loc) && points_type(f, t->elem)->punned;
}

/* The targets of the pointers in these objects. */
void points_contents(
	struct locset *out, struct facts *f, struct arena *a, const struct locset *objects)
{
	for (uint32_t i = 0; i < objects->n; i++) {
		loc_id loc = objects->v[i];
		if (LOC_IS_VAR(loc)) {
			locset_union(out, a, points_cell_of(f, LOC_SYM(loc)));
		} else if (LOC_IS_SYM(loc)) {
			if (!points_holds_nothing(f, loc)) {
				locset_add(out, a, LOC_BEYOND(LOC_SYM(loc)));
			}
			if (is_punned_target(f, loc)) {
				locset_add(out, a, LOC_UNKNOWN);
			}
		} else if (loc == LOC_THIS || loc == LOC_BEYOND_THIS) {
			locset_add(out, a, LOC_BEYOND_THIS);
		} else {
			locset_add(out, a, LOC_UNKNOWN);
		}
	}
}

/* Makes the set LOC_UNKNOWN: its locations, and all that they reach, are lost. */
static void lose(struct facts *f, struct arena *a, struct locset *s)
{
	locset_union(&f->lost, f->arena, s);
	*s = (struct locset){0};
	locset_add(s, a, LOC_UNKNOWN);
}

static void without(
	struct locset *out, struct arena *a, const struct locset *s, const struct locset *other)
{
	for (uint32_t i = 0; i < s->n; i++) {
		if (!locset_has(other, s->v[i])) {
			locset_add(out, a, s->v[i]);
		}
	}
}

bool points_grow(struct facts *f, struct locset *s, const struct locset *more)
{
	struct locset rest = {0};
	if (f->lost.n && locset_has(s, LOC_UNKNOWN)) {
		without(&rest, f->scratch, more, &f->lost);
		more = &rest;
	}
	bool grew = locset_union(s, f->arena, more);
	if (s->n > POINTS_MOST) {
		lose(f, f->arena, s);
	}
	return grew;
}

/* Adds all locations that can be reached from those in the set. */
void points_close_over(struct locset *s, struct facts *f, struct arena *a)
{
	struct locset last = {0};
	locset_union(&last, a, s);
	while (last.n) {
		struct locset more = {0}, fresh = {0};
		if (f->bounded && s->n > POINTS_MOST) {
			lose(f, a, s);
			return;
		}
		points_contents(&more, f, a, &last);
		without(&fresh, a, &more, s);
		locset_union(s, a, &fresh);
		last = fresh;
	}
}

void facts_reach(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	facts_pointees(out, f, a, n);
	points_close_over(out, f, a);
}

/* The targets of pointer n for an access: an unknown pointer may point anywhere. */
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
		locset_add(out, a, this_loc(f, object));
	} else if (points_is_kind(f, object->type, KT_T_POINTER)) {
		targets(out, f, a, object);
	} else {
		facts_lvalue(out, f, a, object);
	}
}

/* The locations that can be reached from the argument's object. */
static void beyond_argument(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *arg, bool designates)
{
	struct locset s = {0}, held = {0};
	facts_pointees(&s, f, a, arg);
	if (designates) {
		locset_union(&held, a, &s);
	} else {
		points_contents(&held, f, a, &s);
	}
	points_close_over(&held, f, a);
	locset_union(out, a, &held);
}

static bool is_reference_param(const struct facts *f, const struct kt_fn *fn, size_t i)
{
	return points_is_kind(f, f->u->sym[fn->param[i]].type, KT_T_REFERENCE);
}

/* LOC_DEREF (or, beyond, LOC_BEYOND) of parameter i of the callee. */
void points_argument_locs(struct locset *out, struct facts *f, struct arena *a,
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

/* The same for the object. */
void points_self_locs(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, bool beyond)
{
	const struct kt_node *object = points_object_of(call);
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
		locset_add(&s, a, this_loc(f, object));
		points_contents(out, f, a, &s);
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
		locset_add(out, a, LOC_UNKNOWN); /* an unknown function */
		return;
	}
	bool self =
		loc == LOC_THIS || loc == LOC_BEYOND_THIS ||
		(fn && fn->self && LOC_IS_SYM(loc) && !LOC_IS_VAR(loc) && LOC_SYM(loc) == fn->self);
	if (self) {
		points_self_locs(out, f, a, call, beyond);
		return;
	}
	for (size_t i = 0; LOC_IS_SYM(loc) && !LOC_IS_VAR(loc) && fn && i < fn->params; i++) {
		if (fn->param[i] == LOC_SYM(loc)) {
			points_argument_locs(out, f, a, call, i, beyond);
			return;
		}
	}
	/* inside a lambda, parameters and variables of the function around it keep their names */
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

/* The contents of a constructed object; if the constructor copies from the old contents, also all
 * that they reach. */
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
		points_close_over(&held, f, a);
	}
	locset_union(out, a, &held);
}

bool points_returns_reference(const struct facts *f, const struct kt_node *call)
{
	return call->kind == KT_CALL && call->fn &&
	       points_is_kind(f, f->u->fn[call->fn].ret, KT_T_REFERENCE);
}

/* Unknown code may return all that is passed to it. */
static void handed_over(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *call)
{
	if (points_object_of(call)) {
		object_locs(out, f, a, points_object_of(call));
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
	} else if (points_returns_reference(f, n)) {
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
		points_close_over(&s, f, a);
		locset_union(out, a, &s);
	} else if (points_returns_reference(f, n)) {
		returned(&s, f, a, n);
		points_contents(out, f, a, &s);
	} else {
		returned(out, f, a, n);
	}
}

/* ---- places and pointers ---- */

void points_binder(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_node *member = n->child[0];
	const struct kt_node *base = member->n ? member->child[0] : NULL;
	if (!base || base->kind == KT_THIS) {
		locset_add(out, a, this_loc(f, n));
	} else {
		facts_lvalue(out, f, a, base);
	}
}

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
			locset_add(&object, a, this_loc(f, n));
			points_contents(&s, f, a, &object);
		} else if (n->flags & KT_F_ARROW) {
			targets(&object, f, a, base);
			points_contents(&s, f, a, &object);
		} else {
			facts_pointees(&s, f, a, base);
		}
		if (s.n == 0 && f->solved) {
			locset_add(&s, a, LOC_UNKNOWN);
		}
		locset_union(out, a, &s);
	} else if (!base || base->kind == KT_THIS) {
		locset_add(out, a, this_loc(f, n));
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

/* The contents of object n, an lvalue or a part of a temporary. */
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
	points_contents(out, f, a, &object);
}

/* An object may point to all that its parts point to, and references in it may name the parts. */
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
				n->kind == KT_EXPR_UNKNOWN || n->flags & KT_F_BINDS) &&
			(points_is_kind(f, n->type, KT_T_RECORD) || n->kind == KT_EXPR_UNKNOWN ||
				n->flags & KT_F_BINDS)) {
			facts_lvalue(out, f, a, part);
		}
	}
}

void facts_pointees(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	if (!points_may_be_address(f, n) && n->kind != KT_CAST && n->kind != KT_EXPR_UNKNOWN) {
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
		locset_add(out, a, this_loc(f, n));
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
		facts_pointees(out, f, a, n); /* begin() may be a pointer in the object */
	}
}
