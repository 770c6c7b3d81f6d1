/*
 * Lists in braces. libclang shows them as written, without the member or element that an item sets,
 * its conversion, and the initialization of the rest. An item that names the member that it would
 * set without the name is its value; with another name, it is unknown. A list in which that may run
 * code is unknown. Initializers of members, if found, are added after the items.
 */
#include <string.h>
#include "frontend/tree/implicit.h"

struct list {
	struct builder *b;
	node_list more; /* initializers of members that the list leaves out */
};

static bool is_array(CXType t)
{
	return t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray;
}

/* Is the type made only by initializing its members, down to scalars? */
static bool is_scalars(struct builder *b, CXType t)
{
	t = record_bare(t);
	while (is_array(t)) {
		t = record_bare(clang_getArrayElementType(t));
	}
	if (t.kind != CXType_Record) {
		return !record_runs(b, t, RECORD_INIT);
	}
	struct kids f = record_fields(b, t);
	bool all = record_is_aggregate(b, t);
	for (size_t i = 0; i < f.n && all; i++) {
		all = is_scalars(b, clang_getCursorType(f.v[i]));
	}
	return all;
}

/* The value of an item {.x = 1, ...} that names member i, which it sets without the name, too; else
 * the item. */
static CXCursor value_of(struct builder *b, CXCursor item, CXType t, size_t i)
{
	struct kids k = convert_kids_of(b, item);
	bool named = k.n == 2 && clang_getCursorKind(k.v[0]) == CXCursor_MemberRef;
	struct kids f = named && record_is_aggregate(b, t) ? record_fields(b, t) : (struct kids){0};
	const char *own = i < f.n ? builder_text(b, clang_getCursorSpelling(f.v[i])) : NULL;
	const char *name = own ? builder_text(b, clang_getCursorSpelling(k.v[0])) : NULL;
	return name && own[0] && strcmp(own, name) == 0 ? k.v[1] : item;
}

static struct kids items_of(struct builder *b, CXCursor list)
{
	CXType t = record_bare(clang_getCursorType(list));
	struct kids k = convert_kids_of(b, list);
	size_t n = 0;
	for (size_t i = 0; i < k.n; i++) {
		if (!builder_is_type_ref(k.v[i])) {
			k.v[n] = value_of(b, k.v[i], t, n);
			n++;
		}
	}
	k.n = n;
	return k;
}

static bool is_list(CXCursor c)
{
	return clang_getCursorKind(c) == CXCursor_InitListExpr;
}

static bool has_record(CXCursor c)
{
	return record_bare(clang_getCursorType(c)).kind == CXType_Record;
}

/* Are all items numbers or pointers, also in nested braces? */
static bool items_are_scalars(struct builder *b, CXCursor list)
{
	struct kids k = items_of(b, list);
	for (size_t i = 0; i < k.n; i++) {
		CXCursor c = convert_strip(k.v[i]);
		if (is_list(c) ? !items_are_scalars(b, c) : has_record(k.v[i])) {
			return false;
		}
	}
	return true;
}

/* Does it use the object that it initializes? That object has no name here. */
static bool names_object(const struct kt_node *root)
{
	if (root->kind == KT_THIS || (root->kind == KT_MEMBER && root->n && !root->child[0])) {
		return true;
	}
	for (size_t i = 0; i < root->n; i++) {
		if (root->child[i] && names_object(root->child[i])) {
			return true;
		}
	}
	return false;
}

/* Adds the initializers of the members from `first` on. */
static bool add_rest(struct list *l, CXType t, size_t first)
{
	struct kids f = record_fields(l->b, t);
	for (size_t i = first; i < f.n; i++) {
		bool known;
		CXType own = clang_getCursorType(f.v[i]);
		struct kt_node *init = record_initializer(l->b, f.v[i], &known);
		if (!known || (init && names_object(init)) ||
			(!init && record_runs(l->b, own, RECORD_INIT))) {
			return false;
		}
		if (init) {
			array_push(&l->more, init);
		}
	}
	return true;
}

static bool is_plain(struct list *l, CXCursor list, CXType t);

/* Does item c only copy bytes into an object of type t? */
static bool is_plain_item(struct list *l, CXCursor c, CXType t)
{
	CXCursor inner = convert_strip(c);
	t = record_bare(t);
	if (is_list(inner)) {
		return is_plain(l, inner, t);
	}
	if (t.kind != CXType_Record && !has_record(c)) {
		return !is_array(t) || is_scalars(l->b, t);
	}
	CXType from = record_bare(clang_getCursorType(c));
	if (t.kind == CXType_LValueReference) {
		/* a reference to an object of the same class; a temporary could end with it */
		return convert_names_object(inner) &&
		       clang_equalTypes(from, record_bare(clang_getPointeeType(t)));
	}
	if (t.kind != CXType_Record) {
		return false;
	}
	bool made = clang_getCursorKind(inner) == CXCursor_CallExpr; /* in place */
	return clang_equalTypes(from, t) &&
	       (made || (!record_runs(l->b, t, RECORD_COPY) && !record_runs(l->b, t, RECORD_MOVE)));
}

static bool is_plain_array(struct list *l, struct kids k, CXType t)
{
	CXType elem = clang_getArrayElementType(t);
	for (size_t i = 0; i < k.n; i++) {
		if (!is_plain_item(l, k.v[i], elem)) {
			return false;
		}
	}
	return (long long)k.n >= clang_getArraySize(t) || !record_runs(l->b, elem, RECORD_INIT);
}

static bool is_plain(struct list *l, CXCursor list, CXType t)
{
	struct kids k = items_of(l->b, list);
	t = record_bare(t);
	if (t.kind == CXType_Record && k.n == 0 && !record_is_aggregate(l->b, t)) {
		return !record_runs(l->b, t, RECORD_INIT);
	}
	if (is_scalars(l->b, t) && items_are_scalars(l->b, list)) {
		/* braces may be omitted, so the last item may set any member */
		return !record_runs(l->b, t, RECORD_INIT) ||
		       (t.kind == CXType_Record && add_rest(l, t, 0));
	}
	if (is_array(t)) {
		return is_plain_array(l, k, t);
	}
	struct kids f = record_fields(l->b, t);
	if (t.kind != CXType_Record) {
		return k.n == 1 && is_plain_item(l, k.v[0], t);
	}
	if (!record_is_aggregate(l->b, t)) {
		return k.n == 1 && is_plain_item(l, k.v[0], t);
	}
	for (size_t i = 0; i < k.n; i++) {
		if (i >= f.n || !is_plain_item(l, k.v[i], clang_getCursorType(f.v[i]))) {
			return k.n == 1 && is_plain_item(l, k.v[0], t);
		}
	}
	return add_rest(l, t, k.n);
}

static void append(struct builder *b, struct kt_node *n, const node_list *more)
{
	node_list all = {0};
	for (size_t i = 0; i < n->n; i++) {
		array_push(&all, n->child[i]);
	}
	for (size_t i = 0; i < more->n; i++) {
		array_push(&all, more->v[i]);
	}
	kt_set_children(n, b->scratch, all.v, all.n);
	array_release(&all);
}

static bool holds_reference(struct builder *b, CXType t)
{
	t = record_bare(t);
	while (is_array(t)) {
		t = record_bare(clang_getArrayElementType(t));
	}
	struct kids f = record_fields(b, t);
	bool holds = t.kind == CXType_LValueReference || t.kind == CXType_RValueReference;
	for (size_t i = 0; i < f.n && !holds; i++) {
		holds = holds_reference(b, clang_getCursorType(f.v[i]));
	}
	return holds;
}

static void mark_binding(struct kt_node *n)
{
	n->flags |= KT_F_BINDS;
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]->kind == KT_INIT_LIST) {
			mark_binding(n->child[i]);
		}
	}
}

struct kt_node *convert_list(struct builder *b, CXCursor c, bool owned)
{
	struct list l = {.b = b};
	CXType t = record_bare(clang_getCursorType(c));
	struct kt_node *n = convert_node_new(b, KT_INIT_LIST, c);
	struct kids k = items_of(b, c);
	node_list items = {0};
	for (size_t i = 0; i < k.n; i++) {
		array_push(&items, convert_expr(b, k.v[i]));
	}
	kt_set_children(n, b->scratch, items.v, items.n);
	array_release(&items);
	b->implicit_at = n->end;
	describe_record(b, n->type);
	if (holds_reference(b, t)) {
		mark_binding(n);
	}
	/* a nested list has no type: the outer one decides */
	bool plain = t.kind == CXType_Void || is_plain(&l, c, t);
	struct kt_node *whole = n;
	if (!plain) {
		whole = convert_node_new(b, KT_EXPR_UNKNOWN, c);
		convert_one_child(b, whole, n);
	} else if (l.more.n) {
		append(b, n, &l.more);
	}
	array_release(&l.more);
	return convert_ending(b, whole, c, owned);
}
