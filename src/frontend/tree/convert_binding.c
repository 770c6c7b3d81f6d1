/*
 * Structured bindings: auto &[x, y] = s. The object is an unnamed variable or reference; x and y
 * become local references to its members or elements. libclang shows the names and the initializer,
 * but not the member of each name: members are assigned in order.
 *
 * The statement stays unknown, so strategies neither change it nor move code across it, and all
 * variables in it may escape. The names are unknown, too, for types with std::get, bit-fields,
 * members of bases, vectors, and names used before their declaration.
 */
#include "frontend/tree/convert.h"
#include "frontend/tree/records.h"

#include <string.h>

enum {
	BINDINGS_MAX = 256
};

struct fields {
	CXCursor v[BINDINGS_MAX];
	size_t n;
	bool odd;
};

static enum CXVisitorResult see_field(CXCursor c, CXClientData data)
{
	struct fields *f = data;
	if (f->n == BINDINGS_MAX || clang_Cursor_isBitField(c)) {
		f->odd = true;
		return CXVisit_Break;
	}
	f->v[f->n++] = c;
	return CXVisit_Continue;
}

/* The result type of std::get is spelled std::tuple_element<I, E>::type. A member's type may be
 * spelled so, too. */
static bool may_be_tuple_element(CXCursor binding)
{
	CXCursor type = clang_getTypeDeclaration(clang_getCursorType(binding));
	CXString s = clang_getCursorSpelling(type);
	const char *name = clang_getCString(s);
	bool is = name && strcmp(name, "type") == 0;
	clang_disposeString(s);
	return is;
}

static bool same_type(CXCursor binding, CXCursor field)
{
	return clang_equalTypes(
		record_bare(clang_getCursorType(binding)), record_bare(clang_getCursorType(field)));
}

/* Finds the member for each name; none for the elements of an array. */
static bool find_fields(struct fields *out, CXCursor object, const CXCursor *binding, size_t n)
{
	CXType t = clang_getCanonicalType(clang_getCursorType(object));
	if (t.kind == CXType_LValueReference || t.kind == CXType_RValueReference) {
		t = clang_getCanonicalType(clang_getPointeeType(t));
	}
	if (t.kind == CXType_ConstantArray) {
		return clang_getArraySize(t) == (long long)n;
	}
	if (t.kind != CXType_Record) {
		return false;
	}
	clang_Type_visitFields(t, see_field, out);
	if (out->odd || out->n != n) {
		return false;
	}
	for (size_t i = 0; i < n; i++) {
		if (may_be_tuple_element(binding[i]) || !same_type(binding[i], out->v[i])) {
			return false;
		}
	}
	return true;
}

/* A node without text. */
static struct kt_node *made_up(struct builder *b, enum kt_kind kind, CXCursor at, kt_id type)
{
	struct kt_node *n = convert_node_new(b, kind, at);
	n->flags |= KT_F_MACRO;
	n->type = type;
	return n;
}

static struct kt_node *object_ref(struct builder *b, CXCursor object, kt_id sym)
{
	struct kt_node *n = made_up(b, KT_REF, object, builder_object_type(b, b->syms.v[sym].type));
	n->sym = sym;
	return n;
}

static struct kt_node *variable(struct builder *b, CXCursor at, kt_id sym, struct kt_node *init)
{
	struct kt_node *n = made_up(b, KT_VAR, at, b->syms.v[sym].type);
	n->sym = sym;
	n->text = b->syms.v[sym].name;
	convert_one_child(b, n, init);
	return n;
}

static struct kt_node *member(
	struct builder *b, CXCursor object, kt_id sym, CXCursor binding, CXCursor field)
{
	kt_id type = builder_object_type(b, builder_type(b, clang_getCursorType(binding)));
	struct kt_node *n = made_up(b, KT_MEMBER, object, type);
	n->sym = builder_sym(b, field);
	n->text = b->syms.v[n->sym].name;
	convert_one_child(b, n, object_ref(b, object, sym));
	return n;
}

static struct kt_node *element(
	struct builder *b, CXCursor object, kt_id sym, CXCursor binding, size_t i)
{
	kt_id type = builder_type(b, clang_getCursorType(binding));
	struct kt_node *n = made_up(b, KT_INDEX, object, type);
	struct kt_node *at = made_up(b, KT_LITERAL, object, 0);
	at->text = "";
	convert_set_value(at, (int64_t)i);
	struct kt_node *parts[] = {object_ref(b, object, sym), at};
	kt_set_children(n, b->scratch, parts, 2);
	return n;
}

/* An array is copied element by element, by implicit expressions. */
static struct kt_node *initializer(struct builder *b, CXCursor object, CXCursor c)
{
	bool array =
		clang_getCanonicalType(clang_getCursorType(object)).kind == CXType_ConstantArray;
	return array ? convert_unknown_expr(b, c) : convert_expr(b, c);
}

bool convert_bindings(struct builder *b, struct kt_node *stmt, CXCursor object)
{
	struct kids k = convert_kids_of(b, object);
	size_t n = 0;
	while (n < k.n && clang_getCursorKind(k.v[n]) == CXCursor_UnexposedDecl) {
		n++;
	}
	struct fields f = {0};
	bool local = clang_Cursor_getStorageClass(object) != CX_SC_Static;
	if (n == 0 || n > BINDINGS_MAX || n + 1 != k.n || !local ||
		!clang_isExpression(clang_getCursorKind(k.v[n])) ||
		!find_fields(&f, object, k.v, n)) {
		return false;
	}
	kt_id type[BINDINGS_MAX];
	for (size_t i = 0; i < n; i++) {
		type[i] = builder_type(b, clang_getCursorType(k.v[i]));
		type[i] = builder_reference(b, type[i]);
	}
	if (!builder_bind(b, k.v, type, n)) {
		return false;
	}
	kt_id sym = builder_declare(b, object);
	struct kt_node **v = ARENA_ARRAY(b->scratch, struct kt_node *, n + 2);
	v[0] = variable(b, object, sym, initializer(b, object, k.v[n]));
	for (size_t i = 0; i < n; i++) {
		struct kt_node *part = f.n ? member(b, object, sym, k.v[i], f.v[i])
					   : element(b, object, sym, k.v[i], i);
		v[i + 1] = variable(b, k.v[i], builder_binding(b, k.v[i]), part);
	}
	v[n + 1] = made_up(b, KT_EXPR_UNKNOWN, object, 0);
	convert_one_child(b, v[n + 1], object_ref(b, object, sym));
	stmt->kind = KT_STMT_UNKNOWN;
	kt_set_children(stmt, b->scratch, v, n + 2);
	return true;
}
