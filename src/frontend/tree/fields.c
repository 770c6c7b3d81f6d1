/*
 * The fields of records that kernels take, even if the unit's text never names them: a call of the
 * kernel must give them values. And those of records that a list in braces makes: its values have
 * no names.
 */
#include "frontend/tree/builder.h"

struct members {
	struct builder *b;
	ARRAY(struct kt_field) fields;
	bool plain; /* so far, {.x = 1, .y = 2} can initialize one */
};

static enum CXVisitorResult see_field(CXCursor c, CXClientData data)
{
	struct members *m = data;
	enum CX_CXXAccessSpecifier access = clang_getCXXAccessSpecifier(c);
	m->plain &= access == CX_CXXPublic || access == CX_CXXInvalidAccessSpecifier;
	m->plain &= !clang_Cursor_isAnonymousRecordDecl(
		clang_getTypeDeclaration(clang_getCursorType(c)));
	long long bits = clang_Cursor_isBitField(c) ? -1 : clang_Cursor_getOffsetOfField(c);
	struct kt_field f = {builder_text(m->b, clang_getCursorSpelling(c)),
		builder_type(m->b, clang_getCursorType(c)), bits < 0 ? -1 : bits / 8};
	if (f.name[0]) {
		array_push(&m->fields, f);
	}
	return CXVisit_Continue;
}

/* Clears plain if there are bases, constructors or virtual functions. */
static enum CXChildVisitResult see_member(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct members *m = data;
	enum CXCursorKind kind = clang_getCursorKind(c);
	if (kind == CXCursor_CXXBaseSpecifier || kind == CXCursor_Constructor ||
		(kind == CXCursor_CXXMethod && clang_CXXMethod_isVirtual(c))) {
		m->plain = false;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Continue;
}

static enum CXChildVisitResult see_enumerator(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct members *m = data;
	if (clang_getCursorKind(c) == CXCursor_EnumConstantDecl) {
		struct kt_field f = {builder_text(m->b, clang_getCursorSpelling(c)), 0,
			clang_getEnumConstantDeclValue(c)};
		array_push(&m->fields, f);
	}
	return CXChildVisit_Continue;
}

/* Adds the enumerators of an enumeration. */
static void describe_enumeration(struct builder *b, kt_id id, CXCursor decl)
{
	struct members m = {.b = b};
	clang_visitChildren(decl, see_enumerator, &m);
	if (m.fields.n > 0) {
		b->types.v[id].field = array_to_arena(b->arena, &m.fields);
		b->types.v[id].fields = m.fields.n;
	}
	array_release(&m.fields);
}

static void describe(struct builder *b, kt_id id, unsigned depth)
{
	enum {
		DEEPEST = 8 /* a list's node points to the next */
	};
	struct members m = {.b = b, .plain = true};
	CXType t = b->type_of.v[id];
	enum kt_type_kind kind = b->types.v[id].kind;
	kt_id elem = b->types.v[id].elem;
	if (depth == DEEPEST) {
		return;
	}
	if (elem && kind != KT_T_RECORD) {
		describe(b, elem, depth + 1);
		return;
	}
	if (b->types.v[id].field || t.kind == CXType_Invalid) {
		return;
	}
	CXCursor decl = clang_getTypeDeclaration(t);
	if (kind == KT_T_INT && clang_getCursorKind(decl) == CXCursor_EnumDecl) {
		describe_enumeration(b, id, decl);
	}
	if (kind != KT_T_RECORD) {
		return;
	}
	CXCursor pattern = clang_getSpecializedCursorTemplate(decl);
	bool is_union = clang_getCursorKind(decl) == CXCursor_UnionDecl;
	clang_visitChildren(decl, see_member, &m);
	if (!clang_Cursor_isNull(pattern)) { /* an instantiation does not show its methods */
		clang_visitChildren(pattern, see_member, &m);
	}
	clang_Type_visitFields(t, see_field, &m);
	if (!is_union && m.fields.n > 0) {
		b->types.v[id].field = array_to_arena(b->arena, &m.fields);
		b->types.v[id].fields = m.fields.n;
		b->types.v[id].by_name = m.plain;
	}
	for (size_t i = 0; i < m.fields.n; i++) {
		describe(b, m.fields.v[i].type, depth + 1);
	}
	array_release(&m.fields);
}

void describe_record(struct builder *b, kt_id type)
{
	if (type && b->types.v[type].kind == KT_T_RECORD) {
		describe(b, type, 0);
	}
}

void describe_arguments(struct builder *b)
{
	for (kt_id id = 1; id < b->fns.n; id++) {
		const struct kt_fn *f = &b->fns.v[id];
		for (size_t i = 0; f->kind == KT_FN_KERNEL && i < f->params; i++) {
			describe(b, b->syms.v[f->param[i]].type, 0);
		}
	}
}
