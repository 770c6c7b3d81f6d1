/* Expressions: cursors to nodes. */
#include <stdio.h>
#include "frontend/text/lex.h"
#include "frontend/tree/captures.h"
#include "frontend/tree/implicit.h"

struct kt_node *convert_parts(struct builder *b, enum kt_kind kind, CXCursor c,
	struct kt_node *(*part)(struct builder *b, CXCursor c))
{
	struct kt_node *n = convert_node_new(b, kind, c);
	struct kids k = convert_kids_of(b, c);
	ARRAY(struct kt_node *) v = {0};
	for (size_t i = 0; i < k.n; i++) {
		if (!builder_is_type_ref(k.v[i])) {
			array_push(&v, part(b, k.v[i]));
		}
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

struct kt_node *convert_unknown_expr(struct builder *b, CXCursor c)
{
	return convert_with_exprs(b, KT_EXPR_UNKNOWN, c);
}

/* The value of a literal from a macro's body, so that equal literals compare equal. */
static const char *literal_value(struct builder *b, CXCursor c)
{
	const char *text = NULL;
	if (clang_getCursorKind(c) == CXCursor_StringLiteral) {
		return builder_text(b, clang_getCursorSpelling(c));
	}
	CXEvalResult r = clang_Cursor_Evaluate(c);
	if (r && clang_EvalResult_getKind(r) == CXEval_Float) {
		char digits[64];
		snprintf(digits, sizeof(digits), "%a", clang_EvalResult_getAsDouble(r));
		text = builder_intern(b, str_of(digits));
	}
	if (r) {
		clang_EvalResult_dispose(r);
	}
	return text ? text : "";
}

static struct kt_node *literal(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_LITERAL, c);
	n->text = kt_is_spelled(n) ? convert_node_text(b, n) : literal_value(b, c);
	enum kt_type_kind k = b->types.v[n->type].kind;
	int64_t v;
	if ((k == KT_T_INT || k == KT_T_BOOL) &&
		(str_to_i64(str_of(n->text), &v) || convert_evaluate(c, &v))) {
		convert_set_value(n, v);
	}
	return n;
}

struct kt_node *convert_coordinate(struct builder *b, CXCursor c)
{
	CXCursor member = clang_getNullCursor();
	for (CXCursor at = c; !clang_Cursor_isNull(at);) {
		bool ok;
		if (clang_getCursorKind(at) == CXCursor_MemberRefExpr) {
			member = at;
		} else if (clang_getCursorKind(at) == CXCursor_DeclRefExpr) {
			CXString s = clang_getCursorSpelling(at);
			const char *name = clang_getCString(s);
			bool found = !clang_Cursor_isNull(member) && b->intrinsics &&
				     intrinsic_is_index(intrinsic_of_variable(b->intrinsics, name));
			clang_disposeString(s);
			if (!found) {
				return NULL;
			}
			struct kt_node *n = convert_node_new(b, KT_MEMBER, c);
			n->text = builder_text(b, clang_getCursorSpelling(member));
			struct kt_node *base = convert_node_new(b, KT_REF, at);
			base->sym = builder_sym(b, clang_getCursorReferenced(at));
			b->syms.v[base->sym].space = KT_CONSTANT;
			base->text = NULL;
			convert_one_child(b, n, base);
			return n;
		}
		at = convert_only_child(at, &ok);
		if (!ok) {
			return NULL;
		}
	}
	return NULL;
}

/* An implicit conversion has the extent of its operand. */
static bool same_extent(CXCursor x, CXCursor y)
{
	CXSourceRange a = clang_getCursorExtent(x);
	CXSourceRange b = clang_getCursorExtent(y);
	return a.begin_int_data == b.begin_int_data && a.end_int_data == b.end_int_data;
}

static const char *swizzle_name(
	struct builder *b, const struct kt_node *whole, const struct kt_node *inner)
{
	struct str t = convert_cur_text(b);
	struct lex_token sign = lex_next(t, inner->end);
	bool arrow = lex_is(t, sign, "-") && sign.end < t.n && t.p[sign.end] == '>';
	struct lex_token name = lex_next(t, sign.end + arrow);
	bool found = whole->begin == inner->begin && whole->end > inner->end &&
		     (arrow || lex_is(t, sign, ".")) && name.kind == LEX_WORD &&
		     name.end == whole->end;
	return found ? builder_intern(b, str_sub(t, name.begin, name.end)) : NULL;
}

/* Swizzles and __builtin_convertvector have no cursor kind. A swizzle is recognized by the text
 * after the child or, in a macro, by an extent beyond the vector; it then has no name. */
static struct kt_node *of_vector(struct builder *b, CXCursor c, CXCursor child)
{
	kt_id type = builder_type(b, clang_getCursorType(child)); /* may move the types */
	const struct kt_type *t = &b->types.v[type];
	bool arrow = t->kind == KT_T_POINTER || t->kind == KT_T_ARRAY;
	bool vector = (arrow ? b->types.v[t->elem].kind : t->kind) == KT_T_VECTOR;
	if (clang_getCursorKind(c) == CXCursor_ParenExpr || !vector || same_extent(c, child)) {
		return NULL;
	}
	struct kt_node whole = {0}, inner = {0};
	convert_set_range(b, &whole, c);
	convert_set_range(b, &inner, child);
	convert_find_argument(b, &whole, c);
	convert_find_argument(b, &inner, child);
	bool spelled = kt_is_spelled(&whole) && kt_is_spelled(&inner);
	const char *name = spelled ? swizzle_name(b, &whole, &inner) : "";
	struct kt_node *n = convert_node_new(b, name ? KT_MEMBER : KT_CAST, c);
	n->text = name;
	n->flags |= name && arrow ? KT_F_ARROW : 0;
	convert_one_child(b, n, convert_expr(b, child));
	return n;
}

/* A conversion to a record without a visible constructor, such as S(1) of an aggregate. */
static bool hides_conversion(CXCursor c, CXCursor child)
{
	CXType to = clang_getCanonicalType(clang_getCursorType(c));
	CXType from = clang_getCanonicalType(clang_getCursorType(child));
	return to.kind == CXType_Record && from.kind != CXType_Record &&
	       clang_getCursorKind(child) != CXCursor_InitListExpr &&
	       from.kind != CXType_ConstantArray; /* a std::initializer_list */
}

static struct kt_node *transparent(struct builder *b, CXCursor c)
{
	bool ok;
	CXCursor child = convert_only_child(c, &ok);
	if (!ok) {
		struct kids k = convert_kids_of(b, c);
		if (k.n == 0 && !record_runs(b, clang_getCursorType(c), RECORD_INIT)) {
			/* a value-initialisation, a trait: no text of its own */
			struct kt_node *n = convert_node_new(b, KT_LITERAL, c);
			n->text = "";
			n->flags |= KT_F_MACRO;
			return n;
		}
		return convert_unknown_expr(b, c);
	}
	if (hides_conversion(c, child)) {
		return convert_unknown_expr(b, c);
	}
	struct kt_node *n = of_vector(b, c, child);
	if (n) {
		return n;
	}
	n = convert_expr(b, child);
	/* An implicit conversion may come from a macro, too: keep the range of the child. */
	return n;
}

static struct kt_node *decl_ref(struct builder *b, CXCursor c)
{
	CXCursor r = clang_getCursorReferenced(c);
	enum CXCursorKind k = clang_getCursorKind(r);
	if (clang_Cursor_isNull(r)) {
		/* a substituted template parameter: its value is the child */
		bool ok;
		CXCursor child = convert_only_child(c, &ok);
		struct kt_node *n = convert_node_new(b, KT_LITERAL, c);
		n->text = kt_is_spelled(n) ? convert_node_text(b, n) : "";
		int64_t v;
		if (ok && convert_evaluate(child, &v)) {
			convert_set_value(n, v);
		}
		return n;
	}
	struct kt_node *n = convert_node_new(b, KT_REF, c);
	if (k == CXCursor_VarDecl || k == CXCursor_ParmDecl || k == CXCursor_EnumConstantDecl ||
		k == CXCursor_NonTypeTemplateParameter || k == CXCursor_FieldDecl) {
		n->sym = builder_sym(b, r);
		if (b->types.v[b->syms.v[n->sym].type].is_volatile) {
			n->flags |= KT_F_VOLATILE;
		}
		enum kt_sym_kind sk = b->syms.v[n->sym].kind;
		const struct kt_type *t = &b->types.v[n->type];
		bool constant = sk == KT_S_CONST || (t->is_const && k == CXCursor_VarDecl);
		int64_t v;
		if (constant && (t->kind == KT_T_INT || t->kind == KT_T_BOOL) &&
			convert_evaluate(c, &v)) {
			convert_set_value(n, v);
		}
		captures_name(b, n, r);
	} else {
		n->sym = builder_binding(b, r);
		n->fn = n->sym ? 0 : builder_fn(b, r);
		if (k == CXCursor_UnexposedDecl) {
			captures_name(b, n, r);
		}
		if (n->kind == KT_REF && !n->sym && !n->fn) {
			n->kind = KT_EXPR_UNKNOWN;
		} else if (n->sym && b->types.v[n->type].is_volatile) {
			n->flags |= KT_F_VOLATILE;
		}
	}
	return n;
}

static struct kt_node *member_expr(struct builder *b, CXCursor c)
{
	struct kt_node *co = convert_coordinate(b, c);
	if (co) {
		return co;
	}
	CXCursor r = clang_getCursorReferenced(c);
	enum CXCursorKind rk = clang_getCursorKind(r);
	struct kt_node *n = convert_node_new(b, KT_MEMBER, c);
	n->text = builder_text(b, clang_getCursorSpelling(c));
	if (rk == CXCursor_FieldDecl || rk == CXCursor_VarDecl) {
		n->sym = builder_sym(b, r);
		if (b->types.v[b->syms.v[n->sym].type].is_volatile) {
			n->flags |= KT_F_VOLATILE;
		}
	}
	if (rk == CXCursor_VarDecl || rk == CXCursor_EnumConstantDecl) {
		n->kind = KT_REF; /* static member: the object does not matter */
		n->child = NULL;
		n->n = 0;
		n->sym = builder_sym(b, r);
		int64_t v;
		if (convert_evaluate(c, &v)) {
			convert_set_value(n, v);
		}
		return n;
	}
	bool ok;
	CXCursor base = convert_only_child(c, &ok);
	if (ok) {
		n->child[0] = convert_expr(b, base);
		CXType t = clang_getCanonicalType(clang_getCursorType(base));
		/* libclang calls a pointer that was declared as an array an array */
		if (t.kind == CXType_Pointer || t.kind == CXType_ConstantArray ||
			t.kind == CXType_IncompleteArray || t.kind == CXType_VariableArray) {
			n->flags |= KT_F_ARROW;
		}
	}
	return n;
}

static struct kt_node *subscript(struct builder *b, CXCursor c)
{
	struct kids k = convert_kids_of(b, c);
	if (k.n != 2) {
		return convert_unknown_expr(b, c);
	}
	CXType t = clang_getCanonicalType(clang_getCursorType(k.v[0]));
	bool swapped = t.kind != CXType_Pointer && t.kind != CXType_ConstantArray &&
		       t.kind != CXType_IncompleteArray && t.kind != CXType_VariableArray &&
		       t.kind != CXType_Vector && t.kind != CXType_ExtVector;
	struct kt_node *n = convert_node_new(b, KT_INDEX, c);
	struct kt_node *v[2] = {
		convert_expr(b, k.v[swapped ? 1 : 0]), convert_expr(b, k.v[swapped ? 0 : 1])};
	if (swapped) {
		n->flags |= KT_F_MACRO; /* 3[p]: valid, but never edit it */
	}
	kt_set_children(n, b->scratch, v, 2);
	return n;
}

CXCursor convert_strip(CXCursor c)
{
	bool ok = true;
	while (ok && (clang_getCursorKind(c) == CXCursor_UnexposedExpr ||
			     clang_getCursorKind(c) == CXCursor_ParenExpr)) {
		CXCursor child = convert_only_child(c, &ok);
		if (ok) {
			c = child;
		}
	}
	return c;
}

bool convert_names_object(CXCursor c)
{
	enum CXCursorKind k = clang_getCursorKind(c);
	return k == CXCursor_DeclRefExpr || k == CXCursor_MemberRefExpr ||
	       k == CXCursor_ArraySubscriptExpr;
}

static struct kt_node *binary(struct builder *b, CXCursor c)
{
	struct kids k = convert_kids_of(b, c);
	bool assign;
	enum kt_op op = convert_binary_op(c, &assign);
	if (k.n != 2 || op == KT_OP_OTHER) {
		return convert_unknown_expr(b, c); /* o.*p: an unknown member */
	}
	struct kt_node *n = convert_node_new(b, assign ? KT_ASSIGN : KT_BINARY, c);
	n->op = op;
	struct kt_node *v[2] = {convert_expr(b, k.v[0]), convert_expr(b, k.v[1])};
	kt_set_children(n, b->scratch, v, 2);
	return n;
}

/* The number of expressions that libclang shows for a type as written: constant template arguments
 * and bounds of arrays. */
static size_t expressions_of_type(CXType t)
{
	size_t n = 0;
	int args = clang_Type_getNumTemplateArguments(t);
	switch (t.kind) {
	case CXType_Pointer:
	case CXType_LValueReference:
	case CXType_RValueReference:
		return expressions_of_type(clang_getPointeeType(t));
	case CXType_ConstantArray:
		return 1 + expressions_of_type(clang_getArrayElementType(t));
	default:
		break;
	}
	for (int i = 0; i < args; i++) {
		CXType arg = clang_Type_getTemplateArgumentAsType(t, (unsigned)i);
		n += arg.kind == CXType_Invalid ? 1 : expressions_of_type(arg);
	}
	return n;
}

/* Is there only a closing parenthesis between the end of c and that of the cast n? Then c is not
 * part of the type. */
static bool ends_cast(struct builder *b, const struct kt_node *n, CXCursor c)
{
	const struct kt_node *operand = convert_node_new(b, KT_NONE, c);
	struct str t = convert_cur_text(b);
	size_t at = operand->end;
	if ((n->flags | operand->flags) & KT_F_MACRO || at <= n->begin || at > n->end) {
		return false;
	}
	while (at < n->end) {
		struct lex_token k = lex_next(t, at);
		if (!lex_is(t, k, ")")) {
			return false;
		}
		at = k.end;
	}
	return true;
}

/* The operand of a cast is the last child, after the expressions of its type. For a type written as
 * a member, `typename T<4>::type`, these differ from those of the type itself. */
static struct kt_node *cast(struct builder *b, CXCursor c)
{
	struct kids k = convert_kids_of(b, c);
	CXCursor last = clang_getNullCursor();
	size_t n = 0;
	for (size_t i = 0; i < k.n; i++) {
		bool shown = !builder_is_type_ref(k.v[i]);
		last = shown ? k.v[i] : last;
		n += shown;
	}
	if (n == 0) {
		return convert_unknown_expr(b, c);
	}
	struct kt_node *node = convert_node_new(b, KT_CAST, c);
	if (n > 1 && n != expressions_of_type(clang_getCursorType(c)) + 1 &&
		!ends_cast(b, node, last)) {
		return convert_unknown_expr(b, c);
	}
	convert_one_child(b, node, convert_expr(b, last));
	return node;
}

/* Does a capture by copy run code? */
static bool copies_captures(struct builder *b, CXCursor c)
{
	struct kids f = record_fields(b, clang_getCursorType(c));
	for (size_t i = 0; i < f.n; i++) {
		if (record_runs(b, clang_getCursorType(f.v[i]), RECORD_COPY)) {
			return true;
		}
	}
	return false;
}

/* A lambda with a new member, [p = &x], is unknown as a whole, because no KT_REF describes the
 * initialization. */
static struct kt_node *lambda(struct builder *b, CXCursor c)
{
	bool owned = convert_take_owned(b);
	struct kt_node *n = convert_node_new(b, KT_LAMBDA, c);
	struct kids k = convert_kids_of(b, c);
	node_list v = {0};
	name_list copied = {0};
	b->implicit_at = n->begin;
	if (captures_see(b, c, k, b->cur_fn, &copied)) {
		array_push(&v, implicit_object(b));
	}
	array_each (&copied, CXCursor, name) {
		array_push(&v, implicit_here(b, convert_expr(b, *name)));
	}
	array_release(&copied);
	for (size_t i = 0; i < k.n; i++) {
		if (clang_getCursorKind(k.v[i]) != CXCursor_VariableRef) {
			continue;
		}
		CXCursor d = clang_getCursorReferenced(k.v[i]);
		if (clang_equalLocations(
			    clang_getCursorLocation(d), clang_getCursorLocation(k.v[i]))) {
			CXCursor init = clang_Cursor_getVarDeclInitializer(d);
			n->kind = KT_EXPR_UNKNOWN;
			if (!clang_Cursor_isNull(init)) {
				array_push(&v, convert_expr(b, init));
			}
			continue;
		}
		struct kt_node *r = convert_node_new(b, KT_REF, k.v[i]);
		bool binding = clang_getCursorKind(d) == CXCursor_UnexposedDecl;
		r->sym = binding ? builder_binding(b, d) : builder_sym(b, d);
		r->type = b->syms.v[r->sym].type;
		captures_name(b, r, d);
		if (r->kind == KT_REF && !r->sym) {
			n->kind = KT_EXPR_UNKNOWN;
			continue;
		}
		array_push(&v, r);
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	if (copies_captures(b, c)) {
		n->kind = KT_EXPR_UNKNOWN;
	}
	return convert_ending(b, n, c, owned);
}

static struct kt_node *fixed(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kids k = convert_kids_of(b, c);
	struct kt_node *n = convert_node_new(b, kind, c);
	if (k.n != kt_slots(kind)) {
		return convert_unknown_expr(b, c);
	}
	for (size_t i = 0; i < k.n; i++) {
		n->child[i] = convert_expr(b, k.v[i]);
	}
	if (kind == KT_COND) {
		convert_set_condition(n->child[KT_COND_COND], k.v[KT_COND_COND]);
	}
	return n;
}

struct kt_node *convert_with_exprs(struct builder *b, enum kt_kind kind, CXCursor c)
{
	return convert_parts(b, kind, c, convert_expr);
}

static struct kt_node *expr_kind(struct builder *b, CXCursor c)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_UnexposedExpr:
	case CXCursor_ParenExpr:
		return transparent(b, c);
	case CXCursor_DeclRefExpr:
		return decl_ref(b, c);
	case CXCursor_VariableRef:
	case CXCursor_MemberRef:
		return decl_ref(b, c);
	case CXCursor_MemberRefExpr:
		return member_expr(b, c);
	case CXCursor_ArraySubscriptExpr:
		return subscript(b, c);
	case CXCursor_CallExpr:
		return convert_call(b, c);
	case CXCursor_UnaryOperator: {
		struct kt_node *n = convert_with_exprs(b, KT_UNARY, c);
		n->op = convert_unary_op(c);
		n->kind = n->op == KT_OP_OTHER ? KT_EXPR_UNKNOWN : n->kind;
		n->op = n->op == KT_OP_OTHER ? KT_OP_NONE : n->op;
		return n;
	}
	case CXCursor_BinaryOperator:
	case CXCursor_CompoundAssignOperator:
		return binary(b, c);
	case CXCursor_ConditionalOperator:
		return fixed(b, KT_COND, c);
	case CXCursor_IntegerLiteral:
	case CXCursor_FloatingLiteral:
	case CXCursor_CharacterLiteral:
	case CXCursor_StringLiteral:
	case CXCursor_ImaginaryLiteral:
	case CXCursor_CXXBoolLiteralExpr:
	case CXCursor_CXXNullPtrLiteralExpr:
	case CXCursor_GNUNullExpr:
		return literal(b, c);
	case CXCursor_CStyleCastExpr:
	case CXCursor_CXXStaticCastExpr:
	case CXCursor_CXXReinterpretCastExpr:
	case CXCursor_CXXConstCastExpr:
	case CXCursor_CXXFunctionalCastExpr:
	case CXCursor_BuiltinBitCastExpr:
		return cast(b, c);
	case CXCursor_InitListExpr:
		return convert_list(b, c, convert_take_owned(b));
	case CXCursor_CompoundLiteralExpr:
		return cast(b, c);
	case CXCursor_LambdaExpr:
		return lambda(b, c);
	case CXCursor_CXXThisExpr:
		return convert_node_new(b, KT_THIS, c);
	case CXCursor_UnaryExpr: /* sizeof, alignof: unevaluated */
	case CXCursor_SizeOfPackExpr: {
		struct kt_node *n = convert_node_new(b, KT_SIZEOF, c);
		n->text = convert_node_text(b, n);
		int64_t v;
		if (convert_evaluate(c, &v)) {
			convert_set_value(n, v);
		}
		return n;
	}
	default:
		return convert_unknown_expr(b, c);
	}
}

static bool is_pointer(const struct builder *b, const struct kt_node *n)
{
	return n && n->type && b->types.v[n->type].kind == KT_T_POINTER;
}

/* Is this array (by libclang) the value of a parameter declared as an array, or derived from it? */
static bool has_decayed(const struct builder *b, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_REF:
		return n->sym && b->types.v[b->syms.v[n->sym].type].kind == KT_T_POINTER;
	case KT_ASSIGN:
		return is_pointer(b, n->child[0]);
	case KT_UNARY:
		return n->op != KT_OP_DEREF && n->n > 0 && is_pointer(b, n->child[0]);
	case KT_BINARY:
		return is_pointer(b, n->child[1]) ||
		       (n->op != KT_OP_COMMA && is_pointer(b, n->child[0]));
	case KT_COND:
		return is_pointer(b, n->child[KT_COND_THEN]) ||
		       is_pointer(b, n->child[KT_COND_ELSE]);
	default:
		return false;
	}
}

/* Is the value that of the only child? */
static bool passes_on(enum CXCursorKind k)
{
	return k == CXCursor_UnexposedExpr || k == CXCursor_ParenExpr || k == CXCursor_CallExpr ||
	       k == CXCursor_InitListExpr || k == CXCursor_LambdaExpr ||
	       k == CXCursor_CXXFunctionalCastExpr;
}

struct kt_node *convert_expr(struct builder *b, CXCursor c)
{
	if (b->depth > DEPTH_MAX) {
		struct kt_node *n = convert_node_new(b, KT_EXPR_UNKNOWN, c);
		n->flags |= KT_F_MACRO;
		return n;
	}
	b->depth++;
	b->owned &= passes_on(clang_getCursorKind(c));
	struct kt_node *n = expr_kind(b, c);
	if (n->type && b->types.v[n->type].kind == KT_T_ARRAY && has_decayed(b, n)) {
		n->type = builder_decayed(b, n->type);
	}
	b->depth--;
	return n;
}
