#include "frontend/tree/records.h"

#include <string.h>

enum answer {
	ANSWER_OPEN,
	ANSWER_BUSY,
	ANSWER_NO,
	ANSWER_YES
};

CXType record_bare(CXType t)
{
	CXType canon = clang_getCanonicalType(t);

	/* libclang crashes without a type, as for an initializer in a template's pattern */
	return canon.kind == CXType_Invalid ? canon : clang_getUnqualifiedType(canon);
}

static CXType without_arrays(CXType t)
{
	for (t = record_bare(t); t.kind == CXType_ConstantArray ||
				 t.kind == CXType_IncompleteArray ||
				 t.kind == CXType_VariableArray;) {
		t = record_bare(clang_getArrayElementType(t));
	}
	return t;
}

bool record_is_array(CXType t)
{
	t = record_bare(t);
	return t.kind == CXType_ConstantArray || t.kind == CXType_IncompleteArray ||
	       t.kind == CXType_VariableArray;
}

/* Is it a builtin type without a kind in libclang (_BitInt, a buffer's descriptor), and not a
 * placeholder such as <dependent type>? */
static bool is_other_builtin(CXType t)
{
	CXString s = clang_getTypeSpelling(t);
	const char *name = clang_getCString(s);
	bool is = name && *name && *name != '<';
	clang_disposeString(s);
	return is && clang_Type_getSizeOf(t) >= 0;
}

/* A type without constructors and destructors. */
static bool is_scalar(CXType t)
{
	switch (t.kind) {
	case CXType_Pointer:
	case CXType_MemberPointer:
	case CXType_BlockPointer:
	case CXType_LValueReference:
	case CXType_RValueReference:
	case CXType_Enum:
	case CXType_Vector:
	case CXType_ExtVector:
	case CXType_Complex:
	case CXType_FunctionProto:
	case CXType_FunctionNoProto:
		return true;
	case CXType_Unexposed:
		return is_other_builtin(t);
	default:
		return t.kind >= CXType_Void && t.kind <= CXType_LastBuiltin &&
		       t.kind != CXType_Dependent && t.kind != CXType_Overload;
	}
}

/* ---- what a class declares ---- */

enum record_op record_special(CXCursor c, bool *provided)
{
	enum record_op op = RECORD_OPS;
	switch (clang_getCursorKind(c)) {
	case CXCursor_Destructor:
		op = RECORD_END;
		break;
	case CXCursor_Constructor:
		op = clang_CXXConstructor_isCopyConstructor(c)	    ? RECORD_COPY
		     : clang_CXXConstructor_isMoveConstructor(c)    ? RECORD_MOVE
		     : clang_CXXConstructor_isDefaultConstructor(c) ? RECORD_INIT
								    : RECORD_OPS;
		break;
	case CXCursor_CXXMethod:
		op = clang_CXXMethod_isCopyAssignmentOperator(c)   ? RECORD_COPY_TO
		     : clang_CXXMethod_isMoveAssignmentOperator(c) ? RECORD_MOVE_TO
								   : RECORD_OPS;
		break;
	default:
		break;
	}
	*provided = op != RECORD_OPS && !clang_CXXMethod_isDefaulted(c) &&
		    !clang_CXXMethod_isDeleted(c);
	return op;
}

struct seen {
	struct record *r;
	ARRAY(CXCursor) bases;
	ARRAY(CXCursor) fields;
	size_t n;
};

static enum CXChildVisitResult see_member(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct seen *s = data;
	bool provided;
	enum CXCursorKind kind = clang_getCursorKind(c);
	s->n++;
	if (kind == CXCursor_CXXBaseSpecifier) {
		array_push(&s->bases, c);
	}
	s->r->constructors |= kind == CXCursor_Constructor;
	if (kind == CXCursor_FunctionTemplate) {
		CXString name = clang_getCursorSpelling(c);
		CXString own = clang_getCursorSpelling(s->r->shown);
		const char *x = clang_getCString(name), *y = clang_getCString(own);
		s->r->constructors |= x && y && *y && strncmp(x, y, strlen(y)) == 0;
		clang_disposeString(name);
		clang_disposeString(own);
	}
	enum record_op op = record_special(c, &provided);
	if (op == RECORD_OPS) {
		return CXChildVisit_Continue;
	}
	s->r->no_moves |= op == RECORD_COPY || op == RECORD_COPY_TO || op == RECORD_END;
	if (provided) {
		s->r->special[op] = c;
		s->r->provided |= 1u << op;
	}
	return CXChildVisit_Continue;
}

static enum CXVisitorResult see_field(CXCursor c, CXClientData data)
{
	array_push(&((struct seen *)data)->fields, c);
	return CXVisit_Continue;
}

static void read_record(struct builder *b, struct record *r)
{
	struct seen s = {.r = r};
	CXCursor decl = clang_getTypeDeclaration(r->type);
	CXCursor definition = clang_getCursorDefinition(decl);
	r->shown = clang_Cursor_isNull(definition) ? decl : definition;
	r->complete = clang_Type_getSizeOf(r->type) >= 0;
	r->system = clang_Location_isInSystemHeader(clang_getCursorLocation(r->shown));
	r->is_union = clang_getCursorKind(r->shown) == CXCursor_UnionDecl;
	if (!r->complete) {
		return;
	}
	r->plain = clang_isPODType(r->type);
	clang_visitChildren(r->shown, see_member, &s);
	CXCursor pattern = clang_getSpecializedCursorTemplate(r->shown);
	if (s.n == 0 && !clang_Cursor_isNull(pattern)) {
		CXCursor whole = clang_getCursorDefinition(pattern);
		r->shown = clang_Cursor_isNull(whole) ? pattern : whole;
		r->hidden = true;
		clang_visitChildren(r->shown, see_member, &s);
	}
	clang_Type_visitFields(r->type, see_field, &s);
	r->field = (struct kids){array_to_arena(b->arena, &s.fields), s.fields.n};
	r->base = (struct kids){array_to_arena(b->arena, &s.bases), s.bases.n};
	array_release(&s.fields);
	array_release(&s.bases);
}

struct record *record_of(struct builder *b, CXType t)
{
	t = record_bare(t);
	if (t.kind != CXType_Record) {
		return NULL;
	}
	uint64_t key = (uint64_t)(uintptr_t)t.data[0];
	struct record *r = (struct record *)map_get_u64(&b->records, key, 0);
	if (!r) {
		r = ARENA_NEW(b->arena, struct record);
		r->type = t;
		map_set_u64(&b->records, key, (uintptr_t)r);
		read_record(b, r);
	}
	return r;
}

struct kids record_fields(struct builder *b, CXType t)
{
	struct record *r = record_of(b, t);
	return r ? r->field : (struct kids){0};
}

bool record_has_mutable(struct builder *b, CXType t)
{
	while (record_is_array(t)) {
		t = clang_getArrayElementType(clang_getCanonicalType(t));
	}
	if (clang_getCanonicalType(t).kind != CXType_Record) {
		return false;
	}
	struct record *r = record_of(b, t);
	bool found = !r || !r->complete;
	for (size_t i = 0; !found && i < r->field.n; i++) {
		found = clang_CXXField_isMutable(r->field.v[i]) ||
			record_has_mutable(b, clang_getCursorType(r->field.v[i]));
	}
	for (size_t i = 0; !found && i < r->base.n; i++) {
		found = record_has_mutable(b, clang_getCursorType(r->base.v[i]));
	}
	return found;
}

bool record_is_aggregate(struct builder *b, CXType t)
{
	struct record *r = record_of(b, t);
	return r && r->complete && !r->constructors && r->base.n == 0;
}

/* ---- initializers of members ---- */

static bool prints_initializer(CXCursor field)
{
	CXString s = clang_getCursorPrettyPrinted(field, NULL);
	const char *text = clang_getCString(s);
	bool has = text && strpbrk(text, "={");
	clang_disposeString(s);
	return has;
}

struct last_expr {
	CXCursor found;
	unsigned n;
};

static enum CXChildVisitResult see_expr(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct last_expr *l = data;
	if (clang_isExpression(clang_getCursorKind(c)) && !builder_is_type_ref(c)) {
		l->found = c;
		l->n++;
	}
	return CXChildVisit_Continue;
}

/* A field's default initializer. */
struct field_init {
	bool there;
	CXCursor value; /* null if there is none, or if libclang does not show it */
};

static struct field_init init_of(CXCursor field)
{
	struct last_expr l = {clang_getNullCursor(), 0};
	if (!prints_initializer(field)) {
		return (struct field_init){false, l.found};
	}
	clang_visitChildren(field, see_expr, &l);
	bool any = l.n > (clang_Cursor_isBitField(field) ? 1u : 0u);
	return (struct field_init){true, any ? l.found : clang_getNullCursor()};
}

static bool is_constant(CXCursor c);

static enum CXChildVisitResult see_constant(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	bool *all = data;
	*all = builder_is_type_ref(c) || is_constant(c);
	return *all ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* Is it made only of literals, independent of template arguments? */
static bool is_constant(CXCursor c)
{
	bool all = true;
	switch (clang_getCursorKind(c)) {
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_CXXBoolLiteralExpr:
	case CXCursor_CXXNullPtrLiteralExpr:
	case CXCursor_GNUNullExpr:
	case CXCursor_UnaryExpr:
		return true;
	case CXCursor_DeclRefExpr: {
		enum CXCursorKind k = clang_getCursorKind(clang_getCursorReferenced(c));
		return k == CXCursor_EnumConstantDecl || k == CXCursor_NonTypeTemplateParameter;
	}
	case CXCursor_UnaryOperator: {
		enum CXUnaryOperatorKind k = clang_getCursorUnaryOperatorKind(c);
		all = k == CXUnaryOperator_Minus || k == CXUnaryOperator_Plus ||
		      k == CXUnaryOperator_Not || k == CXUnaryOperator_LNot;
		break;
	}
	case CXCursor_BinaryOperator: {
		enum CXBinaryOperatorKind k = clang_getCursorBinaryOperatorKind(c);
		all = k >= CXBinaryOperator_Mul && k <= CXBinaryOperator_LOr;
		break;
	}
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
	case CXCursor_InitListExpr:
	case CXCursor_CStyleCastExpr:
	case CXCursor_CXXStaticCastExpr:
	case CXCursor_CXXFunctionalCastExpr:
		break;
	default:
		return false;
	}
	if (all) {
		clang_visitChildren(c, see_constant, &all);
	}
	return all;
}

/* The field in the declaration as written. */
static CXCursor written(const struct record *r, CXCursor field)
{
	if (!r->hidden) {
		return field;
	}
	CXString s = clang_getCursorSpelling(field);
	struct str name = str_of(clang_getCString(s));
	CXCursor found = name.n ? cursor_child_named(r->shown, CXCursor_FieldDecl, name)
				: clang_getNullCursor();
	clang_disposeString(s);
	return found;
}

static struct record *record_around(struct builder *b, CXCursor field)
{
	return record_of(b, clang_getCursorType(clang_getCursorSemanticParent(field)));
}

/* The initializer in the declaration as written. */
static struct field_init init_as_written(const struct record *r, CXCursor field)
{
	CXCursor w = written(r, field);
	bool unnamed = clang_Cursor_isNull(w); /* a member of a template's class */
	return unnamed ? (struct field_init){true, w} : init_of(w);
}

/* Does the initializer do more than set the field to a constant? */
static bool init_runs(const struct field_init *i, CXCursor field)
{
	bool scalar = is_scalar(without_arrays(clang_getCursorType(field)));
	return clang_Cursor_isNull(i->value) || !scalar || !is_constant(i->value);
}

bool record_has_initializer(const struct record *r, CXCursor field)
{
	return init_as_written(r, field).there;
}

CXCursor record_find_initializer(struct builder *b, CXCursor field, bool *known)
{
	struct record *r = record_around(b, field);
	struct field_init init = r ? init_as_written(r, field) : (struct field_init){0};
	*known = true;
	if (!init.there) {
		*known = r != NULL;
		return clang_getNullCursor();
	}
	CXCursor value = init_of(field).value;
	if (clang_Cursor_isNull(value) && !init_runs(&init, field)) {
		value = init.value;
	}
	*known = !clang_Cursor_isNull(value);
	return value;
}

/* ---- does it run code? ---- */

static bool any_field_runs(struct builder *b, struct record *r, enum record_op op)
{
	for (size_t i = 0; i < r->field.n; i++) {
		CXCursor f = r->field.v[i];
		struct field_init init = {0};
		if (op == RECORD_INIT) {
			init = init_as_written(r, f);
		}
		if (init.there ? init_runs(&init, f) : record_runs(b, clang_getCursorType(f), op)) {
			return true;
		}
	}
	return false;
}

/* Do types among the template arguments have such code? */
static bool any_argument_runs(struct builder *b, CXType t, enum record_op op)
{
	int n = clang_Type_getNumTemplateArguments(t);
	for (int i = 0; i < n; i++) {
		CXType a = clang_Type_getTemplateArgumentAsType(t, (unsigned)i);
		if (a.kind != CXType_Invalid && record_runs(b, a, op)) {
			return true;
		}
	}
	return n < 0;
}

/* A base that depends on template arguments, so that its type is not available. */
bool record_hidden_base_runs(
	struct builder *b, const struct record *r, CXCursor base, enum record_op op)
{
	CXCursor ref = cursor_child_of(base, CXCursor_TemplateRef);
	CXCursor found = clang_Cursor_isNull(ref) ? ref : clang_getCursorReferenced(ref);
	enum CXCursorKind k = clang_getCursorKind(found);
	if (clang_Cursor_isNull(found) || k == CXCursor_TemplateTemplateParameter) {
		return true; /* struct mixed : T */
	}
	bool system = clang_Location_isInSystemHeader(clang_getCursorLocation(found));
	return any_argument_runs(b, r->type, op) || (!system && b->provided & 1u << op);
}

bool record_is_exact(CXType base)
{
	return record_bare(base).kind == CXType_Record;
}

static bool any_base_runs(struct builder *b, struct record *r, enum record_op op)
{
	for (size_t i = 0; i < r->base.n; i++) {
		CXType t = clang_getCursorType(r->base.v[i]);
		if (record_is_exact(t) ? record_runs(b, t, op)
				       : record_hidden_base_runs(b, r, r->base.v[i], op)) {
			return true;
		}
	}
	return false;
}

enum record_op record_real_op(const struct record *r, enum record_op op)
{
	bool move = op == RECORD_MOVE || op == RECORD_MOVE_TO;
	return move && r->no_moves && !(r->provided & 1u << op) ? op - 1 : op;
}

static bool find_runs(struct builder *b, struct record *r, enum record_op op)
{
	_Static_assert(RECORD_COPY == RECORD_MOVE - 1 && RECORD_COPY_TO == RECORD_MOVE_TO - 1,
		"a copy stands before its move");
	if (r->provided & 1u << op) {
		/* a library template's own code accesses only its own members */
		return !(r->hidden && r->system) || any_argument_runs(b, r->type, op);
	}
	return any_field_runs(b, r, op) || any_base_runs(b, r, op);
}

bool record_runs(struct builder *b, CXType t, enum record_op op)
{
	t = without_arrays(t);
	struct record *r = record_of(b, t);
	if (!r) {
		return !is_scalar(t);
	}
	if (r->plain || !r->complete) {
		return !r->plain;
	}
	op = record_real_op(r, op);
	if (r->answer[op] == ANSWER_OPEN) {
		r->answer[op] = ANSWER_BUSY;
		r->answer[op] = find_runs(b, r, op) ? ANSWER_YES : ANSWER_NO;
	}
	return r->answer[op] != ANSWER_NO;
}

/* ---- addresses in unions ---- */

static bool holds_address(struct builder *b, CXType t)
{
	t = without_arrays(t);
	if (t.kind != CXType_Record) {
		return t.kind == CXType_Pointer || t.kind == CXType_LValueReference ||
		       t.kind == CXType_RValueReference || t.kind == CXType_MemberPointer;
	}
	struct kids f = record_fields(b, t);
	for (size_t i = 0; i < f.n; i++) {
		if (holds_address(b, clang_getCursorType(f.v[i]))) {
			return true;
		}
	}
	return false;
}

bool record_is_punned(struct builder *b, CXType t)
{
	t = without_arrays(t);
	struct record *r = record_of(b, t);
	if (!r) {
		return false;
	}
	if (r->is_union) {
		return r->field.n > 1 && holds_address(b, t);
	}
	for (size_t i = 0; i < r->field.n; i++) {
		if (record_is_punned(b, clang_getCursorType(r->field.v[i]))) {
			return true;
		}
	}
	for (size_t i = 0; i < r->base.n; i++) {
		CXType base = clang_getCursorType(r->base.v[i]);
		if (record_is_exact(base) && record_is_punned(b, base)) {
			return true;
		}
	}
	return false;
}
