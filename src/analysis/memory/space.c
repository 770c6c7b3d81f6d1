#include "analysis/memory/space.h"

/* The facts of a variable. spaces is the memory that a pointer may point to; of a reference, the
 * memory of its possible targets. */
struct var {
	unsigned spaces;
	bool declared; /* the declaration was seen, so all values are known */
	bool exposed;  /* a pointer that may be set through its address or a reference */
};

struct spaces {
	struct facts *f;
	struct kt_unit *u;
	const struct uniformity *uniformity;
	struct var *var;       /* by symbol */
	unsigned *ret;	       /* by function: memory of the returned pointer or reference */
	unsigned *self;	       /* by function: memory of a method's object */
	unsigned memory;       /* that pointers in records, arrays and memory may point to */
	bool reference_fields; /* some record holds a reference */
	bool unions;	       /* a pointer may be read that was written as another type */
	bool changed;
};

static void grow(struct spaces *s, unsigned *to, unsigned by)
{
	if (by & ~*to) {
		*to |= by;
		s->changed = true;
	}
}

static void expose(struct spaces *s, kt_id sym)
{
	if (!s->var[sym].exposed) {
		s->var[sym].exposed = true;
		s->changed = true;
	}
}

/* Is it a record passed by the host? Its pointers point to global memory. */
static bool is_kernel_record(const struct spaces *s, kt_id sym)
{
	const struct kt_sym *v = &s->u->sym[sym];
	return v->kind == KT_S_PARAM && s->u->fn[v->fn].kind == KT_FN_KERNEL &&
	       !kt_is_reference(s->u, sym) && s->u->type[v->type].kind != KT_T_POINTER;
}

/* The variable that the lvalue n is a part of, or 0. */
static kt_id root_of(const struct spaces *s, const struct kt_node *n)
{
	while (n && n->kind != KT_REF) {
		bool part = (n->kind == KT_MEMBER && !(n->flags & KT_F_ARROW)) ||
			    (n->kind == KT_INDEX && !kt_is_pointer(s->u, n->child[0])) ||
			    n->kind == KT_CAST;
		n = part && n->n ? n->child[0] : NULL;
	}
	return n ? n->sym : 0;
}

/* The memory for a pointer read from the lvalue n, which is not a plain variable. */
static unsigned loaded(struct spaces *s, const struct kt_node *n)
{
	kt_id root = root_of(s, n);
	if (s->unions) {
		return SPACE_ANY;
	}
	if (root && kt_is_variable(s->u, root) && is_kernel_record(s, root)) {
		return SPACE_GLOBAL | (s->var[root].exposed ? s->memory : 0);
	}
	unsigned at = spaces_of_lvalue(s, n);
	/* pointers that the host left in global memory point to global memory */
	return s->memory | (at & ~(unsigned)(SPACE_PRIVATE | SPACE_SHARED) ? SPACE_GLOBAL : 0);
}

static unsigned ref_pointer(struct spaces *s, const struct kt_node *n)
{
	const struct kt_sym *v = &s->u->sym[n->sym];
	if (!n->sym) {
		return 0; /* a function */
	}
	if (!kt_is_variable(s->u, n->sym)) {
		return v->space == KT_CONSTANT ? SPACE_GLOBAL : SPACE_GLOBAL | s->memory;
	}
	if (!s->var[n->sym].declared) {
		return SPACE_ANY;
	}
	if (kt_is_reference(s->u, n->sym) || v->type == 0 || !kt_is_pointer(s->u, n)) {
		return s->unions ? SPACE_ANY : s->memory;
	}
	return spaces_of_variable(s, n->sym);
}

static unsigned call_pointer(struct spaces *s, const struct kt_node *n)
{
	if (n->fn && s->u->fn[n->fn].body && !uniformity_has_virtuals(s->uniformity)) {
		bool ref = s->u->type[s->u->fn[n->fn].ret].kind == KT_T_REFERENCE;
		return ref ? s->memory | SPACE_GLOBAL : s->ret[n->fn];
	}
	return SPACE_ANY;
}

static unsigned cast_pointer(struct spaces *s, const struct kt_node *n)
{
	const struct kt_node *c = n->n ? n->child[0] : NULL;
	if (!c) {
		return SPACE_ANY;
	}
	if (kt_is_pointer(s->u, c) || kt_is_array(s->u, c)) {
		return spaces_of_pointer(s, c);
	}
	bool null = c->flags & KT_F_VALUE && c->value == 0;
	return null ? 0 : SPACE_ANY;
}

unsigned spaces_of_pointer(struct spaces *s, const struct kt_node *n)
{
	unsigned out = 0;
	if (kt_is_array(s->u, n) && (n->kind == KT_REF || n->kind == KT_MEMBER ||
					    n->kind == KT_INDEX || n->kind == KT_UNARY)) {
		return spaces_of_lvalue(s, n);
	}
	switch (n->kind) {
	case KT_REF:
		return ref_pointer(s, n);
	case KT_MEMBER:
	case KT_INDEX:
		return loaded(s, n);
	case KT_THIS:
		return s->self[facts_function_of(s->f, n)];
	case KT_UNARY:
		if (!n->n || n->op == KT_OP_OTHER) {
			return SPACE_ANY;
		}
		return n->op == KT_OP_DEREF  ? loaded(s, n)
		       : n->op == KT_OP_ADDR ? spaces_of_lvalue(s, n->child[0])
					     : spaces_of_pointer(s, n->child[0]);
	case KT_BINARY:
		if (n->op == KT_OP_COMMA) {
			return spaces_of_pointer(s, n->child[1]);
		}
		if (n->op != KT_OP_ADD && n->op != KT_OP_SUB) {
			return SPACE_ANY;
		}
		for (size_t i = 0; i < n->n; i++) {
			const struct kt_node *c = n->child[i];
			out |= kt_is_pointer(s->u, c) || kt_is_array(s->u, c)
				       ? spaces_of_pointer(s, c)
				       : 0;
		}
		return out;
	case KT_ASSIGN:
		for (size_t i = 0; i < n->n; i++) {
			bool counts = i == 0 || n->op == KT_OP_NONE;
			out |= counts ? spaces_of_pointer(s, n->child[i]) : 0;
		}
		return out;
	case KT_COND:
		for (size_t i = 0; i < n->n; i++) {
			bool value = i != KT_COND_COND || !n->child[KT_COND_THEN];
			out |= value && n->child[i] ? spaces_of_pointer(s, n->child[i]) : 0;
		}
		return out;
	case KT_CALL:
		return call_pointer(s, n);
	case KT_LITERAL:
		return 0; /* nullptr, 0, a string */
	case KT_CAST:
		return cast_pointer(s, n);
	case KT_INIT_LIST:
		for (size_t i = 0; i < n->n; i++) {
			out |= n->child[i] ? spaces_of_pointer(s, n->child[i]) : 0;
		}
		return out;
	default:
		return SPACE_ANY;
	}
}

static unsigned ref_lvalue(struct spaces *s, const struct kt_node *n)
{
	const struct kt_sym *v = &s->u->sym[n->sym];
	if (!n->sym) {
		return 0;
	}
	if (v->type && kt_is_reference(s->u, n->sym)) {
		bool known = kt_is_variable(s->u, n->sym) && s->var[n->sym].declared;
		return known ? s->var[n->sym].spaces : SPACE_ANY;
	}
	switch (v->space) {
	case KT_SHARED:
		return SPACE_SHARED;
	case KT_GLOBAL:
		return SPACE_GLOBAL;
	case KT_CONSTANT:
		return 0;
	default:
		return SPACE_PRIVATE;
	}
}

static unsigned member_lvalue(struct spaces *s, const struct kt_node *n)
{
	const struct kt_node *base = n->n ? n->child[KT_MEMBER_BASE] : NULL;
	if (n->sym && kt_is_reference(s->u, n->sym)) {
		return s->unions ? SPACE_ANY : s->memory;
	}
	if (!base || base->kind == KT_THIS) {
		return s->self[facts_function_of(s->f, n)];
	}
	return n->flags & KT_F_ARROW ? spaces_of_pointer(s, base) : spaces_of_lvalue(s, base);
}

unsigned spaces_of_variable(const struct spaces *s, kt_id sym)
{
	const struct var *v = &s->var[sym];
	return v->declared ? v->spaces | (v->exposed ? s->memory : 0) : SPACE_ANY;
}

unsigned spaces_of_lvalue(struct spaces *s, const struct kt_node *n)
{
	unsigned out = 0;
	switch (n->kind) {
	case KT_REF:
		return ref_lvalue(s, n);
	case KT_MEMBER:
		return member_lvalue(s, n);
	case KT_INDEX:
		return kt_is_pointer(s->u, n->child[0]) ? spaces_of_pointer(s, n->child[0])
							: spaces_of_lvalue(s, n->child[0]);
	case KT_UNARY:
		if (!n->n || n->op == KT_OP_OTHER) {
			return SPACE_ANY;
		}
		return n->op == KT_OP_DEREF ? spaces_of_pointer(s, n->child[0])
					    : spaces_of_lvalue(s, n->child[0]);
	case KT_ASSIGN:
	case KT_CAST:
		return n->n ? spaces_of_lvalue(s, n->child[0]) : SPACE_ANY;
	case KT_BINARY:
		return n->op == KT_OP_COMMA ? spaces_of_lvalue(s, n->child[1]) : SPACE_PRIVATE;
	case KT_COND:
		for (size_t i = 0; i < n->n; i++) {
			bool value = i != KT_COND_COND || !n->child[KT_COND_THEN];
			out |= value && n->child[i] ? spaces_of_lvalue(s, n->child[i]) : 0;
		}
		return out;
	case KT_CALL: {
		const struct kt_fn *fn = &s->u->fn[n->fn];
		if (kt_assigns_bytes(s->u, n)) {
			return spaces_of_lvalue(s, n->child[0]);
		}
		if (n->fn && s->u->type[fn->ret].kind != KT_T_REFERENCE) {
			return SPACE_PRIVATE; /* a temporary */
		}
		bool seen = n->fn && fn->body && !uniformity_has_virtuals(s->uniformity);
		return seen ? s->ret[n->fn] : SPACE_ANY;
	}
	case KT_LITERAL:
	case KT_SIZEOF:
		return 0;
	case KT_CONSTRUCT:
	case KT_INIT_LIST:
	case KT_LAMBDA:
		return SPACE_PRIVATE;
	default:
		return SPACE_ANY;
	}
}

/* ---- the flow of pointers ---- */

/* A reference is bound to the lvalue n: pointers in it may be set through the reference. */
static void bound(struct spaces *s, const struct kt_node *n)
{
	kt_id root = root_of(s, n);
	if (root && kt_is_variable(s->u, root) &&
		kt_may_hold_pointer(kt_object_type(s->u, n->type))) {
		expose(s, root);
	}
	for (size_t i = KT_COND_THEN; n->kind == KT_COND && i < n->n; i++) {
		if (n->child[i]) {
			bound(s, n->child[i]);
		}
	}
}

/* The value is stored in a place that is not a plain variable. */
static void stored(struct spaces *s, const struct kt_node *n)
{
	if (kt_is_pointer(s->u, n) || kt_is_array(s->u, n)) {
		grow(s, &s->memory, spaces_of_pointer(s, n));
	}
}

static void declare(struct spaces *s, const struct kt_node *n)
{
	const struct kt_node *init = n->n ? n->child[0] : NULL;
	if (!kt_is_variable(s->u, n->sym)) {
		if (init) {
			stored(s, init);
		}
		return;
	}
	s->var[n->sym].declared = true;
	if (!init) {
		return;
	}
	if (kt_is_reference(s->u, n->sym)) {
		grow(s, &s->var[n->sym].spaces, spaces_of_lvalue(s, init));
		bound(s, init);
	} else if (kt_is_pointer(s->u, n)) {
		grow(s, &s->var[n->sym].spaces, spaces_of_pointer(s, init));
	} else {
		stored(s, init);
	}
}

static void assign(struct spaces *s, const struct kt_node *to, const struct kt_node *value)
{
	bool plain = to->kind == KT_REF && kt_is_variable(s->u, to->sym) &&
		     !kt_is_reference(s->u, to->sym);
	if (plain && kt_is_pointer(s->u, to)) {
		grow(s, &s->var[to->sym].spaces, spaces_of_pointer(s, value));
		return;
	}
	stored(s, value);
	if (to->kind == KT_MEMBER && to->sym && kt_is_reference(s->u, to->sym)) {
		/* the initializer r(x) of a constructor */
		grow(s, &s->memory, spaces_of_lvalue(s, value));
		bound(s, value);
	}
	kt_id root = root_of(s, to);
	if (root && kt_is_variable(s->u, root) &&
		kt_may_hold_pointer(kt_object_type(s->u, to->type))) {
		expose(s, root);
	}
}

static void pass(struct spaces *s, kt_id param, const struct kt_node *arg)
{
	const struct kt_type *t = &s->u->type[s->u->sym[param].type];
	if (t->kind == KT_T_REFERENCE) {
		grow(s, &s->var[param].spaces, spaces_of_lvalue(s, arg));
		bound(s, arg);
	} else if (t->kind == KT_T_POINTER) {
		grow(s, &s->var[param].spaces, spaces_of_pointer(s, arg));
	} else {
		stored(s, arg);
	}
}

static void call_seen(struct spaces *s, const struct kt_node *n)
{
	const struct kt_fn *fn = &s->u->fn[n->fn];
	size_t first = n->flags & KT_F_METHOD ? 1 : 0;
	const struct kt_node *object = first && n->n ? n->child[0] : NULL;
	if (n->kind == KT_CONSTRUCT) {
		/* a new object is private; placement new appears as unknown code */
		const struct kt_node *up = n->parent;
		bool placed = up && up->kind == KT_EXPR_UNKNOWN;
		grow(s, &s->self[n->fn], placed ? SPACE_ANY | SPACE_PRIVATE : SPACE_PRIVATE);
	} else if (first && (!object || object->kind == KT_THIS)) {
		grow(s, &s->self[n->fn], s->self[facts_function_of(s->f, n)]);
	} else if (object) {
		bool points = kt_is_pointer(s->u, object);
		grow(s, &s->self[n->fn],
			points ? spaces_of_pointer(s, object) : spaces_of_lvalue(s, object));
		if (!points && !fn->is_const) {
			bound(s, object);
		}
	}
	for (size_t i = 0; i < fn->params; i++) {
		if (first + i < n->n && n->child[first + i]) {
			pass(s, fn->param[i], n->child[first + i]);
		} else {
			grow(s, &s->var[fn->param[i]].spaces, SPACE_ANY); /* a default argument */
		}
	}
	for (size_t i = first + fn->params; i < n->n; i++) {
		stored(s, n->child[i]); /* an argument for an ellipsis */
	}
}

/* Unknown code may store any pointer through its arguments. */
static void call_unseen(struct spaces *s, const struct kt_node *n)
{
	bool known = n->kind == KT_CALL && facts_intrinsic(s->f, n);
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		if (!c) {
			continue;
		}
		stored(s, c);
		if (n->kind == KT_CONSTRUCT) {
			grow(s, &s->memory, s->reference_fields ? spaces_of_lvalue(s, c) : 0);
			continue;
		}
		const struct kt_type *t = kt_object_type(s->u, c->type);
		const struct kt_type *to =
			t->kind == KT_T_POINTER || t->kind == KT_T_ARRAY ? &s->u->type[t->elem] : t;
		/* a byte buffer may hold a pointer */
		bool bytes = to != t && !to->is_const && (to->kind == KT_T_VOID || to->size == 1);
		if (!known && (kt_may_hold_pointer(to) || bytes)) {
			grow(s, &s->memory, SPACE_ANY);
			bound(s, c);
		}
	}
}

static void result(struct spaces *s, const struct kt_node *n, kt_id fn)
{
	const struct kt_type *t = &s->u->type[s->u->fn[fn].ret];
	const struct kt_node *c = n->n ? n->child[0] : NULL;
	if (!c) {
		return;
	}
	if (t->kind == KT_T_REFERENCE) {
		grow(s, &s->ret[fn], spaces_of_lvalue(s, c));
		bound(s, c);
	} else if (t->kind == KT_T_POINTER) {
		grow(s, &s->ret[fn], spaces_of_pointer(s, c));
	} else {
		stored(s, c);
	}
}

static void range(struct spaces *s, const struct kt_node *n)
{
	const struct kt_node *var = n->child[KT_RANGE_VAR];
	const struct kt_node *over = n->child[KT_RANGE_RANGE];
	if (!var || !kt_is_variable(s->u, var->sym)) {
		return;
	}
	s->var[var->sym].declared = true;
	if (kt_is_reference(s->u, var->sym)) {
		grow(s, &s->var[var->sym].spaces,
			kt_is_array(s->u, over) ? spaces_of_lvalue(s, over) : SPACE_ANY);
		bound(s, over);
	} else {
		grow(s, &s->var[var->sym].spaces,
			kt_is_array(s->u, over) ? loaded(s, over) : SPACE_ANY);
	}
}

/* If a whole record of a kernel is used, its pointers count as stored in memory. */
static void record_used(struct spaces *s, const struct kt_node *n)
{
	if (!n->sym || !kt_is_variable(s->u, n->sym) || !is_kernel_record(s, n->sym)) {
		return;
	}
	const struct kt_node *top = n;
	while (top->parent && top->slot == 0 &&
		((top->parent->kind == KT_MEMBER && !(top->parent->flags & KT_F_ARROW)) ||
			(top->parent->kind == KT_INDEX && !kt_is_pointer(s->u, top)))) {
		top = top->parent;
	}
	enum kt_type_kind k = kt_object_type(s->u, top->type)->kind;
	if (k != KT_T_POINTER && kt_may_hold_pointer(kt_object_type(s->u, top->type))) {
		grow(s, &s->memory, SPACE_GLOBAL);
	}
}

static void see(struct spaces *s, const struct kt_node *n, kt_id fn)
{
	switch (n->kind) {
	case KT_VAR:
		declare(s, n);
		return;
	case KT_ASSIGN:
		if (n->n == 2 && n->op == KT_OP_NONE) {
			assign(s, n->child[0], n->child[1]);
		}
		return;
	case KT_INIT_LIST:
		for (size_t i = 0; i < n->n; i++) {
			if (n->child[i]) {
				stored(s, n->child[i]);
				grow(s, &s->memory,
					s->reference_fields ? spaces_of_lvalue(s, n->child[i]) : 0);
				if (n->flags & KT_F_BINDS) {
					bound(s, n->child[i]); /* may be changed by that name */
				}
			}
		}
		return;
	case KT_CALL:
	case KT_CONSTRUCT:
		if (n->fn && s->u->fn[n->fn].body) {
			call_seen(s, n);
		} else {
			call_unseen(s, n);
		}
		return;
	case KT_UNARY:
		if (n->op == KT_OP_ADDR && n->n) {
			bound(s, n->child[0]);
		}
		return;
	case KT_CAST:
		if (n->n && !kt_is_pointer(s->u, n)) {
			/* as an integer, the pointer may be stored anywhere */
			stored(s, n->child[0]);
		}
		return;
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		for (size_t i = 0; i < n->n; i++) {
			if (n->child[i]) {
				stored(s, n->child[i]);
				bound(s, n->child[i]);
				grow(s, &s->memory, SPACE_ANY);
			}
		}
		return;
	case KT_RETURN:
		result(s, n, fn);
		return;
	case KT_RANGE_FOR:
		range(s, n);
		return;
	case KT_REF:
		record_used(s, n);
		return;
	default:
		return;
	}
}

/* ---- the unit ---- */

static bool has_asm(const struct kt_unit *u, const struct kt_node *body)
{
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		if (n->kind == KT_ASM && kt_asm_has_operands(u, n)) {
			return true;
		}
	}
	return false;
}

static void start_param(struct spaces *s, kt_id fn, kt_id param)
{
	const struct kt_type *t = &s->u->type[s->u->sym[param].type];
	struct var *v = &s->var[param];
	v->declared = true;
	if (s->u->fn[fn].kind != KT_FN_KERNEL) {
		v->spaces |= facts_is_open(s->f, fn) ? SPACE_ANY : 0;
		return;
	}
	bool constant = t->kind == KT_T_POINTER && s->u->type[t->elem].is_const && t->is_restrict;
	v->spaces |= t->kind == KT_T_REFERENCE ? SPACE_ANY
		     : constant		       ? SPACE_READ_ONLY
					       : SPACE_GLOBAL;
}

static void start(struct spaces *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		const struct kt_fn *f = &s->u->fn[fn];
		for (size_t i = 0; i < f->params; i++) {
			start_param(s, fn, f->param[i]);
		}
		if (facts_is_open(s->f, fn) || f->is_lambda ||
			uniformity_has_virtuals(s->uniformity)) {
			s->self[fn] = SPACE_ANY;
		}
	}
	kt_id fn = 0; /* the previous variable's function */
	bool hides = false;
	for (kt_id sym = 1; sym < s->u->syms; sym++) {
		const struct kt_sym *v = &s->u->sym[sym];
		s->reference_fields |= v->kind == KT_S_FIELD && kt_is_reference(s->u, sym);
		if (!kt_is_variable(s->u, sym) || !v->fn) {
			continue;
		}
		if (v->fn != fn) {
			fn = v->fn;
			hides = uniformity_is_opaque(s->uniformity, fn) ||
				has_asm(s->u, s->u->fn[fn].body);
		}
		s->var[sym].spaces |= hides ? SPACE_ANY : 0;
	}
	s->unions = uniformity_has_word(s->uniformity, "union");
}

/* Is anything written through a pointer to a kernel's read-only memory? */
static bool writes_read_only(struct spaces *s)
{
	for (kt_id fn = 1; fn < s->u->fns; fn++) {
		const struct kt_node *body = s->u->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			bool sets = n->kind == KT_ASSIGN || kt_is_step(n);
			/* a pointer that lost its const may be written through anywhere */
			bool strips = n->kind == KT_CAST && n->n &&
				      kt_object_type(s->u, n->type)->kind == KT_T_POINTER &&
				      !s->u->type[kt_object_type(s->u, n->type)->elem].is_const &&
				      spaces_of_pointer(s, n) & SPACE_READ_ONLY;
			if (strips || (sets && n->n &&
					      spaces_of_lvalue(s, n->child[0]) & SPACE_READ_ONLY)) {
				return true;
			}
		}
	}
	return false;
}

static void forget_read_only(unsigned *v)
{
	if (*v & SPACE_READ_ONLY) {
		*v = (*v & ~(unsigned)SPACE_READ_ONLY) | SPACE_GLOBAL;
	}
}

struct spaces *spaces_create(struct facts *f, const struct uniformity *uniformity, struct arena *a)
{
	struct spaces *s = ARENA_NEW(a, struct spaces);
	s->f = f;
	s->u = facts_unit(f);
	s->uniformity = uniformity;
	s->var = ARENA_ARRAY(a, struct var, s->u->syms);
	s->ret = ARENA_ARRAY(a, unsigned, s->u->fns);
	s->self = ARENA_ARRAY(a, unsigned, s->u->fns);
	start(s);
	do {
		s->changed = false;
		for (kt_id fn = 1; fn < s->u->fns; fn++) {
			const struct kt_node *body = s->u->fn[fn].body;
			for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
				see(s, n, fn);
			}
		}
		for (kt_id sym = 1; sym < s->u->syms; sym++) {
			if (s->var[sym].exposed && !kt_is_reference(s->u, sym)) {
				grow(s, &s->memory, s->var[sym].spaces);
			}
		}
	} while (s->changed);
	if (writes_read_only(s)) {
		for (kt_id sym = 1; sym < s->u->syms; sym++) {
			forget_read_only(&s->var[sym].spaces);
		}
		for (kt_id fn = 1; fn < s->u->fns; fn++) {
			forget_read_only(&s->ret[fn]);
			forget_read_only(&s->self[fn]);
		}
		forget_read_only(&s->memory);
	}
	return s;
}
