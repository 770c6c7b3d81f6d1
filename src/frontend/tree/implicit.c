#include "frontend/tree/implicit.h"

#include <string.h>

/* ---- nodes ---- */

/* Sets the place of an implicit node, at most the end of the file. */
static void stand_here(const struct builder *b, struct kt_node *n)
{
	size_t end = b->files.v[b->cur_file].text.n;
	n->file = (uint16_t)b->cur_file;
	n->begin = n->end = b->implicit_at <= end ? b->implicit_at : (uint32_t)end;
}

struct kt_node *implicit_node(struct builder *b, enum kt_kind kind, kt_id type)
{
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	n->kind = kind;
	n->type = type;
	stand_here(b, n);
	n->flags = KT_F_MACRO | KT_F_IMPLICIT;
	return n;
}

struct kt_node *implicit_object(struct builder *b)
{
	struct kt_node *self = implicit_node(b, KT_THIS, 0);
	struct kt_node *deref = implicit_node(b, KT_UNARY, 0);
	deref->op = KT_OP_DEREF;
	kt_set_children(deref, b->scratch, &self, 1);
	return deref;
}

struct kt_node *implicit_path(struct builder *b, const struct record_path *p)
{
	struct kt_node *n;
	switch (p->kind) {
	case PATH_SYMBOL:
		n = implicit_node(b, KT_REF, builder_object_type(b, b->syms.v[p->sym].type));
		n->sym = p->sym;
		return n;
	case PATH_THIS:
		return implicit_node(b, KT_THIS, 0);
	case PATH_FIELD: {
		kt_id sym = builder_sym(b, p->field);
		n = implicit_node(b, KT_MEMBER, builder_object_type(b, b->syms.v[sym].type));
		n->sym = sym;
		n->text = b->syms.v[sym].name;
		struct kt_node *up = p->up->kind == PATH_THIS ? NULL : implicit_path(b, p->up);
		kt_set_children(n, b->scratch, &up, 1);
		return n;
	}
	default: {
		struct kt_node *zero = implicit_node(b, KT_LITERAL, 0);
		zero->text = "0";
		convert_set_value(zero, 0);
		struct kt_node *both[] = {implicit_path(b, p->up), zero};
		n = implicit_node(b, KT_INDEX, p->type);
		kt_set_children(n, b->scratch, both, 2);
		return n;
	}
	}
}

struct kt_node *implicit_unknown(struct builder *b, struct kt_node *object, struct kt_node *other)
{
	struct kt_node *n = implicit_node(b, KT_CALL, 0);
	struct kt_node *v[] = {object, other};
	n->text = "";
	n->flags |= object ? KT_F_METHOD : 0;
	kt_set_children(n, b->scratch, object ? v : v + 1, (object != NULL) + (other != NULL));
	return n;
}

static void mark(struct builder *b, struct kt_node *n)
{
	n->flags |= KT_F_MACRO | KT_F_IMPLICIT;
	n->flags &= KT_F_ALL ^ KT_F_ARGUMENT;
	stand_here(b, n);
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			mark(b, n->child[i]);
		}
	}
}

struct kt_node *implicit_here(struct builder *b, struct kt_node *n)
{
	mark(b, n);
	return n;
}

struct kt_node *record_initializer(struct builder *b, CXCursor field, bool *known)
{
	CXCursor value = record_find_initializer(b, field, known);
	return clang_Cursor_isNull(value) ? NULL : implicit_here(b, convert_expr(b, value));
}

/* ---- implicit code ---- */

static bool copies(enum record_op op)
{
	return op == RECORD_COPY || op == RECORD_MOVE || op == RECORD_COPY_TO ||
	       op == RECORD_MOVE_TO;
}

/* The object as the left side of an assignment. */
static struct kt_node *place(struct builder *b, const struct record_path *p)
{
	struct kt_node *n = implicit_path(b, p);
	if (p->kind == PATH_THIS) {
		struct kt_node *deref = implicit_node(b, KT_UNARY, 0);
		deref->op = KT_OP_DEREF;
		kt_set_children(deref, b->scratch, &n, 1);
		return deref;
	}
	return n;
}

static void assign(
	struct builder *b, const struct record_path *object, struct kt_node *value, node_list *out)
{
	struct kt_node *n = implicit_node(b, KT_ASSIGN, value->type);
	struct kt_node *both[] = {place(b, object), value};
	bool field = object->kind == PATH_FIELD;
	kt_id type = field ? b->syms.v[both[0]->sym].type : 0;
	n->flags |= field && b->types.v[type].kind == KT_T_REFERENCE ? KT_F_BINDS : 0;
	kt_set_children(n, b->scratch, both, 2);
	array_push(out, n);
}

static struct kt_node *constructed(
	struct builder *b, const struct record *r, CXCursor fn, const struct record_path *other)
{
	struct kt_node *n = implicit_node(b, KT_CONSTRUCT, builder_type(b, r->type));
	struct kt_node *from = other ? place(b, other) : NULL;
	n->fn = builder_fn(b, fn);
	kt_set_children(n, b->scratch, &from, from ? 1 : 0);
	convert_default_arguments(b, n, fn);
	return n;
}

/* Calls the user's special member. */
static void call_special(struct builder *b, struct record *r, enum record_op op,
	const struct record_path *object, const struct record_path *other, node_list *out)
{
	CXCursor fn = r->special[op];
	if (op == RECORD_INIT || op == RECORD_COPY || op == RECORD_MOVE) {
		struct kt_node *n = constructed(b, r, fn, other);
		if (object->kind == PATH_THIS) {
			array_push(out, n); /* a base */
		} else {
			assign(b, object, n, out);
		}
		return;
	}
	struct kt_node *n = implicit_node(b, KT_CALL, 0);
	struct kt_node *v[] = {implicit_path(b, object), other ? place(b, other) : NULL};
	n->fn = builder_fn(b, fn);
	n->text = builder_text(b, clang_getCursorSpelling(fn));
	n->flags |= KT_F_METHOD | (op == RECORD_END ? 0 : KT_F_OPERATOR);
	kt_set_children(n, b->scratch, v, other ? 2 : 1);
	array_push(out, n);
}

static void run_unknown(struct builder *b, const struct record *r, const struct record_path *object,
	const struct record_path *other, node_list *out)
{
	b->hides |= !r || !r->system;
	array_push(
		out, implicit_unknown(b, implicit_path(b, object), other ? place(b, other) : NULL));
}

uintptr_t record_field_key(kt_id sym)
{
	return (uintptr_t)sym * 2 + 2;
}

uintptr_t record_base_key(struct builder *b, CXType base)
{
	return (uintptr_t)builder_type(b, record_bare(base)) * 2 + 1;
}

static void run_field(struct builder *b, struct record *r, CXCursor f, enum record_op op,
	const struct record_path *object, const struct record_path *other, node_list *out)
{
	CXType t = clang_getCursorType(f);
	struct record_path own = {.kind = PATH_FIELD, .up = object, .field = f};
	struct record_path from = {.kind = PATH_FIELD, .up = other, .field = f};
	if (op == RECORD_INIT && record_has_initializer(r, f)) {
		bool known;
		struct kt_node *value = record_initializer(b, f, &known);
		if (value) {
			assign(b, &own, value, out);
		} else if (!known) {
			run_unknown(b, r, object, NULL, out);
		}
		return;
	}
	record_run(b, t, op, &own, other ? &from : NULL, out);
}

static void reverse(struct kt_node **v, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++) {
		struct kt_node *last = v[--n];
		v[n] = v[i];
		v[i] = last;
	}
}

/* Bases, then members; in reverse order for a destructor. */
static void run_parts(struct builder *b, struct record *r, enum record_op op,
	const struct ids *done, const struct record_path *object, const struct record_path *other,
	node_list *out)
{
	size_t first = out->n;
	for (size_t i = 0; i < r->base.n; i++) {
		CXType t = clang_getCursorType(r->base.v[i]);
		if (record_is_exact(t) && done && ids_get(done, record_base_key(b, t), 0)) {
			continue;
		}
		if (record_is_exact(t)) {
			record_run(b, t, op, object, other, out);
		} else if (record_hidden_base_runs(b, r, r->base.v[i], op)) {
			run_unknown(b, r, object, other, out);
		} else if (copies(op) && other) {
			assign(b, object, place(b, other), out);
		}
	}
	for (size_t i = 0; i < r->field.n; i++) {
		CXCursor f = r->field.v[i];
		if (!done || !ids_get(done, record_field_key(builder_sym(b, f)), 0)) {
			run_field(b, r, f, op, object, other, out);
		}
	}
	if (op == RECORD_END) {
		reverse(out->v + first, out->n - first);
	}
}

void record_parts(struct builder *b, CXType t, enum record_op op, const struct ids *done,
	const struct record_path *other, node_list *out)
{
	struct record *r = record_of(b, t);
	struct record_path self = {.kind = PATH_THIS};
	if (!r || !r->complete) {
		run_unknown(b, r, &self, other, out);
	} else if (r->is_union && !r->plain) {
		run_unknown(b, r, &self, other, out);
	} else {
		run_parts(b, r, record_real_op(r, op), done, &self, other, out);
	}
}

void record_run(struct builder *b, CXType t, enum record_op op, const struct record_path *object,
	const struct record_path *other, node_list *out)
{
	if (!record_runs(b, t, op)) {
		if (copies(op) && other) {
			assign(b, object, place(b, other), out);
		}
		return;
	}
	struct record_path own = {.kind = PATH_ELEMENT, .up = object};
	struct record_path from = {.kind = PATH_ELEMENT, .up = other};
	if (record_is_array(t)) {
		CXType elem = record_bare(clang_getArrayElementType(record_bare(t)));
		own.type = from.type = builder_type(b, elem);
		record_run(b, elem, op, &own, other ? &from : NULL, out);
		return;
	}
	struct record *r = record_of(b, t);
	if (!r || !r->complete || r->is_union) {
		run_unknown(b, r, object, other, out);
		return;
	}
	op = record_real_op(r, op);
	if (!(r->provided & 1u << op)) {
		run_parts(b, r, op, NULL, object, other, out);
	} else if (r->hidden) {
		run_unknown(b, r, object, other, out);
	} else {
		call_special(b, r, op, object, other, out);
	}
}

/* ---- the end of a scope ---- */

/* Does the variable have the attribute cleanup? libclang shows that there is an attribute, but not
 * which. */
static bool has_cleanup(CXCursor var)
{
	if (!cursor_attrs(var)) {
		return false;
	}
	CXString s = clang_getCursorPrettyPrinted(var, NULL);
	const char *text = clang_getCString(s);
	bool has = !text || strstr(text, "cleanup");
	clang_disposeString(s);
	return has;
}

/* Does type t have a reference that braces may bind to a temporary whose end runs code? */
static bool extends_temporary(struct builder *b, CXType t)
{
	struct kids f = record_fields(b, t);
	for (size_t i = 0; i < f.n; i++) {
		CXType own = clang_getCanonicalType(clang_getCursorType(f.v[i]));
		bool reference =
			own.kind == CXType_LValueReference || own.kind == CXType_RValueReference;
		if (reference ? record_runs(b, clang_getPointeeType(own), RECORD_END)
			      : extends_temporary(b, own)) {
			return true;
		}
	}
	return false;
}

void implicit_see_end(struct builder *b, CXCursor var, kt_id sym, CXCursor init)
{
	CXType t = clang_getCursorType(var);
	bool reference = b->types.v[b->syms.v[sym].type].kind == KT_T_REFERENCE;
	if (reference && !clang_Cursor_isNull(init)) {
		CXCursor from = convert_strip(init);
		CXType object = clang_getCursorType(from);
		bool place = convert_names_object(from) ||
			     clang_getCursorKind(from) == CXCursor_UnaryOperator;
		if (!place && record_runs(b, object, RECORD_END)) {
			array_push(&b->end, (struct scope_end){sym, t, true});
		}
	} else if (!reference && record_runs(b, t, RECORD_END)) {
		array_push(&b->end, (struct scope_end){sym, t, false});
	}
	if (!clang_Cursor_isNull(init) && extends_temporary(b, t) &&
		clang_getCursorKind(convert_strip(init)) == CXCursor_InitListExpr) {
		array_push(&b->end, (struct scope_end){sym, t, true});
	}
	if (has_cleanup(var)) {
		array_push(&b->end, (struct scope_end){sym, t, true});
	}
}

void implicit_add_ends(struct builder *b, size_t from, node_list *out)
{
	for (size_t i = b->end.n; i-- > from;) {
		struct scope_end e = b->end.v[i];
		struct record_path p = {.kind = PATH_SYMBOL, .sym = e.sym};
		if (e.unknown) {
			array_push(out, implicit_unknown(b, NULL, implicit_path(b, &p)));
		} else {
			record_run(b, e.type, RECORD_END, &p, NULL, out);
		}
	}
}
