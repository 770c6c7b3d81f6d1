#include "analysis/facts.h"

#include <string.h>
#include "base/array.h"
#include "base/map.h"

enum state {
	STATE_NEW,
	STATE_BUSY,
	STATE_DONE
};

typedef ARRAY(const struct kt_node *) node_array;

struct fn_info {
	enum state state;
	struct fx summary;
	struct locset ret;  /* what the returned pointer or reference designates */
	node_array callers; /* KT_CALL, KT_CONSTRUCT nodes */
	bool address_taken;
};

/* One way in which a variable comes to hold addresses. */
struct def {
	kt_id sym;
	const struct kt_node *value;
	bool binds; /* a reference: the lvalue itself, not what it points to */
};

struct event_list {
	struct event *v;
	size_t n;
};

struct kept {
	void *what;
	void (*release)(void *what);
};

struct facts {
	struct kt_unit *u;
	struct arena *arena;
	const struct intrinsic_db *db;
	struct fn_info *fn;
	struct locset *pts;   /* per symbol: what its value may point to */
	struct locset *roots; /* per parameter: what its pointee really is, over all callers */
	bool *exposed;	      /* per symbol: unknown code may hold its address */
	struct ids fn_of_body;
	ARRAY(struct def) defs;
	struct ids effects;    /* node -> struct fx, of those that were asked for */
	struct ids events;     /* node -> struct event_list, the same */
	struct arena *scratch; /* while effects or events are found */
	unsigned busy;	       /* depth of that */
	struct ids kept[FACTS_KEEPS];
	ARRAY(struct kept) keeps;
};

enum mode {
	MODE_VALUE,
	MODE_PLACE,
	MODE_WRITE,
	MODE_UPDATE
};

struct walk {
	struct facts *f;
	struct arena *a;
	unsigned flags;
	ARRAY(struct event) ev;
	unsigned conditional; /* depth of &&, ||, ?: arms: writes there are no kills */
	const struct access_visitor *visitor; /* or NULL */
};

static void visit(struct walk *w, const struct kt_node *n, enum mode mode);

struct kt_unit *facts_unit(const struct facts *f)
{
	return f->u;
}

const struct intrinsic_db *facts_intrinsics(const struct facts *f)
{
	return f->db;
}

static const struct kt_type *type_at(const struct facts *f, kt_id id)
{
	return &f->u->type[id < f->u->types ? id : 0];
}

/* Can a value of this type carry an address? */
static bool holds_pointers(const struct facts *f, kt_id type)
{
	const struct kt_type *t = type_at(f, type);
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

static bool is_kind(const struct facts *f, kt_id type, enum kt_type_kind k)
{
	return type_at(f, type)->kind == k;
}

/* ---- places and pointers ---- */

static bool is_array_node(const struct facts *f, const struct kt_node *n)
{
	return is_kind(f, n->type, KT_T_ARRAY);
}

static const struct kt_fn *callee_of(const struct facts *f, const struct kt_node *call)
{
	return call->fn ? &f->u->fn[call->fn] : NULL;
}

static const struct intrinsic *intrinsic_of(const struct facts *f, const struct kt_node *call)
{
	if (!f->db) {
		return NULL;
	}
	const struct kt_fn *fn = callee_of(f, call);
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

/* What this points to in the function around n. */
static loc_id this_loc(const struct facts *f, const struct kt_node *n)
{
	kt_id self = f->u->fn[facts_function_of(f, n)].self;
	return self ? LOC_DEREF(self) : LOC_THIS;
}

static void object_locs(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *object)
{
	if (object->kind == KT_THIS) {
		locset_add(out, a, this_loc(f, object));
	} else if (is_kind(f, object->type, KT_T_POINTER)) {
		facts_pointees(out, f, a, object);
	} else {
		facts_lvalue(out, f, a, object);
	}
}

/* What param of a callee designates at this call. */
static void argument_locs(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *call, size_t i)
{
	const struct kt_node *arg = argument(call, i);
	const struct kt_fn *fn = callee_of(f, call);
	if (!arg) {
		return; /* a default argument */
	}
	if (fn && i < fn->params && is_kind(f, f->u->sym[fn->param[i]].type, KT_T_REFERENCE)) {
		facts_lvalue(out, f, a, arg);
		if (holds_pointers(f, arg->type)) {
			facts_pointees(out, f, a, arg);
		}
	} else {
		facts_pointees(out, f, a, arg);
	}
}

/* A location of the callee, seen from the caller. */
static void map_loc(struct locset *out, struct facts *f, struct arena *a,
	const struct kt_node *call, loc_id loc)
{
	const struct kt_fn *fn = callee_of(f, call);
	const struct kt_node *object = object_of(call);
	if (loc == LOC_THIS && fn && fn->is_lambda) {
		/* the object of the method that the lambda stands in: known where that calls it */
		loc_id here = this_loc(f, call);
		locset_add(out, a, here == LOC_THIS ? LOC_UNKNOWN : here);
		return;
	}
	if (loc == LOC_THIS || (fn && fn->self && loc == LOC_DEREF(fn->self))) {
		if (object) {
			object_locs(out, f, a, object);
		}
		return; /* a constructor writes a new object */
	}
	for (size_t i = 0; LOC_IS_DEREF(loc) && fn && i < fn->params; i++) {
		if (fn->param[i] == LOC_SYM(loc)) {
			argument_locs(out, f, a, call, i);
			return;
		}
	}
	/* a parameter of the function around a lambda keeps its name, as its variables do */
	locset_add(out, a, loc);
}

static void call_result(
	struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	const struct kt_fn *fn = callee_of(f, n);
	if (fn && fn->body) {
		const struct locset *ret = &f->fn[n->fn].ret;
		for (uint32_t i = 0; i < ret->n; i++) {
			map_loc(out, f, a, n, ret->v[i]);
		}
		return;
	}
	const struct kt_node *object = object_of(n);
	if (object) {
		object_locs(out, f, a, object);
	}
	for (size_t i = 0; argument(n, i); i++) {
		facts_pointees(out, f, a, argument(n, i));
	}
	if (!intrinsic_of(f, n)) {
		locset_add(out, a, LOC_UNKNOWN);
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
		if (is_kind(f, s->type, KT_T_REFERENCE)) {
			if (s->kind == KT_S_PARAM) {
				locset_add(out, a, LOC_DEREF(n->sym));
			} else {
				locset_union(out, a, &f->pts[n->sym]);
			}
		} else {
			locset_add(out, a, LOC_VAR(n->sym));
		}
		return;
	}
	case KT_MEMBER:
		if (!n->n || !n->child[0]) {
			locset_add(out, a, this_loc(f, n));
		} else if (n->sym && is_kind(f, f->u->sym[n->sym].type, KT_T_REFERENCE)) {
			facts_pointees(out, f, a, n->child[0]);
		} else if (n->child[0]->kind == KT_THIS) {
			locset_add(out, a, this_loc(f, n));
		} else if (n->flags & KT_F_ARROW) {
			facts_pointees(out, f, a, n->child[0]);
		} else {
			facts_lvalue(out, f, a, n->child[0]);
		}
		return;
	case KT_INDEX:
		if (is_kind(f, n->child[0]->type, KT_T_POINTER)) {
			facts_pointees(out, f, a, n->child[0]);
		} else {
			facts_lvalue(out, f, a, n->child[0]);
		}
		return;
	case KT_UNARY:
		if (n->op == KT_OP_DEREF && n->n) {
			facts_pointees(out, f, a, n->child[0]);
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
		call_result(out, f, a, n);
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

void facts_pointees(struct locset *out, struct facts *f, struct arena *a, const struct kt_node *n)
{
	if (!holds_pointers(f, n->type) && n->kind != KT_REF && !is_array_node(f, n) &&
		n->kind != KT_CAST && n->kind != KT_EXPR_UNKNOWN) {
		return;
	}
	switch (n->kind) {
	case KT_REF:
		if (!n->sym) {
			return;
		}
		if (is_array_node(f, n)) {
			facts_lvalue(out, f, a, n);
			if (!holds_pointers(f, n->type)) {
				return;
			}
		}
		locset_union(out, a, &f->pts[n->sym]);
		return;
	case KT_MEMBER:
	case KT_INDEX:
		if (is_array_node(f, n)) {
			facts_lvalue(out, f, a, n);
			return;
		}
		if (n->n && n->child[0]) {
			if (is_kind(f, n->child[0]->type, KT_T_POINTER) &&
				n->child[0]->kind != KT_THIS) {
				/* a pointer loaded from memory that a pointer names */
				locset_add(out, a, LOC_GLOBAL);
				locset_add(out, a, LOC_UNKNOWN);
			}
			facts_pointees(out, f, a, n->child[0]);
		} else {
			locset_add(out, a, LOC_UNKNOWN);
		}
		return;
	case KT_THIS:
		locset_add(out, a, this_loc(f, n));
		return;
	case KT_UNARY:
		if (n->op == KT_OP_ADDR && n->n) {
			facts_lvalue(out, f, a, n->child[0]);
		} else if (n->op == KT_OP_DEREF) {
			locset_add(out, a, LOC_UNKNOWN);
		} else if (n->n) {
			facts_pointees(out, f, a, n->child[0]);
		}
		return;
	case KT_CALL:
		call_result(out, f, a, n);
		return;
	case KT_LITERAL:
	case KT_SIZEOF:
		return;
	case KT_CAST:
		if (n->n && is_kind(f, n->type, KT_T_POINTER) &&
			is_kind(f, n->child[0]->type, KT_T_INT) &&
			!(n->child[0]->flags & KT_F_VALUE)) {
			locset_add(out, a, LOC_UNKNOWN);
		}
		/* fall through */
	default:
		for (size_t i = 0; i < n->n; i++) {
			if (!n->child[i]) {
				continue;
			}
			facts_pointees(out, f, a, n->child[i]);
			if (n->kind == KT_CONSTRUCT || n->kind == KT_EXPR_UNKNOWN ||
				n->kind == KT_INIT_LIST) {
				/* it may bind what it is given */
				struct locset bound = {0};
				facts_lvalue(&bound, f, a, n->child[i]);
				if (is_kind(f, n->type, KT_T_RECORD) ||
					n->kind == KT_EXPR_UNKNOWN) {
					locset_union(out, a, &bound);
				}
			}
		}
		if (n->kind == KT_EXPR_UNKNOWN) {
			locset_add(out, a, LOC_UNKNOWN);
		}
		return;
	}
}

/* ---- events ---- */

static void emit(struct walk *w, enum event_kind kind, loc_id loc, const struct kt_node *n)
{
	if (kind == EVENT_KILL && w->conditional) {
		kind = EVENT_WRITE;
	}
	array_push(&w->ev, (struct event){kind, loc, n});
}

static void emit_set(
	struct walk *w, enum event_kind kind, const struct locset *s, const struct kt_node *n)
{
	if (kind == EVENT_KILL && s->n != 1) {
		kind = EVENT_WRITE;
	}
	for (uint32_t i = 0; i < s->n; i++) {
		bool precise = LOC_IS_SYM(s->v[i]);
		emit(w, kind == EVENT_KILL && !precise ? EVENT_WRITE : kind, s->v[i], n);
	}
}

/* Does writing lvalue n overwrite the object whole? */
static bool whole_object(const struct walk *w, const struct kt_node *n)
{
	return n->kind == KT_REF && n->sym && !is_array_node(w->f, n) &&
	       (w->f->u->sym[n->sym].kind == KT_S_PARAM ||
		       !is_kind(w->f, w->f->u->sym[n->sym].type, KT_T_REFERENCE));
}

static void access_place(struct walk *w, const struct kt_node *n, enum mode mode)
{
	struct locset s = {0};
	if (n->flags & KT_F_VOLATILE || type_at(w->f, n->type)->is_volatile) {
		w->flags |= FX_VOLATILE;
	}
	if (w->visitor) {
		w->visitor->place(w->visitor->user, n, mode != MODE_WRITE, mode != MODE_VALUE);
		return;
	}
	facts_lvalue(&s, w->f, w->a, n);
	if (mode == MODE_VALUE || mode == MODE_UPDATE) {
		emit_set(w, EVENT_READ, &s, n);
	}
	if (mode == MODE_WRITE) {
		emit_set(w, whole_object(w, n) ? EVENT_KILL : EVENT_WRITE, &s, n);
	} else if (mode == MODE_UPDATE) {
		emit_set(w, EVENT_WRITE, &s, n);
	}
}

static void visit_all(struct walk *w, const struct kt_node *n, enum mode mode)
{
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			visit(w, n->child[i], mode);
		}
	}
}

static void visit_unknown(struct walk *w, const struct kt_node *n)
{
	w->flags |= FX_UNKNOWN;
	visit_all(w, n, MODE_VALUE);
	if (w->visitor) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	struct locset s = {0};
	facts_lvalue(&s, w->f, w->a, n);
	facts_pointees(&s, w->f, w->a, n);
	locset_add(&s, w->a, LOC_UNKNOWN);
	emit_set(w, EVENT_READ, &s, n);
	emit_set(w, EVENT_WRITE, &s, n);
}

static unsigned intrinsic_flags(enum intrinsic_kind k)
{
	switch (k) {
	case INTRINSIC_MATRIX:
		return FX_MATRIX;
	case INTRINSIC_CROSSLANE:
		return FX_CROSSLANE;
	case INTRINSIC_BARRIER:
		return FX_BARRIER;
	case INTRINSIC_FENCE:
		return FX_FENCE;
	case INTRINSIC_ATOMIC:
		return FX_ATOMIC;
	case INTRINSIC_ASYNC:
		return FX_ASYNC;
	case INTRINSIC_TRAP:
		return FX_TRAP;
	default:
		return 0;
	}
}

/* Builtins get their memory effects from their pointer arguments. */
static void visit_intrinsic(struct walk *w, const struct kt_node *n, const struct intrinsic *in)
{
	w->flags |= intrinsic_flags(in->kind);
	struct locset mem = {0};
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *arg = n->child[i];
		bool array = is_array_node(w->f, arg);
		visit(w, arg, array ? MODE_PLACE : MODE_VALUE);
		if (array || is_kind(w->f, arg->type, KT_T_POINTER)) {
			facts_pointees(&mem, w->f, w->a, arg);
		}
	}
	if (w->visitor) {
		w->visitor->call(w->visitor->user, n, in);
		return;
	}
	bool writes = in->kind != INTRINSIC_LOAD;
	bool reads = in->kind != INTRINSIC_STORE;
	if (in->kind == INTRINSIC_BARRIER || in->kind == INTRINSIC_FENCE) {
		reads = writes = false;
	}
	if (reads) {
		emit_set(w, EVENT_READ, &mem, n);
	}
	if (writes) {
		emit_set(w, EVENT_WRITE, &mem, n);
	}
}

static bool by_reference(const struct walk *w, const struct kt_fn *fn, size_t param)
{
	return fn && param < fn->params &&
	       is_kind(w->f, w->f->u->sym[fn->param[param]].type, KT_T_REFERENCE);
}

static void visit_arguments(struct walk *w, const struct kt_node *n)
{
	const struct kt_fn *fn = callee_of(w->f, n);
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	for (size_t i = 0; i < n->n; i++) {
		bool place = i < first || by_reference(w, fn, i - first) ||
			     is_array_node(w->f, n->child[i]);
		if (i < first && is_kind(w->f, n->child[i]->type, KT_T_POINTER)) {
			place = false;
		}
		visit(w, n->child[i], place ? MODE_PLACE : MODE_VALUE);
	}
}

static void emit_summary(struct walk *w, const struct kt_node *n, const struct fx *fx)
{
	w->flags |= fx->flags & ~(unsigned)FX_RETURN;
	bool uses_this = locset_has(&fx->reads, LOC_THIS) || locset_has(&fx->writes, LOC_THIS);
	if (uses_this && w->f->u->fn[n->fn].is_lambda && this_loc(w->f, n) == LOC_THIS) {
		w->flags |= FX_UNKNOWN; /* whose object it is cannot be told here */
	}
	struct locset s = {0};
	for (uint32_t i = 0; i < fx->reads.n; i++) {
		map_loc(&s, w->f, w->a, n, fx->reads.v[i]);
	}
	emit_set(w, EVENT_READ, &s, n);
	s = (struct locset){0};
	for (uint32_t i = 0; i < fx->writes.n; i++) {
		map_loc(&s, w->f, w->a, n, fx->writes.v[i]);
	}
	for (uint32_t i = 0; i < s.n; i++) {
		emit(w, EVENT_WRITE, s.v[i], n);
	}
}

static void visit_call(struct walk *w, const struct kt_node *n)
{
	const struct intrinsic *in = intrinsic_of(w->f, n);
	if (in) {
		visit_intrinsic(w, n, in);
		return;
	}
	const struct kt_fn *fn = callee_of(w->f, n);
	visit_arguments(w, n);
	if (fn && fn->body) {
		if (w->visitor) {
			w->visitor->call(w->visitor->user, n, NULL);
		} else {
			emit_summary(w, n, facts_summary(w->f, n->fn));
		}
		return;
	}
	if (n->kind == KT_CONSTRUCT && fn) {
		/* no body although the unit is whole: implicit, reads its arguments */
		struct locset s = {0};
		for (size_t i = 0; i < n->n; i++) {
			if (w->visitor) {
				w->visitor->place(w->visitor->user, n->child[i], true, false);
				continue;
			}
			facts_lvalue(&s, w->f, w->a, n->child[i]);
		}
		emit_set(w, EVENT_READ, &s, n);
		return;
	}
	if (fn && n->flags & KT_F_OPERATOR && n->n == 2 && strcmp(n->text, "operator=") == 0) {
		/* an implicit assignment: no body anywhere */
		struct locset s = {0};
		if (w->visitor) {
			w->visitor->place(w->visitor->user, n->child[1], true, false);
		} else {
			facts_lvalue(&s, w->f, w->a, n->child[1]);
			emit_set(w, EVENT_READ, &s, n);
		}
		access_place(w, n->child[0], MODE_WRITE);
		return;
	}
	w->flags |= FX_UNKNOWN;
	if (w->visitor) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	struct locset s = {0};
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	locset_add(&s, w->a, LOC_UNKNOWN);
	for (size_t i = 0; i < n->n; i++) {
		/* a declaration says which arguments go by value */
		if (!fn || i < first || by_reference(w, fn, i - first)) {
			facts_lvalue(&s, w->f, w->a, n->child[i]);
		}
		facts_pointees(&s, w->f, w->a, n->child[i]);
	}
	emit_set(w, EVENT_READ, &s, n);
	emit_set(w, EVENT_WRITE, &s, n);
}

/* Evaluates what an lvalue needs (indexes, pointers), not the object itself. */
static void visit_designator(struct walk *w, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
	case KT_THIS:
		return;
	case KT_MEMBER:
		if (n->n && n->child[0]) {
			visit(w, n->child[0], n->flags & KT_F_ARROW ? MODE_VALUE : MODE_PLACE);
		}
		return;
	case KT_INDEX: {
		bool pointer = is_kind(w->f, n->child[0]->type, KT_T_POINTER);
		visit(w, n->child[0], pointer ? MODE_VALUE : MODE_PLACE);
		visit(w, n->child[1], MODE_VALUE);
		return;
	}
	case KT_UNARY:
		if (n->op == KT_OP_DEREF && n->n) {
			visit(w, n->child[0], MODE_VALUE);
			return;
		}
		break;
	case KT_CAST:
		if (n->n) {
			visit(w, n->child[0], MODE_PLACE);
		}
		return;
	default:
		break;
	}
	visit(w, n, MODE_VALUE);
}

static bool is_place(const struct kt_node *n)
{
	return n->kind == KT_REF || n->kind == KT_MEMBER || n->kind == KT_INDEX ||
	       (n->kind == KT_UNARY && n->op == KT_OP_DEREF);
}

static void visit_unary(struct walk *w, const struct kt_node *n)
{
	if (!n->n) {
		return;
	}
	switch (n->op) {
	case KT_OP_PREINC:
	case KT_OP_PREDEC:
	case KT_OP_POSTINC:
	case KT_OP_POSTDEC:
		visit(w, n->child[0], MODE_UPDATE);
		break;
	case KT_OP_ADDR:
		visit(w, n->child[0], MODE_PLACE);
		break;
	default:
		visit(w, n->child[0], MODE_VALUE);
		break;
	}
}

static void visit_var(struct walk *w, const struct kt_node *n)
{
	const struct kt_sym *s = &w->f->u->sym[n->sym];
	bool reference = is_kind(w->f, s->type, KT_T_REFERENCE);
	if (n->n) {
		visit(w, n->child[0], reference ? MODE_PLACE : MODE_VALUE);
	}
	if (!reference && s->kind == KT_S_LOCAL) {
		/* a new object each time: nothing of the old one is left */
		emit(w, EVENT_KILL, LOC_VAR(n->sym), n);
	}
}

/* Inline asm: only an empty template, or one that just waits or does nothing, is harmless. */
static void visit_asm(struct walk *w, const struct kt_node *n)
{
	if (w->visitor) {
		w->visitor->opaque(w->visitor->user, n);
		return;
	}
	struct str t = str_of(n->text ? n->text : "");
	size_t q = str_find(t, "\"", 0);
	struct str rest = q == SIZE_MAX ? t : str_sub(t, q + 1, t.n);
	size_t e = str_find(rest, "\"", 0);
	struct str body = str_trim(str_sub(rest, 0, e == SIZE_MAX ? rest.n : e));
	bool operands = str_find(t, ":", 0) != SIZE_MAX;
	if (!operands && (body.n == 0 || str_starts(body, "s_nop") ||
				 str_starts(body, "s_waitcnt") || str_starts(body, ";"))) {
		w->flags |= FX_FENCE;
		return;
	}
	w->flags |= FX_ASM | FX_UNKNOWN;
	emit(w, EVENT_READ, LOC_UNKNOWN, n);
	emit(w, EVENT_WRITE, LOC_UNKNOWN, n);
}

static void visit(struct walk *w, const struct kt_node *n, enum mode mode)
{
	if (is_place(n)) {
		if (n->kind == KT_REF && n->fn) {
			return; /* a function's name */
		}
		visit_designator(w, n);
		bool decays = mode == MODE_VALUE && is_array_node(w->f, n);
		if (mode != MODE_PLACE && !decays) {
			access_place(w, n, mode);
		}
		return;
	}
	switch (n->kind) {
	case KT_ASSIGN:
		if (n->n < 2) {
			visit_all(w, n, MODE_WRITE);
			return;
		}
		visit(w, n->child[1], MODE_VALUE);
		visit(w, n->child[0], n->op == KT_OP_NONE ? MODE_WRITE : MODE_UPDATE);
		break;
	case KT_UNARY:
		visit_unary(w, n);
		break;
	case KT_BINARY:
		visit(w, n->child[0], n->op == KT_OP_COMMA ? MODE_PLACE : MODE_VALUE);
		w->conditional += n->op == KT_OP_LAND || n->op == KT_OP_LOR;
		visit(w, n->child[1], n->op == KT_OP_COMMA ? mode : MODE_VALUE);
		w->conditional -= n->op == KT_OP_LAND || n->op == KT_OP_LOR;
		return;
	case KT_COND:
		visit(w, n->child[KT_COND_COND], MODE_VALUE);
		w->conditional++;
		visit(w, n->child[KT_COND_THEN], mode);
		visit(w, n->child[KT_COND_ELSE], mode);
		w->conditional--;
		return;
	case KT_CALL:
	case KT_CONSTRUCT:
		visit_call(w, n);
		break;
	case KT_CAST:
		if (n->n) {
			visit(w, n->child[0], mode);
		}
		return;
	case KT_VAR:
		visit_var(w, n);
		return;
	case KT_ASM:
		visit_asm(w, n);
		return;
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		visit_unknown(w, n);
		return;
	case KT_SIZEOF:
	case KT_THIS:
		return;
	default:
		visit_all(w, n, MODE_VALUE);
		return;
	}
	/* A call, an assignment or an increment is an lvalue too: the place it yields may be used.
	 */
	if (mode == MODE_PLACE || !n->type) {
		return;
	}
	bool yields_place = n->kind == KT_CALL && n->fn &&
			    is_kind(w->f, w->f->u->fn[n->fn].ret, KT_T_REFERENCE);
	if (yields_place && !is_array_node(w->f, n)) {
		access_place(w, n, mode);
	} else if (n->kind == KT_ASSIGN && mode != MODE_VALUE) {
		access_place(w, n, mode);
	}
}

void facts_accesses(
	struct facts *f, struct arena *a, const struct kt_node *n, const struct access_visitor *v)
{
	struct walk w = {.f = f, .a = a, .visitor = v};
	if (n->kind == KT_RETURN) {
		visit_all(&w, n, MODE_VALUE);
	} else {
		visit(&w, n, MODE_VALUE);
	}
	array_release(&w.ev);
}

/* Around what calls itself through summaries: their scratch goes when the outermost ends. */
static void scratch_begin(struct facts *f)
{
	f->busy++;
}

static void scratch_end(struct facts *f)
{
	if (--f->busy == 0) {
		arena_clear(f->scratch);
	}
}

struct event *facts_events(struct facts *f, const struct kt_node *n, size_t *count)
{
	const struct event_list *known = (struct event_list *)ids_get(&f->events, (uintptr_t)n, 0);
	if (!known) {
		struct walk w = {.f = f, .a = f->scratch};
		scratch_begin(f);
		visit(&w, n, MODE_VALUE);
		struct event_list *l = ARENA_NEW(f->arena, struct event_list);
		*l = (struct event_list){array_to_arena(f->arena, &w.ev), w.ev.n};
		scratch_end(f);
		array_release(&w.ev);
		ids_set(&f->events, (uintptr_t)n, (uintptr_t)l);
		known = l;
	}
	*count = known->n;
	return known->v;
}

/* ---- effects of statements ---- */

static unsigned walk_stmt(struct walk *w, const struct kt_node *n);

static unsigned walk_children(struct walk *w, const struct kt_node *n)
{
	unsigned exits = 0;
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			exits |= walk_stmt(w, n->child[i]);
		}
	}
	return exits;
}

/* Events and flags go to w; returns the FX_BREAK, FX_CONTINUE, FX_LABEL that leave n. */
static unsigned walk_stmt(struct walk *w, const struct kt_node *n)
{
	if (!kt_is_stmt(n->kind)) {
		visit(w, n, MODE_VALUE);
		return 0;
	}
	switch (n->kind) {
	case KT_BREAK:
		return FX_BREAK;
	case KT_CONTINUE:
		return FX_CONTINUE;
	case KT_RETURN:
		w->flags |= FX_RETURN;
		return walk_children(w, n);
	case KT_GOTO:
		w->flags |= FX_GOTO;
		return 0;
	case KT_LABEL:
		w->flags |= FX_LABEL;
		return walk_children(w, n);
	case KT_CASE:
	case KT_DEFAULT:
		return walk_children(w, n) | FX_LABEL;
	case KT_SWITCH:
		return walk_children(w, n) & ~(unsigned)(FX_BREAK | FX_LABEL);
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
		return walk_children(w, n) & ~(unsigned)(FX_BREAK | FX_CONTINUE);
	case KT_RANGE_FOR: {
		visit(w, n->child[KT_RANGE_RANGE], MODE_PLACE);
		struct locset s = {0};
		facts_lvalue(&s, w->f, w->a, n->child[KT_RANGE_RANGE]);
		const struct kt_node *var = n->child[KT_RANGE_VAR];
		if (!is_kind(w->f, var->type, KT_T_REFERENCE)) {
			emit_set(w, EVENT_READ, &s, n);
		}
		emit(w, EVENT_KILL, LOC_VAR(var->sym), var);
		return walk_stmt(w, n->child[KT_RANGE_BODY]) & ~(unsigned)(FX_BREAK | FX_CONTINUE);
	}
	case KT_ASM:
	case KT_STMT_UNKNOWN:
		visit(w, n, MODE_VALUE);
		return 0;
	default:
		return walk_children(w, n);
	}
}

static void collect_locals(struct locset *out, struct arena *a, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_VAR && n->sym) {
			locset_add(out, a, LOC_VAR(n->sym));
		}
	}
}

/* The set as an arena keeps it: no room to grow. */
static struct locset keep_set(struct arena *a, const struct locset *s)
{
	return (struct locset){
		.v = s->n ? arena_memdup(a, s->v, s->n * sizeof(*s->v)) : NULL, .n = s->n};
}

static void find_effects(struct fx *out, struct facts *f, const struct kt_node *n)
{
	struct walk w = {.f = f, .a = f->scratch};
	struct fx fx = {0};
	scratch_begin(f);
	unsigned exits = walk_stmt(&w, n);
	struct locset own = {0};
	collect_locals(&own, f->scratch, n);
	array_each (&w.ev, struct event, e) {
		if (LOC_IS_VAR(e->loc) && locset_has(&own, e->loc) &&
			f->u->sym[LOC_SYM(e->loc)].kind == KT_S_LOCAL) {
			continue;
		}
		locset_add(e->kind == EVENT_READ ? &fx.reads : &fx.writes, f->scratch, e->loc);
	}
	*out = (struct fx){
		keep_set(f->arena, &fx.reads), keep_set(f->arena, &fx.writes), w.flags | exits};
	scratch_end(f);
	array_release(&w.ev);
}

void facts_effects(struct fx *out, struct facts *f, const struct kt_node *n)
{
	const struct fx *known = (struct fx *)ids_get(&f->effects, (uintptr_t)n, 0);
	if (!known) {
		struct fx *fx = ARENA_NEW(f->arena, struct fx);
		find_effects(fx, f, n);
		ids_set(&f->effects, (uintptr_t)n, (uintptr_t)fx);
		known = fx;
	}
	*out = *known;
}

/* Only what a caller can see: not the function's own variables. */
static void drop_own(struct facts *f, struct locset *s, kt_id fn)
{
	struct locset kept = {0};
	for (uint32_t i = 0; i < s->n; i++) {
		loc_id loc = s->v[i];
		bool own = LOC_IS_VAR(loc) && f->u->sym[LOC_SYM(loc)].fn == fn;
		if (!own) {
			locset_add(&kept, f->arena, loc);
		}
	}
	*s = kept;
}

void facts_at_call(struct fx *out, struct facts *f, struct arena *a, const struct kt_node *call,
	const struct fx *fx)
{
	struct fx in = *fx;
	*out = (struct fx){.flags = fx->flags};
	drop_own(f, &in.reads, call->fn);
	drop_own(f, &in.writes, call->fn);
	for (uint32_t i = 0; i < in.reads.n; i++) {
		map_loc(&out->reads, f, a, call, in.reads.v[i]);
	}
	for (uint32_t i = 0; i < in.writes.n; i++) {
		map_loc(&out->writes, f, a, call, in.writes.v[i]);
	}
}

static const struct fx *unknown_fx(struct facts *f)
{
	struct fx *fx = ARENA_NEW(f->arena, struct fx);
	locset_add(&fx->reads, f->arena, LOC_UNKNOWN);
	locset_add(&fx->writes, f->arena, LOC_UNKNOWN);
	fx->flags = FX_UNKNOWN;
	return fx;
}

const struct fx *facts_summary(struct facts *f, kt_id fn)
{
	struct fn_info *info = &f->fn[fn];
	if (!f->u->fn[fn].body || info->state == STATE_BUSY) {
		return unknown_fx(f); /* no body, or recursion */
	}
	if (info->state == STATE_NEW) {
		info->state = STATE_BUSY;
		find_effects(&info->summary, f, f->u->fn[fn].body);
		drop_own(f, &info->summary.reads, fn);
		drop_own(f, &info->summary.writes, fn);
		info->summary.flags &=
			~(unsigned)(FX_BREAK | FX_CONTINUE | FX_LABEL | FX_GOTO | FX_RETURN);
		info->state = STATE_DONE;
	}
	return &info->summary;
}

/* ---- whole-unit analysis ---- */

static kt_id root_sym(const struct kt_node *n)
{
	while (n && n->kind != KT_REF) {
		bool down = n->kind == KT_MEMBER || n->kind == KT_INDEX || n->kind == KT_CAST;
		n = down && n->n ? n->child[0] : NULL;
	}
	return n ? n->sym : 0;
}

static void add_def(struct facts *f, kt_id sym, const struct kt_node *value, bool binds)
{
	if (sym && value && holds_pointers(f, f->u->sym[sym].type)) {
		array_push(&f->defs, (struct def){sym, value, binds});
	}
}

static void index_node(struct facts *f, const struct kt_node *n)
{
	if ((n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && n->fn) {
		array_push(&f->fn[n->fn].callers, n);
	}
	if (n->kind == KT_REF && n->fn) {
		f->fn[n->fn].address_taken = true;
	} else if (n->kind == KT_VAR && n->sym) {
		bool ref = is_kind(f, f->u->sym[n->sym].type, KT_T_REFERENCE);
		add_def(f, n->sym, n->n ? n->child[0] : NULL, ref);
	} else if (n->kind == KT_ASSIGN && n->n == 2 && n->op == KT_OP_NONE) {
		add_def(f, root_sym(n->child[0]), n->child[1], false);
	} else if (n->kind == KT_CALL && n->n == 2 && n->flags & KT_F_OPERATOR && n->text &&
		   strcmp(n->text, "operator=") == 0) {
		add_def(f, root_sym(n->child[0]), n->child[1], false);
	} else if (n->kind == KT_RANGE_FOR) {
		const struct kt_node *var = n->child[KT_RANGE_VAR];
		bool ref = is_kind(f, var->type, KT_T_REFERENCE);
		add_def(f, var->sym, n->child[KT_RANGE_RANGE], ref);
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
			index_node(f, n);
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
		} else if (s->kind == KT_S_GLOBAL && !is_kind(f, s->type, KT_T_ARRAY)) {
			locset_add(&f->pts[id], f->arena, LOC_GLOBAL);
			locset_add(&f->pts[id], f->arena, LOC_UNKNOWN);
		}
	}
}

static bool grow_returns(struct facts *f)
{
	bool grew = false;
	for (kt_id id = 1; id < f->u->fns; id++) {
		const struct kt_fn *fn = &f->u->fn[id];
		if (!fn->body || !holds_pointers(f, fn->ret)) {
			continue;
		}
		bool ref = is_kind(f, fn->ret, KT_T_REFERENCE);
		for (const struct kt_node *n = fn->body; n; n = kt_next(n, fn->body)) {
			if (n->kind != KT_RETURN || !n->n) {
				continue;
			}
			struct locset s = {0};
			if (ref) {
				facts_lvalue(&s, f, f->arena, n->child[0]);
			}
			facts_pointees(&s, f, f->arena, n->child[0]);
			grew |= locset_union(&f->fn[id].ret, f->arena, &s);
		}
	}
	return grew;
}

static void solve_pointees(struct facts *f)
{
	seed_pointees(f);
	for (bool grew = true; grew;) {
		grew = grow_returns(f);
		array_each (&f->defs, struct def, d) {
			struct locset s = {0};
			if (d->binds) {
				facts_lvalue(&s, f, f->arena, d->value);
				if (holds_pointers(f, d->value->type)) {
					facts_pointees(&s, f, f->arena, d->value);
				}
			} else {
				facts_pointees(&s, f, f->arena, d->value);
			}
			grew |= locset_union(&f->pts[d->sym], f->arena, &s);
		}
	}
}

/* What a location of a body really is, over all callers. */
static void resolve(struct locset *out, struct facts *f, loc_id loc)
{
	if (LOC_IS_DEREF(loc)) {
		locset_union(out, f->arena, &f->roots[LOC_SYM(loc)]);
	} else {
		locset_add(out, f->arena, loc);
	}
}

static bool add_roots(struct facts *f, kt_id param, const struct locset *from)
{
	struct locset r = {0};
	for (uint32_t k = 0; k < from->n; k++) {
		resolve(&r, f, from->v[k]);
	}
	return locset_union(&f->roots[param], f->arena, &r);
}

static bool roots_from_call(struct facts *f, const struct kt_node *call)
{
	const struct kt_fn *fn = &f->u->fn[call->fn];
	bool grew = false;
	if (fn->self && object_of(call)) {
		struct locset s = {0};
		object_locs(&s, f, f->arena, object_of(call));
		grew |= add_roots(f, fn->self, &s);
	}
	for (size_t i = 0; i < fn->params; i++) {
		if (!holds_pointers(f, f->u->sym[fn->param[i]].type)) {
			continue;
		}
		struct locset s = {0};
		argument_locs(&s, f, f->arena, call, i);
		grew |= add_roots(f, fn->param[i], &s);
	}
	return grew;
}

static void solve_roots(struct facts *f)
{
	for (kt_id id = 1; id < f->u->fns; id++) {
		const struct kt_fn *fn = &f->u->fn[id];
		bool outside = fn->kind == KT_FN_KERNEL || f->fn[id].address_taken || f->u->open;
		if (outside && fn->self) {
			locset_add(&f->roots[fn->self], f->arena, LOC_UNKNOWN);
		}
		for (size_t i = 0; outside && i < fn->params; i++) {
			loc_id own = LOC_DEREF(fn->param[i]);
			locset_add(&f->roots[fn->param[i]], f->arena,
				fn->kind == KT_FN_KERNEL ? own : LOC_UNKNOWN);
		}
	}
	for (bool grew = true; grew;) {
		grew = false;
		for (kt_id id = 1; id < f->u->fns; id++) {
			for (size_t i = 0; i < f->fn[id].callers.n; i++) {
				grew |= roots_from_call(f, f->fn[id].callers.v[i]);
			}
		}
	}
}

static void expose(struct facts *f, const struct locset *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		struct locset r = {0};
		resolve(&r, f, s->v[i]);
		for (uint32_t k = 0; k < r.n; k++) {
			if (LOC_IS_SYM(r.v[k])) {
				f->exposed[LOC_SYM(r.v[k])] = true;
			}
		}
	}
}

/* Addresses that reach unknown code or memory. */
static void solve_exposed(struct facts *f)
{
	for (kt_id id = 1; id < f->u->fns; id++) {
		const struct kt_node *body = f->u->fn[id].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			struct locset s = {0};
			bool call = n->kind == KT_CALL && !intrinsic_of(f, n) &&
				    (!n->fn || !f->u->fn[n->fn].body);
			if (call || n->kind == KT_EXPR_UNKNOWN || n->kind == KT_STMT_UNKNOWN) {
				for (size_t i = 0; i < n->n; i++) {
					if (n->child[i]) {
						facts_pointees(&s, f, f->arena, n->child[i]);
						facts_lvalue(&s, f, f->arena, n->child[i]);
					}
				}
			} else if (n->kind == KT_ASSIGN && n->n == 2 &&
				   holds_pointers(f, n->child[1]->type)) {
				struct locset to = {0};
				facts_lvalue(&to, f, f->arena, n->child[0]);
				bool local = true;
				for (uint32_t i = 0; i < to.n; i++) {
					local &= LOC_IS_VAR(to.v[i]) &&
						 f->u->sym[LOC_SYM(to.v[i])].kind != KT_S_GLOBAL;
				}
				if (!local) {
					facts_pointees(&s, f, f->arena, n->child[1]);
				}
			}
			expose(f, &s);
		}
	}
}

struct facts *facts_create(struct kt_unit *u, struct arena *a, const struct intrinsic_db *db)
{
	struct facts *f = ARENA_NEW(a, struct facts);
	f->u = u;
	f->arena = a;
	f->db = db;
	f->fn = ARENA_ARRAY(a, struct fn_info, u->fns);
	f->pts = ARENA_ARRAY(a, struct locset, u->syms);
	f->roots = ARENA_ARRAY(a, struct locset, u->syms);
	f->exposed = ARENA_ARRAY(a, bool, u->syms);
	f->scratch = arena_create();
	index_unit(f);
	solve_pointees(f);
	solve_roots(f);
	solve_exposed(f);
	return f;
}

void facts_release(struct facts *f)
{
	for (kt_id id = 0; id < f->u->fns; id++) {
		array_release(&f->fn[id].callers);
	}
	array_each (&f->keeps, struct kept, k) {
		k->release(k->what);
	}
	array_release(&f->keeps);
	for (size_t i = 0; i < FACTS_KEEPS; i++) {
		ids_release(&f->kept[i]);
	}
	array_release(&f->defs);
	ids_release(&f->fn_of_body);
	ids_release(&f->effects);
	ids_release(&f->events);
	arena_free(f->scratch);
}

void *facts_kept(const struct facts *f, enum facts_keep what, kt_id fn)
{
	return (void *)ids_get(&f->kept[what], (uintptr_t)fn + 1, 0);
}

void facts_keep(
	struct facts *f, enum facts_keep what, kt_id fn, void *p, void (*release)(void *what))
{
	ids_set(&f->kept[what], (uintptr_t)fn + 1, (uintptr_t)p);
	array_push(&f->keeps, (struct kept){p, release});
}

struct arena *facts_arena(const struct facts *f)
{
	return f->arena;
}

/* ---- aliasing ---- */

static bool is_restrict(const struct facts *f, kt_id sym)
{
	return strstr(type_at(f, f->u->sym[sym].type)->canon, "restrict") != NULL;
}

static bool is_dynamic_shared(const struct facts *f, kt_id sym)
{
	const struct kt_type *t = type_at(f, f->u->sym[sym].type);
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

static bool roots_alias(struct facts *f, loc_id x, loc_id y)
{
	if (x == y) {
		return true;
	}
	if (x == LOC_UNKNOWN || y == LOC_UNKNOWN) {
		loc_id other = x == LOC_UNKNOWN ? y : x;
		if (LOC_IS_VAR(other) && f->u->sym[LOC_SYM(other)].space == KT_PRIVATE) {
			return f->exposed[LOC_SYM(other)];
		}
		return true;
	}
	if (x == LOC_THIS || y == LOC_THIS) {
		loc_id other = x == LOC_THIS ? y : x;
		return !(LOC_IS_VAR(other) && f->u->sym[LOC_SYM(other)].space == KT_PRIVATE &&
			 !f->exposed[LOC_SYM(other)]);
	}
	if (LOC_IS_DEREF(x) && LOC_IS_DEREF(y)) {
		return !is_restrict(f, LOC_SYM(x)) && !is_restrict(f, LOC_SYM(y));
	}
	if (LOC_IS_VAR(x) && LOC_IS_VAR(y)) {
		return is_dynamic_shared(f, LOC_SYM(x)) && is_dynamic_shared(f, LOC_SYM(y));
	}
	return is_global_memory(f, x) && is_global_memory(f, y);
}

static bool is_own_local(const struct facts *f, loc_id loc)
{
	return LOC_IS_VAR(loc) && f->u->sym[LOC_SYM(loc)].kind != KT_S_GLOBAL;
}

bool facts_may_alias(struct facts *f, loc_id x, loc_id y)
{
	if (x == y) {
		return true;
	}
	bool dx = LOC_IS_DEREF(x), dy = LOC_IS_DEREF(y);
	if (!dx && !dy) {
		return roots_alias(f, x, y);
	}
	/* A function's parameters existed before its locals: they cannot point there. */
	if ((dx && is_own_local(f, y) && f->u->sym[LOC_SYM(y)].fn == f->u->sym[LOC_SYM(x)].fn) ||
		(dy && is_own_local(f, x) &&
			f->u->sym[LOC_SYM(x)].fn == f->u->sym[LOC_SYM(y)].fn)) {
		return false;
	}
	if (dx && dy && (is_restrict(f, LOC_SYM(x)) || is_restrict(f, LOC_SYM(y)))) {
		return false;
	}
	struct locset rx = {0}, ry = {0};
	resolve(&rx, f, x);
	resolve(&ry, f, y);
	if (rx.n == 0 || ry.n == 0) {
		return true; /* nobody calls it: nothing is known */
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
		*out = "code that unphi cannot see through stands between";
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
		*out = "both are barriers, fences, atomics or volatile, whose order counts";
		return true;
	}
	if (memory_order(f, x, y)) {
		*out = "a barrier, fence, atomic or volatile access orders the memory access";
		return true;
	}
	return false;
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
	const struct locset *r = &f->roots[p];
	bool reference = is_kind(f, f->u->sym[p].type, KT_T_REFERENCE);
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->v[i] == LOC_UNKNOWN && f->u->open && reference) {
			continue; /* callers elsewhere are taken to do as the ones here */
		}
		if (!LOC_IS_VAR(r->v[i]) || f->u->sym[LOC_SYM(r->v[i])].space != KT_PRIVATE) {
			return false;
		}
	}
	if (r->n == 0) {
		/* nobody calls it: a reference is taken to name a private object */
		return reference;
	}
	return true;
}

const char *facts_loc_name(struct facts *f, struct arena *a, loc_id loc)
{
	switch (loc) {
	case LOC_NONE:
	case LOC_UNKNOWN:
		return "unknown memory";
	case LOC_GLOBAL:
		return "global memory";
	case LOC_THIS:
		return "*this";
	default:
		break;
	}
	const struct kt_sym *s = &f->u->sym[LOC_SYM(loc)];
	if (LOC_IS_DEREF(loc) && !is_kind(f, s->type, KT_T_REFERENCE)) {
		return arena_printf(a, "*%s", s->name);
	}
	return s->name;
}

kt_id facts_loc_type(struct facts *f, loc_id loc)
{
	if (!LOC_IS_SYM(loc)) {
		return 0;
	}
	kt_id t = f->u->sym[LOC_SYM(loc)].type;
	return LOC_IS_DEREF(loc) ? type_at(f, t)->elem : t;
}

/* ---- call graph ---- */

kt_id facts_function_of(const struct facts *f, const struct kt_node *n)
{
	while (n->parent) {
		n = n->parent;
	}
	return (kt_id)ids_get(&f->fn_of_body, (uintptr_t)n, 0);
}

bool facts_is_open(const struct facts *f, kt_id fn)
{
	return f->fn[fn].address_taken || f->u->open || f->u->erroneous || f->fn[fn].callers.n == 0;
}

const struct intrinsic *facts_intrinsic(const struct facts *f, const struct kt_node *call)
{
	return intrinsic_of(f, call);
}

void facts_callers(const struct kt_node *const **out, size_t *n, struct facts *f, kt_id fn)
{
	*out = f->fn[fn].callers.v;
	*n = f->fn[fn].callers.n;
}

void facts_kernels_of(kt_id **out, size_t *n, struct facts *f, struct arena *a, kt_id fn)
{
	bool *seen = ARENA_ARRAY(a, bool, f->u->fns);
	ARRAY(kt_id) queue = {0};
	ARRAY(kt_id) kernels = {0};
	array_push(&queue, fn);
	seen[fn] = true;
	for (size_t i = 0; i < queue.n; i++) {
		kt_id at = queue.v[i];
		if (f->u->fn[at].kind == KT_FN_KERNEL) {
			array_push(&kernels, at);
		}
		for (size_t k = 0; k < f->fn[at].callers.n; k++) {
			kt_id caller = facts_function_of(f, f->fn[at].callers.v[k]);
			if (caller && !seen[caller]) {
				seen[caller] = true;
				array_push(&queue, caller);
			}
		}
	}
	*out = array_to_arena(a, &kernels);
	*n = kernels.n;
	array_release(&queue);
	array_release(&kernels);
}
