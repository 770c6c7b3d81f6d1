/* The ids of libclang's types. */
#include <string.h>
#include "frontend/tree/builder.h"

static enum kt_type_kind type_kind(CXType canon)
{
	switch (canon.kind) {
	case CXType_Void:
		return KT_T_VOID;
	case CXType_Bool:
		return KT_T_BOOL;
	case CXType_Half:
	case CXType_Float16:
	case CXType_BFloat16:
	case CXType_Float:
	case CXType_Double:
	case CXType_LongDouble:
	case CXType_Float128:
		return KT_T_FLOAT;
	case CXType_Enum:
		return KT_T_INT;
	case CXType_Pointer:
	case CXType_MemberPointer:
	case CXType_NullPtr:
		return KT_T_POINTER;
	case CXType_LValueReference:
	case CXType_RValueReference:
		return KT_T_REFERENCE;
	case CXType_ConstantArray:
	case CXType_IncompleteArray:
	case CXType_VariableArray:
		return KT_T_ARRAY;
	case CXType_Vector:
	case CXType_ExtVector:
		return KT_T_VECTOR;
	case CXType_Record:
		return KT_T_RECORD;
	default:
		break;
	}
	return canon.kind >= CXType_Char_U && canon.kind <= CXType_Int128 ? KT_T_INT : KT_T_OTHER;
}

/* The element type as written, so that messages have f32x4, and not its canonical form. */
static kt_id type_elem(struct builder *b, const struct kt_type *k, CXType t, CXType canon)
{
	CXType written;
	switch (k->kind) {
	case KT_T_POINTER:
	case KT_T_REFERENCE:
		written = clang_getPointeeType(t);
		if (written.kind == CXType_Invalid) {
			written = clang_getPointeeType(canon);
		}
		return builder_type(b, written);
	case KT_T_ARRAY:
		written = clang_getArrayElementType(t);
		if (written.kind == CXType_Invalid) {
			written = clang_getArrayElementType(canon);
		}
		return builder_type(b, written);
	case KT_T_VECTOR:
		return builder_type(b, clang_getElementType(canon));
	default:
		return 0;
	}
}

static bool type_trivial(struct builder *b, const struct kt_type *k, CXType canon)
{
	switch (k->kind) {
	case KT_T_BOOL:
	case KT_T_INT:
	case KT_T_FLOAT:
	case KT_T_POINTER:
	case KT_T_VECTOR:
		return true;
	case KT_T_ARRAY:
		return b->types.v[k->elem].trivial;
	case KT_T_RECORD:
		return clang_isPODType(canon);
	default:
		return false;
	}
}

/* For a const vector clang writes "float const __attribute__((...))"; this puts const first. */
static const char *canonical_text(struct builder *b, CXType canon)
{
	if (type_kind(canon) != KT_T_VECTOR || !clang_isConstQualifiedType(canon) ||
		clang_isVolatileQualifiedType(canon)) {
		return builder_text(b, clang_getTypeSpelling(canon));
	}
	CXType bare = clang_getUnqualifiedType(canon);
	const char *text = builder_text(b, clang_getTypeSpelling(bare));
	return arena_printf(b->arena, "const %s", text);
}

/* The type that the name of t names: without pointers, references and arrays around it. */
static CXType named_type(CXType t)
{
	for (;;) {
		bool array = t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray ||
			     t.kind == CXType_VariableArray;
		CXType of = array ? clang_getArrayElementType(t) : clang_getPointeeType(t);
		if (of.kind == CXType_Invalid) {
			return t;
		}
		t = of;
	}
}

/* Sets the scope that the name of t leaves out. */
static void find_scope(struct builder *b, struct kt_type *k, CXType t)
{
	CXCursor decl = clang_getTypeDeclaration(named_type(t));
	const char *scope = "";
	for (CXCursor up = clang_getCursorSemanticParent(decl); !clang_Cursor_isNull(up);
		up = clang_getCursorSemanticParent(up)) {
		switch (clang_getCursorKind(up)) {
		case CXCursor_TranslationUnit:
			k->scope = *scope && !strstr(k->name, arena_printf(b->arena, "%s::", scope))
					   ? scope
					   : NULL;
			return;
		case CXCursor_Namespace: {
			const char *name = builder_text(b, clang_getCursorSpelling(up));
			bool named = *name && *name != '(';
			scope = !named	 ? scope
				: *scope ? arena_printf(b->arena, "%s::%s", name, scope)
					 : name;
			break;
		}
		case CXCursor_StructDecl:
		case CXCursor_ClassDecl:
		case CXCursor_UnionDecl:
			scope = builder_text(b, clang_getTypeSpelling(clang_getCanonicalType(
							clang_getCursorType(up))));
			k->scope = strstr(k->name, arena_printf(b->arena, "%s::", scope)) ? NULL
											  : scope;
			return;
		case CXCursor_LinkageSpec:
			break;
		default:
			k->scope = "";
			builder_place(
				b, clang_getCursorLocation(decl), &k->scope_file, &k->scope_at);
			return;
		}
	}
}

kt_id builder_type(struct builder *b, CXType t)
{
	if (t.kind == CXType_Invalid) {
		return 0;
	}
	uint64_t ptr = (uint64_t)(uintptr_t)t.data[0];
	kt_id id = (kt_id)map_get_u64(&b->type_by_ptr, ptr, 0);
	if (id) {
		return id;
	}
	CXType canon = clang_getCanonicalType(t);
	struct kt_type k = {.size = -1};
	k.name = builder_text(b, clang_getTypeSpelling(t));
	k.canon = canonical_text(b, canon);
	find_scope(b, &k, t);
	struct sbuf key = {0};
	sbuf_addf(&key, "%s|%s", k.name, k.canon);
	if (k.scope) {
		sbuf_addf(&key, "|%s|%u|%u", k.scope, (unsigned)k.scope_file, (unsigned)k.scope_at);
	}
	id = (kt_id)map_get(&b->type_by_name, sbuf_str(&key), 0);
	if (!id) {
		k.kind = type_kind(canon);
		k.is_const = clang_isConstQualifiedType(canon);
		k.is_volatile = clang_isVolatileQualifiedType(canon);
		k.is_restrict = clang_isRestrictQualifiedType(canon);
		k.is_unsigned = canon.kind >= CXType_Char_U && canon.kind <= CXType_UInt128 &&
				k.kind == KT_T_INT;
		/* libclang crashes on the size of types without one (bound members, functions) */
		bool sized = k.kind != KT_T_OTHER;
		long long size = sized ? clang_Type_getSizeOf(canon) : -1;
		k.size = size >= 0 ? size : -1;
		if (k.kind == KT_T_RECORD && size > 0) {
			long long align = clang_Type_getAlignOf(canon);
			k.align = align > 0 ? align : 0;
		}
		if (canon.kind == CXType_ConstantArray) {
			k.count = clang_getArraySize(canon);
		} else if (k.kind == KT_T_ARRAY) {
			k.count = -1;
		} else if (k.kind == KT_T_VECTOR) {
			k.count = clang_getNumElements(canon);
		}
		/* Reserve the id first: a record may point to itself. */
		array_push(&b->types, k);
		array_push(&b->type_of, canon);
		id = (kt_id)(b->types.n - 1);
		map_set(&b->type_by_name, sbuf_str(&key), id);
		map_set_u64(&b->type_by_ptr, ptr, id);
		kt_id elem = type_elem(b, &k, t, canon);
		b->types.v[id].elem = elem;
		k.elem = elem;
		b->types.v[id].trivial = type_trivial(b, &k, canon);
	}
	map_set_u64(&b->type_by_ptr, ptr, id);
	sbuf_release(&key);
	return id;
}

static const char *derived_name(struct builder *b, const char *elem, char mark)
{
	if (strpbrk(elem, "([")) {
		return arena_printf(b->arena, "__typeof__(%s) %c", elem, mark);
	}
	const char *space = str_ends(str_of(elem), "*") ? "" : " ";
	return arena_printf(b->arena, "%s%s%c", elem, space, mark);
}

/* The id of a pointer or reference (mark: * or &) to k.elem. */
static kt_id derived_type(struct builder *b, struct kt_type k, char mark)
{
	k.name = derived_name(b, b->types.v[k.elem].name, mark);
	k.canon = derived_name(b, b->types.v[k.elem].canon, mark);
	const char *key = arena_printf(b->arena, "%s|%s", k.name, k.canon);
	kt_id id = (kt_id)map_get(&b->type_by_name, str_of(key), 0);
	if (!id) {
		array_push(&b->types, k);
		array_push(&b->type_of, (CXType){0});
		id = (kt_id)(b->types.n - 1);
		map_set(&b->type_by_name, str_of(key), id);
	}
	return id;
}

kt_id builder_decayed(struct builder *b, kt_id array)
{
	if (b->types.v[array].kind != KT_T_ARRAY) {
		return array;
	}
	struct kt_type k = {
		.kind = KT_T_POINTER, .size = 8, .elem = b->types.v[array].elem, .trivial = true};
	return derived_type(b, k, '*');
}

kt_id builder_reference(struct builder *b, kt_id elem)
{
	struct kt_type k = {.kind = KT_T_REFERENCE, .size = b->types.v[elem].size, .elem = elem};
	return b->types.v[elem].kind == KT_T_REFERENCE ? elem : derived_type(b, k, '&');
}
