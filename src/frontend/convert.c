/*
 * Cursors to nodes. libclang's children come without names, so the slots of if, for and switch are
 * found by where the children stand between the parentheses and semicolons of the spelled text.
 * Whatever is not understood becomes an unknown node with its children below: the analysis then
 * assumes the worst of it.
 */
#include <ctype.h>
#include <string.h>
#include "base/msg.h"
#include "frontend/builder.h"
#include "frontend/lex.h"

enum {
	DEPTH_MAX = 400
};

struct kids {
	CXCursor *v;
	size_t n;
};

static struct kt_node *stmt(struct builder *b, CXCursor c);
static struct kt_node *expr(struct builder *b, CXCursor c);

typedef ARRAY(CXCursor) cursor_array;

static enum CXChildVisitResult push_child(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	array_push((cursor_array *)data, c);
	return CXChildVisit_Continue;
}

static struct kids kids_of(struct builder *b, CXCursor c)
{
	cursor_array found = {0};
	clang_visitChildren(c, push_child, &found);
	struct kids k = {array_to_arena(b->scratch, &found), found.n};
	array_release(&found);
	return k;
}

static struct str cur_text(struct builder *b)
{
	return b->files.v[b->cur_file].text;
}

/* Sets range, file and KT_F_MACRO from the cursor's extent. */
static void set_range(struct builder *b, struct kt_node *n, CXCursor c)
{
	CXSourceRange r = clang_getCursorExtent(c);
	CXSourceLocation start = clang_getRangeStart(r);
	CXSourceLocation end = clang_getRangeEnd(r);
	CXFile fs = NULL, fe = NULL, xs = NULL, xe = NULL;
	unsigned s = 0, e = 0, xso = 0, xeo = 0;
	clang_getSpellingLocation(start, &fs, NULL, NULL, &s);
	clang_getSpellingLocation(end, &fe, NULL, NULL, &e);
	clang_getExpansionLocation(start, &xs, NULL, NULL, &xso);
	clang_getExpansionLocation(end, &xe, NULL, NULL, &xeo);
	n->file = (uint16_t)b->cur_file;
	n->begin = xso;
	n->end = xeo;
	bool same_file =
		xs && xe && builder_file(b, xs, start) == b->cur_file && clang_File_isEqual(xs, xe);
	if (!same_file || s != xso || e != xeo || !clang_File_isEqual(fs, xs) ||
		!clang_File_isEqual(fe, xe) || xeo < xso || xeo > cur_text(b).n) {
		n->flags |= KT_F_MACRO;
	}
}

static struct kt_node *node_new(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	n->kind = kind;
	set_range(b, n, c);
	if (!kt_is_stmt(kind)) {
		n->type = builder_type(b, clang_getCursorType(c));
	}
	if (kt_slots(kind)) {
		n->n = (unsigned)kt_slots(kind) & KT_CHILDREN_MAX;
		n->child = ARENA_ARRAY(b->scratch, struct kt_node *, n->n);
	}
	return n;
}

static void one_child(struct builder *b, struct kt_node *n, struct kt_node *child)
{
	kt_set_children(n, b->scratch, &child, child ? 1 : 0);
}

static void set_value(struct kt_node *n, int64_t value)
{
	n->flags |= KT_F_VALUE;
	n->value = value;
}

/* Asks clang for the constant; only worth it where a value decides something. */
static bool evaluate(CXCursor c, int64_t *out)
{
	CXEvalResult r = clang_Cursor_Evaluate(c);
	bool ok = false;
	if (r) {
		if (clang_EvalResult_getKind(r) == CXEval_Int) {
			*out = clang_EvalResult_isUnsignedInt(r)
				       ? (int64_t)clang_EvalResult_getAsUnsigned(r)
				       : clang_EvalResult_getAsLongLong(r);
			ok = true;
		}
		clang_EvalResult_dispose(r);
	}
	return ok;
}

/* A condition that an instantiation decides, N > 4 && First, is no branch. */
static void set_condition(struct kt_node *n, CXCursor c)
{
	int64_t v;
	if (!(n->flags & KT_F_VALUE) && evaluate(c, &v)) {
		set_value(n, v);
	}
}

static const char *node_text(struct builder *b, const struct kt_node *n)
{
	return builder_intern(b, str_sub(cur_text(b), n->begin, n->end));
}

/* The statement's semicolon belongs to it. */
static void take_semicolon(struct builder *b, struct kt_node *n)
{
	struct str t = cur_text(b);
	if (n->flags & KT_F_MACRO) {
		/* FOO(x); the expansion ends before the semicolon */
		struct lex_token k = lex_next(t, n->end);
		if (lex_is(t, k, ";")) {
			n->end = (uint32_t)k.end;
		}
		return;
	}
	if (n->end > n->begin && t.p[n->end - 1] == ';') {
		return;
	}
	struct lex_token k = lex_next(t, n->end);
	if (lex_is(t, k, ";")) {
		n->end = (uint32_t)k.end;
	}
}

/* ---- expressions ---- */

static enum kt_op binary_op(CXCursor c, bool *assign)
{
	*assign = false;
	switch (clang_getCursorBinaryOperatorKind(c)) {
	case CXBinaryOperator_Assign:
		*assign = true;
		return KT_OP_NONE;
	case CXBinaryOperator_AddAssign:
		*assign = true;
		return KT_OP_ADD;
	case CXBinaryOperator_SubAssign:
		*assign = true;
		return KT_OP_SUB;
	case CXBinaryOperator_MulAssign:
		*assign = true;
		return KT_OP_MUL;
	case CXBinaryOperator_DivAssign:
		*assign = true;
		return KT_OP_DIV;
	case CXBinaryOperator_RemAssign:
		*assign = true;
		return KT_OP_REM;
	case CXBinaryOperator_ShlAssign:
		*assign = true;
		return KT_OP_SHL;
	case CXBinaryOperator_ShrAssign:
		*assign = true;
		return KT_OP_SHR;
	case CXBinaryOperator_AndAssign:
		*assign = true;
		return KT_OP_AND;
	case CXBinaryOperator_XorAssign:
		*assign = true;
		return KT_OP_XOR;
	case CXBinaryOperator_OrAssign:
		*assign = true;
		return KT_OP_OR;
	case CXBinaryOperator_Mul:
		return KT_OP_MUL;
	case CXBinaryOperator_Div:
		return KT_OP_DIV;
	case CXBinaryOperator_Rem:
		return KT_OP_REM;
	case CXBinaryOperator_Add:
		return KT_OP_ADD;
	case CXBinaryOperator_Sub:
		return KT_OP_SUB;
	case CXBinaryOperator_Shl:
		return KT_OP_SHL;
	case CXBinaryOperator_Shr:
		return KT_OP_SHR;
	case CXBinaryOperator_LT:
		return KT_OP_LT;
	case CXBinaryOperator_GT:
		return KT_OP_GT;
	case CXBinaryOperator_LE:
		return KT_OP_LE;
	case CXBinaryOperator_GE:
		return KT_OP_GE;
	case CXBinaryOperator_EQ:
		return KT_OP_EQ;
	case CXBinaryOperator_NE:
		return KT_OP_NE;
	case CXBinaryOperator_And:
		return KT_OP_AND;
	case CXBinaryOperator_Xor:
		return KT_OP_XOR;
	case CXBinaryOperator_Or:
		return KT_OP_OR;
	case CXBinaryOperator_LAnd:
		return KT_OP_LAND;
	case CXBinaryOperator_LOr:
		return KT_OP_LOR;
	case CXBinaryOperator_Comma:
		return KT_OP_COMMA;
	default:
		return KT_OP_OTHER;
	}
}

static enum kt_op unary_op(CXCursor c)
{
	switch (clang_getCursorUnaryOperatorKind(c)) {
	case CXUnaryOperator_PostInc:
		return KT_OP_POSTINC;
	case CXUnaryOperator_PostDec:
		return KT_OP_POSTDEC;
	case CXUnaryOperator_PreInc:
		return KT_OP_PREINC;
	case CXUnaryOperator_PreDec:
		return KT_OP_PREDEC;
	case CXUnaryOperator_AddrOf:
		return KT_OP_ADDR;
	case CXUnaryOperator_Deref:
		return KT_OP_DEREF;
	case CXUnaryOperator_Plus:
		return KT_OP_PLUS;
	case CXUnaryOperator_Minus:
		return KT_OP_NEG;
	case CXUnaryOperator_Not:
		return KT_OP_NOT;
	case CXUnaryOperator_LNot:
		return KT_OP_LNOT;
	default:
		return KT_OP_OTHER;
	}
}

/* "operator+=" -> KT_OP_ADD, assign; "operator[]" gives KT_OP_OTHER. */
static enum kt_op operator_of(const char *name, bool unary, bool *assign)
{
	static const struct {
		const char *text;
		enum kt_op op;
	} table[] = {{"+", KT_OP_ADD}, {"-", KT_OP_SUB}, {"*", KT_OP_MUL}, {"/", KT_OP_DIV},
		{"%", KT_OP_REM}, {"<<", KT_OP_SHL}, {">>", KT_OP_SHR}, {"&", KT_OP_AND},
		{"|", KT_OP_OR}, {"^", KT_OP_XOR}, {"<", KT_OP_LT}, {">", KT_OP_GT},
		{"<=", KT_OP_LE}, {">=", KT_OP_GE}, {"==", KT_OP_EQ}, {"!=", KT_OP_NE}};
	struct str s = str_of(name + strlen("operator"));
	*assign = false;
	if (str_is(s, "=")) {
		*assign = true;
		return KT_OP_NONE;
	}
	if (unary) {
		return str_is(s, "-") ? KT_OP_NEG : str_is(s, "*") ? KT_OP_DEREF : KT_OP_OTHER;
	}
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		if (str_is(s, table[i].text)) {
			return table[i].op;
		}
	}
	if (s.n > 1 && s.p[s.n - 1] == '=') {
		for (size_t i = 0; i < 10; i++) {
			if (str_is(str_sub(s, 0, s.n - 1), table[i].text)) {
				*assign = true;
				return table[i].op;
			}
		}
	}
	return KT_OP_OTHER;
}

static bool is_type_ref(CXCursor c)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_TypeRef:
	case CXCursor_TemplateRef:
	case CXCursor_NamespaceRef:
	case CXCursor_OverloadedDeclRef:
		return true;
	default:
		return clang_isAttribute(clang_getCursorKind(c));
	}
}

/* Children that are expressions. */
static void add_exprs(struct builder *b, struct kt_node *n, CXCursor c)
{
	struct kids k = kids_of(b, c);
	ARRAY(struct kt_node *) v = {0};
	for (size_t i = 0; i < k.n; i++) {
		if (!is_type_ref(k.v[i])) {
			array_push(&v, expr(b, k.v[i]));
		}
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
}

static struct kt_node *unknown_expr(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_EXPR_UNKNOWN, c);
	add_exprs(b, n, c);
	return n;
}

static struct kt_node *literal(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_LITERAL, c);
	n->text = n->flags & KT_F_MACRO ? "" : node_text(b, n);
	enum kt_type_kind k = b->types.v[n->type].kind;
	int64_t v;
	if ((k == KT_T_INT || k == KT_T_BOOL) &&
		(str_to_i64(str_of(n->text), &v) || evaluate(c, &v))) {
		set_value(n, v);
	}
	return n;
}

static CXCursor only_child(CXCursor c, bool *ok)
{
	cursor_array found = {0};
	clang_visitChildren(c, push_child, &found);
	CXCursor r = clang_getNullCursor();
	size_t n = 0;
	for (size_t i = 0; i < found.n; i++) {
		if (!is_type_ref(found.v[i])) {
			r = found.v[i];
			n++;
		}
	}
	*ok = n == 1;
	array_release(&found);
	return r;
}

/* threadIdx, blockIdx, ...: HIP makes their members conversion operators of static objects. */
static bool coordinate_name(struct str s)
{
	return str_is(s, "threadIdx") || str_is(s, "blockIdx") || str_is(s, "blockDim") ||
	       str_is(s, "gridDim");
}

/* When c is (a conversion of) threadIdx.x and its like, the node for it. */
static struct kt_node *coordinate(struct builder *b, CXCursor c)
{
	CXCursor member = clang_getNullCursor();
	for (CXCursor at = c; !clang_Cursor_isNull(at);) {
		bool ok;
		if (clang_getCursorKind(at) == CXCursor_MemberRefExpr) {
			member = at;
		} else if (clang_getCursorKind(at) == CXCursor_DeclRefExpr) {
			CXString s = clang_getCursorSpelling(at);
			const char *name = clang_getCString(s);
			bool found = coordinate_name(str_of(name)) && !clang_Cursor_isNull(member);
			clang_disposeString(s);
			if (!found) {
				return NULL;
			}
			struct kt_node *n = node_new(b, KT_MEMBER, c);
			n->text = builder_text(b, clang_getCursorSpelling(member));
			struct kt_node *base = node_new(b, KT_REF, at);
			base->sym = builder_sym(b, clang_getCursorReferenced(at));
			b->syms.v[base->sym].space = KT_CONSTANT;
			base->text = NULL;
			one_child(b, n, base);
			return n;
		}
		at = only_child(at, &ok);
		if (!ok) {
			return NULL;
		}
	}
	return NULL;
}

/* A swizzle has no cursor of its own: the text behind the child starts with a dot. */
static struct kt_node *swizzle(struct builder *b, CXCursor c, CXCursor child)
{
	struct kt_node probe = {0};
	set_range(b, &probe, c);
	struct kt_node inner = {0};
	set_range(b, &inner, child);
	if ((probe.flags | inner.flags) & KT_F_MACRO || probe.end <= inner.end ||
		probe.begin != inner.begin) {
		return NULL;
	}
	struct str t = cur_text(b);
	struct lex_token dot = lex_next(t, inner.end);
	struct lex_token name = lex_next(t, dot.end);
	if (!lex_is(t, dot, ".") || name.kind != LEX_WORD || name.end != probe.end) {
		return NULL;
	}
	struct kt_node *n = node_new(b, KT_MEMBER, c);
	n->text = builder_intern(b, str_sub(t, name.begin, name.end));
	one_child(b, n, expr(b, child));
	return n;
}

static struct kt_node *transparent(struct builder *b, CXCursor c)
{
	bool ok;
	CXCursor child = only_child(c, &ok);
	if (!ok) {
		struct kids k = kids_of(b, c);
		if (k.n == 0) {
			/* a default argument, a value-initialisation: no text of its own */
			struct kt_node *n = node_new(b, KT_LITERAL, c);
			n->text = "";
			n->flags |= KT_F_MACRO;
			return n;
		}
		return unknown_expr(b, c);
	}
	struct kt_node *n = swizzle(b, c, child);
	if (n) {
		return n;
	}
	n = expr(b, child);
	/* An implicit conversion may also come from a macro: keep what the child knows. */
	return n;
}

static struct kt_node *decl_ref(struct builder *b, CXCursor c)
{
	CXCursor r = clang_getCursorReferenced(c);
	enum CXCursorKind k = clang_getCursorKind(r);
	if (clang_Cursor_isNull(r)) {
		/* a substituted template parameter: its value is the child */
		bool ok;
		CXCursor child = only_child(c, &ok);
		struct kt_node *n = node_new(b, KT_LITERAL, c);
		n->text = n->flags & KT_F_MACRO ? "" : node_text(b, n);
		int64_t v;
		if (ok && evaluate(child, &v)) {
			set_value(n, v);
		}
		return n;
	}
	struct kt_node *n = node_new(b, KT_REF, c);
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
		if (constant && (t->kind == KT_T_INT || t->kind == KT_T_BOOL) && evaluate(c, &v)) {
			set_value(n, v);
		}
	} else {
		n->fn = builder_fn(b, r);
		if (!n->fn) {
			n->kind = KT_EXPR_UNKNOWN;
		}
	}
	return n;
}

static struct kt_node *member(struct builder *b, CXCursor c)
{
	struct kt_node *co = coordinate(b, c);
	if (co) {
		return co;
	}
	CXCursor r = clang_getCursorReferenced(c);
	enum CXCursorKind rk = clang_getCursorKind(r);
	struct kt_node *n = node_new(b, KT_MEMBER, c);
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
		if (evaluate(c, &v)) {
			set_value(n, v);
		}
		return n;
	}
	bool ok;
	CXCursor base = only_child(c, &ok);
	if (ok) {
		n->child[0] = expr(b, base);
		CXType t = clang_getCanonicalType(clang_getCursorType(base));
		/* a pointer that was declared as an array is called one */
		if (t.kind == CXType_Pointer || t.kind == CXType_ConstantArray ||
			t.kind == CXType_IncompleteArray || t.kind == CXType_VariableArray) {
			n->flags |= KT_F_ARROW;
		}
	}
	return n;
}

static struct kt_node *subscript(struct builder *b, CXCursor c)
{
	struct kids k = kids_of(b, c);
	if (k.n != 2) {
		return unknown_expr(b, c);
	}
	CXType t = clang_getCanonicalType(clang_getCursorType(k.v[0]));
	bool swapped = t.kind != CXType_Pointer && t.kind != CXType_ConstantArray &&
		       t.kind != CXType_IncompleteArray && t.kind != CXType_VariableArray &&
		       t.kind != CXType_Vector && t.kind != CXType_ExtVector;
	struct kt_node *n = node_new(b, KT_INDEX, c);
	struct kt_node *v[2] = {expr(b, k.v[swapped ? 1 : 0]), expr(b, k.v[swapped ? 0 : 1])};
	if (swapped) {
		n->flags |= KT_F_MACRO; /* 3[p]: legal, but not to be edited */
	}
	kt_set_children(n, b->scratch, v, 2);
	return n;
}

static struct kt_node *construct(struct builder *b, CXCursor c, CXCursor ctor)
{
	int argc = clang_Cursor_getNumArguments(c);
	if (argc == 1) {
		/* A copy or move of an object of the same type is the object. */
		CXCursor arg = clang_Cursor_getArgument(c, 0);
		CXType ta = clang_getCanonicalType(clang_getCursorType(arg));
		CXType tc = clang_getCanonicalType(clang_getCursorType(c));
		bool copy = clang_CXXConstructor_isCopyConstructor(ctor) ||
			    clang_CXXConstructor_isMoveConstructor(ctor);
		if (copy && clang_isPODType(tc) &&
			clang_equalTypes(
				clang_getUnqualifiedType(ta), clang_getUnqualifiedType(tc))) {
			return expr(b, arg);
		}
	}
	struct kt_node *n = node_new(b, KT_CONSTRUCT, c);
	n->fn = builder_fn(b, ctor);
	ARRAY(struct kt_node *) v = {0};
	for (int i = 0; i < argc; i++) {
		array_push(&v, expr(b, clang_Cursor_getArgument(c, (unsigned)i)));
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

static CXCursor strip_unexposed(CXCursor c)
{
	bool ok = true;
	while (ok && (clang_getCursorKind(c) == CXCursor_UnexposedExpr ||
			     clang_getCursorKind(c) == CXCursor_ParenExpr)) {
		CXCursor child = only_child(c, &ok);
		if (ok) {
			c = child;
		}
	}
	return c;
}

/* The object of g() inside a method: no cursor stands for it, and no type. */
static struct kt_node *implicit_this(struct builder *b, CXCursor at)
{
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	n->kind = KT_THIS;
	set_range(b, n, at);
	return n;
}

/* The object of s.at<1>(x): template arguments come as children too, behind it. */
static CXCursor member_object(struct builder *b, CXCursor head, bool *found)
{
	struct kids k = kids_of(b, head);
	unsigned name = 0, begin = 0;
	clang_getSpellingLocation(clang_getCursorLocation(head), NULL, NULL, NULL, &name);
	for (size_t i = 0; i < k.n; i++) {
		if (is_type_ref(k.v[i])) {
			continue;
		}
		CXSourceLocation at = clang_getRangeStart(clang_getCursorExtent(k.v[i]));
		clang_getSpellingLocation(at, NULL, NULL, NULL, &begin);
		*found = k.n == 1 || begin < name;
		return k.v[i];
	}
	*found = false;
	return clang_getNullCursor();
}

static struct kt_node *call(struct builder *b, CXCursor c)
{
	CXCursor callee = clang_getCursorReferenced(c);
	enum CXCursorKind ck = clang_getCursorKind(callee);
	struct kt_node *co = ck == CXCursor_ConversionFunction ? coordinate(b, c) : NULL;
	if (co) {
		return co;
	}
	if (ck == CXCursor_Constructor) {
		return construct(b, c, callee);
	}
	struct kt_node *n = node_new(b, KT_CALL, c);
	n->text = builder_text(b, clang_getCursorSpelling(c));
	n->fn = clang_Cursor_isNull(callee) ? 0 : builder_fn(b, callee);
	bool is_operator = str_starts(str_of(n->text), "operator") && n->text[8] &&
			   !isalnum((unsigned char)n->text[8]) && n->text[8] != '_' &&
			   n->text[8] != ' ';
	struct kids k = kids_of(b, c);
	CXCursor head = k.n ? strip_unexposed(k.v[0]) : clang_getNullCursor();
	ARRAY(struct kt_node *) v = {0};
	/* Written as an operator (a + b) the object is an argument already; written as a call
	 * (s.at(1)) it hides below the member reference. */
	bool member_call = k.n && clang_getCursorKind(head) == CXCursor_MemberRefExpr &&
			   (ck == CXCursor_CXXMethod || ck == CXCursor_ConversionFunction);
	if (member_call) {
		bool ok;
		CXCursor object = member_object(b, head, &ok);
		n->flags |= KT_F_METHOD;
		if (ok) {
			array_push(&v, expr(b, object));
		} else {
			array_push(&v, implicit_this(b, head));
		}
	} else if (is_operator) {
		n->flags |= KT_F_OPERATOR;
		if (ck == CXCursor_CXXMethod) {
			n->flags |= KT_F_METHOD;
		}
	} else if (k.n && !n->fn) {
		/* through a pointer or an unresolved name: what it is computed from counts */
		if (clang_getCursorKind(head) != CXCursor_DeclRefExpr) {
			array_push(&v, expr(b, k.v[0]));
		}
	}
	int argc = clang_Cursor_getNumArguments(c);
	for (int i = 0; i < argc; i++) {
		array_push(&v, expr(b, clang_Cursor_getArgument(c, (unsigned)i)));
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	if (is_operator && !member_call) { /* x.operator*() is a call like any other */
		bool assign;
		n->op = operator_of(n->text, v.n == 1, &assign);
		(void)assign;
	}
	array_release(&v);
	return n;
}

static struct kt_node *binary(struct builder *b, CXCursor c)
{
	struct kids k = kids_of(b, c);
	bool assign;
	enum kt_op op = binary_op(c, &assign);
	if (k.n != 2) {
		return unknown_expr(b, c);
	}
	struct kt_node *n = node_new(b, assign ? KT_ASSIGN : KT_BINARY, c);
	n->op = op;
	struct kt_node *v[2] = {expr(b, k.v[0]), expr(b, k.v[1])};
	kt_set_children(n, b->scratch, v, 2);
	return n;
}

static struct kt_node *cast(struct builder *b, CXCursor c)
{
	bool ok;
	CXCursor child = only_child(c, &ok);
	if (!ok) {
		return unknown_expr(b, c);
	}
	struct kt_node *n = node_new(b, KT_CAST, c);
	one_child(b, n, expr(b, child));
	return n;
}

/* What is captured as a new variable, [p = &x], has no declaration in the tree: the lambda is one
 * that is not understood. */
static struct kt_node *lambda(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_LAMBDA, c);
	struct kids k = kids_of(b, c);
	ARRAY(struct kt_node *) v = {0};
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
				array_push(&v, expr(b, init));
			}
			continue;
		}
		struct kt_node *r = node_new(b, KT_REF, k.v[i]);
		r->sym = builder_sym(b, d);
		r->type = b->syms.v[r->sym].type;
		array_push(&v, r);
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

static struct kt_node *fixed(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kids k = kids_of(b, c);
	struct kt_node *n = node_new(b, kind, c);
	if (k.n != kt_slots(kind)) {
		return unknown_expr(b, c);
	}
	for (size_t i = 0; i < k.n; i++) {
		n->child[i] = expr(b, k.v[i]);
	}
	if (kind == KT_COND) {
		set_condition(n->child[KT_COND_COND], k.v[KT_COND_COND]);
	}
	return n;
}

static struct kt_node *with_exprs(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kt_node *n = node_new(b, kind, c);
	add_exprs(b, n, c);
	return n;
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
		return member(b, c);
	case CXCursor_ArraySubscriptExpr:
		return subscript(b, c);
	case CXCursor_CallExpr:
		return call(b, c);
	case CXCursor_UnaryOperator: {
		struct kt_node *n = with_exprs(b, KT_UNARY, c);
		n->op = unary_op(c);
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
		return with_exprs(b, KT_INIT_LIST, c);
	case CXCursor_CompoundLiteralExpr:
		return cast(b, c);
	case CXCursor_LambdaExpr:
		return lambda(b, c);
	case CXCursor_CXXThisExpr:
		return node_new(b, KT_THIS, c);
	case CXCursor_UnaryExpr: /* sizeof, alignof: unevaluated */
	case CXCursor_SizeOfPackExpr: {
		struct kt_node *n = node_new(b, KT_SIZEOF, c);
		n->text = node_text(b, n);
		int64_t v;
		if (evaluate(c, &v)) {
			set_value(n, v);
		}
		return n;
	}
	default:
		return unknown_expr(b, c);
	}
}

static bool is_pointer(const struct builder *b, const struct kt_node *n)
{
	return n && n->type && b->types.v[n->type].kind == KT_T_POINTER;
}

/* Is this, by libclang's word an array, the value of a parameter that was declared as one, or
 * calculated from it? */
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

static struct kt_node *expr(struct builder *b, CXCursor c)
{
	if (b->depth > DEPTH_MAX) {
		struct kt_node *n = node_new(b, KT_EXPR_UNKNOWN, c);
		n->flags |= KT_F_MACRO;
		return n;
	}
	b->depth++;
	struct kt_node *n = expr_kind(b, c);
	if (n->type && b->types.v[n->type].kind == KT_T_ARRAY && has_decayed(b, n)) {
		n->type = builder_decayed(b, n->type);
	}
	b->depth--;
	return n;
}

/* ---- statements ---- */

static struct kt_node *var_decl(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_VAR, c);
	n->sym = builder_sym(b, c);
	n->type = b->syms.v[n->sym].type;
	n->text = b->syms.v[n->sym].name;
	CXCursor init = clang_Cursor_getVarDeclInitializer(c);
	if (!clang_Cursor_isNull(init)) {
		one_child(b, n, expr(b, init));
	}
	return n;
}

static struct kt_node *decl_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_DECL, c);
	struct kids k = kids_of(b, c);
	ARRAY(struct kt_node *) v = {0};
	for (size_t i = 0; i < k.n; i++) {
		if (clang_getCursorKind(k.v[i]) == CXCursor_VarDecl) {
			array_push(&v, var_decl(b, k.v[i]));
		} else if (clang_isExpression(clang_getCursorKind(k.v[i]))) {
			array_push(
				&v, unknown_expr(b, k.v[i])); /* structured binding and the like */
		} else if (clang_getCursorKind(k.v[i]) == CXCursor_UnexposedDecl) {
			struct kt_node *u = node_new(b, KT_EXPR_UNKNOWN, k.v[i]);
			add_exprs(b, u, k.v[i]);
			array_push(&v, u);
		}
	}
	for (size_t i = 0; i < v.n; i++) {
		if (v.v[i]->kind != KT_VAR) {
			n->kind = KT_STMT_UNKNOWN;
		}
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

/* A child of a statement: declaration, expression or statement. */
static struct kt_node *part(struct builder *b, CXCursor c)
{
	enum CXCursorKind k = clang_getCursorKind(c);
	if (k == CXCursor_VarDecl) {
		return var_decl(b, c);
	}
	if (k == CXCursor_DeclStmt) {
		return decl_stmt(b, c);
	}
	return clang_isExpression(k) ? expr(b, c) : stmt(b, c);
}

static struct kt_node *unknown_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_STMT_UNKNOWN, c);
	struct kids k = kids_of(b, c);
	ARRAY(struct kt_node *) v = {0};
	for (size_t i = 0; i < k.n; i++) {
		if (!is_type_ref(k.v[i])) {
			array_push(&v, part(b, k.v[i]));
		}
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

static size_t begin_of(struct builder *b, CXCursor c)
{
	struct kt_node probe = {0};
	set_range(b, &probe, c);
	return probe.begin;
}

/* The parenthesis that opens behind the keyword at n->begin, and its partner. */
static bool header_parens(struct builder *b, const struct kt_node *n, size_t *open, size_t *close)
{
	struct str t = cur_text(b);
	*open = lex_find(t, n->begin, n->end, '(');
	if (n->flags & KT_F_MACRO || *open == SIZE_MAX) {
		return false;
	}
	*close = lex_close(t, *open);
	return *close != SIZE_MAX && *close < n->end;
}

/* A declaration in parentheses comes with or without its DeclStmt: the variable is meant. */
static struct kt_node *var_of(struct kt_node *n)
{
	return n->kind == KT_DECL && n->n == 1 && n->child[0]->kind == KT_VAR ? n->child[0] : n;
}

/* Fills init, variable, condition of if and switch from the children before close; returns how many
 * children those were, or 0 when they make no sense. */
static size_t header_slots(
	struct builder *b, struct kt_node *n, struct kids k, size_t open, size_t close)
{
	struct str t = cur_text(b);
	size_t semicolon = lex_find(t, open + 1, close, ';');
	size_t i = 0;
	struct kt_node *before[4] = {0}; /* in source order: libclang names the variable first */
	size_t m = 0;
	for (; i < k.n && begin_of(b, k.v[i]) < close; i++) {
		if (is_type_ref(k.v[i])) {
			continue;
		}
		if (m == 3) {
			return 0;
		}
		struct kt_node *p = part(b, k.v[i]);
		size_t at = m++;
		for (; at > 0 && before[at - 1]->begin > p->begin; at--) {
			before[at] = before[at - 1];
		}
		before[at] = p;
	}
	if (m == 0) {
		return 0;
	}
	n->child[KT_IF_COND] = before[--m];
	if (m && before[m - 1]->kind == KT_VAR) {
		n->child[KT_IF_VAR] = before[--m];
	} else if (m && semicolon == SIZE_MAX) {
		n->child[KT_IF_VAR] = var_of(before[--m]);
	}
	if (m) {
		n->child[KT_IF_INIT] = before[--m];
	} else if (semicolon != SIZE_MAX) {
		/* a switch's: no cursor stands for it */
		struct kt_node *init = ARENA_NEW(b->scratch, struct kt_node);
		init->kind = KT_STMT_UNKNOWN;
		init->file = (uint16_t)b->cur_file;
		init->begin = (uint32_t)lex_skip_space(t, open + 1);
		init->end = (uint32_t)semicolon + 1;
		n->child[KT_IF_INIT] = init;
	}
	return m == 0 ? i : 0;
}

/* From a macro's body there are no tokens to look at: only what the children alone make clear. */
static struct kt_node *macro_if(struct builder *b, CXCursor c, struct kt_node *n)
{
	struct kids k = kids_of(b, c);
	if (k.n < 2 || k.n > 3 || !clang_isExpression(clang_getCursorKind(k.v[0]))) {
		return unknown_stmt(b, c);
	}
	n->child[KT_IF_COND] = expr(b, k.v[0]);
	set_condition(n->child[KT_IF_COND], k.v[0]); /* perhaps an if constexpr */
	n->child[KT_IF_THEN] = stmt(b, k.v[1]);
	n->child[KT_IF_ELSE] = k.n == 3 ? stmt(b, k.v[2]) : NULL;
	return n;
}

static struct kt_node *if_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_IF, c);
	size_t open, close;
	if (n->flags & KT_F_MACRO) {
		return macro_if(b, c, n);
	}
	if (!header_parens(b, n, &open, &close)) {
		return unknown_stmt(b, c);
	}
	struct str t = cur_text(b);
	struct lex_token kw = lex_next(t, n->begin + 2);
	if (lex_is(t, kw, "constexpr")) {
		n->flags |= KT_F_CONSTEXPR;
	} else if (kw.begin != open) {
		return unknown_stmt(b, c); /* if consteval */
	}
	struct kids k = kids_of(b, c);
	size_t used = header_slots(b, n, k, open, close);
	if (used == 0 || k.n - used < 1 || k.n - used > 2) {
		return unknown_stmt(b, c);
	}
	set_condition(n->child[KT_IF_COND], k.v[used - 1]);
	n->child[KT_IF_THEN] = stmt(b, k.v[used]);
	if (k.n - used == 2) {
		n->child[KT_IF_ELSE] = stmt(b, k.v[used + 1]);
	}
	return n;
}

static struct kt_node *switch_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_SWITCH, c);
	struct kids k = kids_of(b, c);
	if (n->flags & KT_F_MACRO && k.n == 2 && clang_isExpression(clang_getCursorKind(k.v[0]))) {
		n->child[KT_SWITCH_COND] = expr(b, k.v[0]);
		set_condition(n->child[KT_SWITCH_COND], k.v[0]);
		n->child[KT_SWITCH_BODY] = stmt(b, k.v[1]);
		return n;
	}
	size_t open, close;
	if (!header_parens(b, n, &open, &close)) {
		return unknown_stmt(b, c);
	}
	_Static_assert((int)KT_IF_COND == KT_SWITCH_COND && (int)KT_IF_VAR == KT_SWITCH_VAR &&
			       (int)KT_IF_INIT == KT_SWITCH_INIT,
		"if and switch share the slots of their header");
	size_t used = header_slots(b, n, k, open, close);
	if (used == 0 || k.n - used != 1) {
		return unknown_stmt(b, c);
	}
	set_condition(n->child[KT_SWITCH_COND], k.v[used - 1]);
	n->child[KT_SWITCH_BODY] = stmt(b, k.v[used]);
	return n;
}

static struct kt_node *case_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_CASE, c);
	struct kids k = kids_of(b, c);
	if (k.n < 2 || k.n > 3) {
		return unknown_stmt(b, c);
	}
	n->child[KT_CASE_VALUE] = expr(b, k.v[0]);
	int64_t v;
	if (evaluate(k.v[0], &v)) {
		set_value(n->child[KT_CASE_VALUE], v);
	}
	if (k.n == 3) {
		n->child[KT_CASE_HIGH] = expr(b, k.v[1]);
		if (evaluate(k.v[1], &v)) {
			set_value(n->child[KT_CASE_HIGH], v);
		}
	}
	n->child[KT_CASE_STMT] = stmt(b, k.v[k.n - 1]);
	n->end = n->child[KT_CASE_STMT]->end;
	return n;
}

/* The bounds of i < N, where they are constants of this instantiation. */
static void set_bounds(struct builder *b, struct kt_node *cond, CXCursor c)
{
	struct kids bound = kids_of(b, c);
	int64_t v;
	for (size_t j = 0; cond->kind == KT_BINARY && j < bound.n && bound.n == 2; j++) {
		struct kt_node *side = cond->child[j];
		if (!(side->flags & KT_F_VALUE) && evaluate(bound.v[j], &v)) {
			set_value(side, v);
		}
	}
}

static struct kt_node *macro_for(struct builder *b, CXCursor c, struct kt_node *n)
{
	struct kids k = kids_of(b, c);
	if (k.n != KT_FOR_SLOTS) {
		return unknown_stmt(b, c);
	}
	for (int slot = 0; slot < KT_FOR_BODY; slot++) {
		n->child[slot] = part(b, k.v[slot]);
	}
	set_bounds(b, n->child[KT_FOR_COND], k.v[KT_FOR_COND]);
	n->child[KT_FOR_BODY] = stmt(b, k.v[KT_FOR_BODY]);
	return n;
}

static struct kt_node *for_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_FOR, c);
	struct str t = cur_text(b);
	size_t open, close;
	if (n->flags & KT_F_MACRO) {
		return macro_for(b, c, n);
	}
	if (!header_parens(b, n, &open, &close)) {
		return unknown_stmt(b, c);
	}
	size_t s1 = lex_find(t, open + 1, close, ';');
	size_t s2 = s1 == SIZE_MAX ? SIZE_MAX : lex_find(t, s1 + 1, close, ';');
	if (s2 == SIZE_MAX) {
		return unknown_stmt(b, c);
	}
	struct kids k = kids_of(b, c);
	for (size_t i = 0; i < k.n; i++) {
		size_t at = begin_of(b, k.v[i]);
		int slot = at < s1	? KT_FOR_INIT
			   : at < s2	? KT_FOR_COND
			   : at < close ? KT_FOR_INC
					: KT_FOR_BODY;
		if (n->child[slot]) {
			return unknown_stmt(b, c); /* a variable in the condition */
		}
		n->child[slot] = slot == KT_FOR_BODY ? stmt(b, k.v[i]) : part(b, k.v[i]);
		if (slot == KT_FOR_COND) {
			set_bounds(b, n->child[slot], k.v[i]);
		}
	}
	return n->child[KT_FOR_BODY] ? n : unknown_stmt(b, c);
}

static struct kt_node *range_for(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_RANGE_FOR, c);
	struct kids k = kids_of(b, c);
	if (k.n < 3) {
		return unknown_stmt(b, c);
	}
	struct kt_node *body = stmt(b, k.v[k.n - 1]);
	struct kt_node *range = NULL;
	struct kt_node *var = NULL;
	for (size_t i = 0; i + 1 < k.n; i++) {
		if (clang_getCursorKind(k.v[i]) == CXCursor_VarDecl && !var) {
			/* its initializer is *__begin, which the reader never wrote */
			var = node_new(b, KT_VAR, k.v[i]);
			var->sym = builder_sym(b, k.v[i]);
			var->type = b->syms.v[var->sym].type;
			var->text = b->syms.v[var->sym].name;
		} else if (clang_isExpression(clang_getCursorKind(k.v[i])) && !range) {
			range = expr(b, k.v[i]);
		} else {
			return unknown_stmt(b, c);
		}
	}
	if (!var || !range) {
		return unknown_stmt(b, c);
	}
	n->child[KT_RANGE_VAR] = var;
	n->child[KT_RANGE_RANGE] = range;
	n->child[KT_RANGE_BODY] = body;
	return n;
}

static struct kt_node *while_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_WHILE, c);
	struct kids k = kids_of(b, c);
	if (k.n < 2 || k.n > 3) {
		return unknown_stmt(b, c);
	}
	if (k.n == 3) {
		n->child[KT_WHILE_VAR] = var_of(part(b, k.v[0]));
	}
	n->child[KT_WHILE_COND] = expr(b, k.v[k.n - 2]);
	n->child[KT_WHILE_BODY] = stmt(b, k.v[k.n - 1]);
	return n;
}

static struct kt_node *do_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_DO, c);
	struct kids k = kids_of(b, c);
	if (k.n != 2) {
		return unknown_stmt(b, c);
	}
	n->child[KT_DO_BODY] = stmt(b, k.v[0]);
	n->child[KT_DO_COND] = expr(b, k.v[1]);
	take_semicolon(b, n);
	return n;
}

static struct kt_node *with_stmt(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kids k = kids_of(b, c);
	struct kt_node *n = node_new(b, kind, c);
	if (k.n == 0 || k.n > 2) {
		return unknown_stmt(b, c);
	}
	one_child(b, n, stmt(b, k.v[k.n - 1]));
	n->text = builder_text(b, clang_getCursorSpelling(c));
	if (n->child[0]->end > n->end) {
		n->end = n->child[0]->end;
	}
	return n;
}

/* #pragma unroll and [[likely]]: the statement below, beginning where the attribute does. */
static struct kt_node *attributed(struct builder *b, CXCursor c)
{
	bool ok;
	CXCursor child = only_child(c, &ok);
	if (!ok) {
		return unknown_stmt(b, c);
	}
	struct kt_node *n = stmt(b, child);
	struct kt_node outer = {0};
	set_range(b, &outer, c);
	if (outer.flags & KT_F_MACRO || n->flags & KT_F_MACRO) {
		return n;
	}
	struct str t = cur_text(b);
	size_t at = outer.begin;
	size_t line = at;
	while (line > 0 && t.p[line - 1] != '\n') {
		line--;
	}
	size_t hash = line;
	while (hash < at && isspace((unsigned char)t.p[hash])) {
		hash++;
	}
	n->begin = (uint32_t)(t.p[hash] == '#' ? hash : at);
	return n;
}

static struct kt_node *compound(struct builder *b, CXCursor c)
{
	struct kt_node *n = node_new(b, KT_COMPOUND, c);
	struct kids k = kids_of(b, c);
	struct kt_node **v = ARENA_ARRAY(b->scratch, struct kt_node *, k.n);
	for (size_t i = 0; i < k.n; i++) {
		v[i] = stmt(b, k.v[i]);
	}
	kt_set_children(n, b->scratch, v, k.n);
	return n;
}

static struct kt_node *leaf(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kt_node *n = node_new(b, kind, c);
	take_semicolon(b, n);
	return n;
}

static struct kt_node *goto_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = leaf(b, KT_GOTO, c);
	struct kids k = kids_of(b, c);
	n->text = k.n ? builder_text(b, clang_getCursorSpelling(k.v[0])) : "";
	return n;
}

static struct kt_node *stmt_kind(struct builder *b, CXCursor c)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	switch (kind) {
	case CXCursor_CompoundStmt:
		return compound(b, c);
	case CXCursor_IfStmt:
		return if_stmt(b, c);
	case CXCursor_SwitchStmt:
		return switch_stmt(b, c);
	case CXCursor_CaseStmt:
		return case_stmt(b, c);
	case CXCursor_DefaultStmt:
		return with_stmt(b, KT_DEFAULT, c);
	case CXCursor_LabelStmt:
		return with_stmt(b, KT_LABEL, c);
	case CXCursor_ForStmt:
		return for_stmt(b, c);
	case CXCursor_CXXForRangeStmt:
		return range_for(b, c);
	case CXCursor_WhileStmt:
		return while_stmt(b, c);
	case CXCursor_DoStmt:
		return do_stmt(b, c);
	case CXCursor_BreakStmt:
		return leaf(b, KT_BREAK, c);
	case CXCursor_ContinueStmt:
		return leaf(b, KT_CONTINUE, c);
	case CXCursor_NullStmt:
		return leaf(b, KT_EMPTY, c);
	case CXCursor_GotoStmt:
		return goto_stmt(b, c);
	case CXCursor_GCCAsmStmt:
	case CXCursor_MSAsmStmt: {
		struct kt_node *n = leaf(b, KT_ASM, c);
		n->text = node_text(b, n);
		return n;
	}
	case CXCursor_ReturnStmt: {
		struct kt_node *n = with_exprs(b, KT_RETURN, c);
		take_semicolon(b, n);
		return n;
	}
	case CXCursor_DeclStmt: {
		struct kt_node *n = decl_stmt(b, c);
		take_semicolon(b, n);
		return n;
	}
	case CXCursor_UnexposedStmt:
		return attributed(b, c);
	default:
		break;
	}
	struct kt_node *n = clang_isExpression(kind) ? expr(b, c) : unknown_stmt(b, c);
	/* libclang's parentheses around an expression statement are looked through: the range is
	 * that of the whole statement, for the semicolon. */
	struct kt_node whole = {0};
	set_range(b, &whole, c);
	if (!((n->flags | whole.flags) & KT_F_MACRO)) {
		n->begin = whole.begin;
		n->end = whole.end;
	}
	take_semicolon(b, n);
	return n;
}

static struct kt_node *stmt(struct builder *b, CXCursor c)
{
	if (b->depth > DEPTH_MAX) {
		struct kt_node *n = node_new(b, KT_STMT_UNKNOWN, c);
		n->flags |= KT_F_MACRO;
		return n;
	}
	b->depth++;
	struct kt_node *n = stmt_kind(b, c);
	b->depth--;
	return n;
}

/* ---- functions ---- */

/* Sets parents, and widens what libclang made too narrow (semicolons, pragmas). */
static void link_tree(struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		struct kt_node *c = n->child[i];
		if (!c) {
			continue;
		}
		link_tree(c);
		if (!(n->flags & KT_F_MACRO || c->flags & KT_F_MACRO)) {
			n->begin = c->begin < n->begin ? c->begin : n->begin;
			n->end = c->end > n->end ? c->end : n->end;
		}
	}
	kt_link(n);
}

struct ctor_parts {
	struct builder *b;
	ARRAY(struct kt_node *) v;
};

static enum CXChildVisitResult see_part(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct ctor_parts *p = data;
	enum CXCursorKind k = clang_getCursorKind(c);
	if (k == CXCursor_CompoundStmt) {
		array_push(&p->v, stmt(p->b, c));
	} else if (k == CXCursor_MemberRef) {
		struct kt_node *m = node_new(p->b, KT_MEMBER, c);
		m->sym = builder_sym(p->b, clang_getCursorReferenced(c));
		m->type = p->b->syms.v[m->sym].type;
		m->text = p->b->syms.v[m->sym].name;
		struct kt_node *slot = NULL;
		kt_set_children(m, p->b->scratch, &slot, 1);
		struct kt_node *as = node_new(p->b, KT_ASSIGN, c);
		as->type = m->type;
		as->flags |= KT_F_MACRO;
		m->flags |= KT_F_MACRO;
		one_child(p->b, as, m);
		array_push(&p->v, as);
	} else if (clang_isExpression(k)) {
		struct kt_node *value = expr(p->b, c);
		struct kt_node *last = p->v.n ? p->v.v[p->v.n - 1] : NULL;
		if (last && last->kind == KT_ASSIGN && last->n == 1) {
			struct kt_node *both[2] = {last->child[0], value};
			kt_set_children(last, p->b->scratch, both, 2);
		} else {
			array_push(&p->v, value);
		}
	}
	return CXChildVisit_Continue;
}

/* The member initializers of a constructor come as pairs before the body. */
static struct kt_node *constructor_body(struct builder *b, CXCursor c)
{
	struct ctor_parts p = {.b = b};
	clang_visitChildren(c, see_part, &p);
	struct kt_node *n = node_new(b, KT_COMPOUND, c);
	n->flags |= KT_F_MACRO;
	kt_set_children(n, b->scratch, p.v.v, p.v.n);
	array_release(&p.v);
	return n;
}

struct find_compound {
	CXCursor body;
};

static enum CXChildVisitResult see_compound(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_CompoundStmt) {
		((struct find_compound *)data)->body = c;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Continue;
}

void convert_function(struct builder *b, kt_id id)
{
	CXCursor c = b->fn_cursor.v[id];
	struct find_compound f = {clang_getNullCursor()};
	clang_visitChildren(c, see_compound, &f);
	if (clang_Cursor_isNull(f.body)) {
		return;
	}
	b->cur_fn = id;
	CXFile file = NULL;
	CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(f.body));
	clang_getExpansionLocation(start, &file, NULL, NULL, NULL);
	b->cur_file = builder_file(b, file, start);
	struct kt_node place = {0};
	set_range(b, &place, f.body);
	struct str t = cur_text(b);
	if (!(place.flags & KT_F_MACRO) && (place.begin >= t.n || t.p[place.begin] != '{')) {
		/* made up by clang for a defaulted member: the calls' own effects are known */
		b->cur_fn = 0;
		return;
	}
	b->cur_device = true;
	b->depth = 0;
	struct kt_node *body = clang_getCursorKind(c) == CXCursor_Constructor
				       ? constructor_body(b, c)
				       : stmt(b, f.body);
	link_tree(body);
	sbuf_reset(&b->packing);
	kt_pack(&b->packing, body);
	b->bodies.of.v[id] = (struct str){
		arena_memdup(b->bodies.arena, b->packing.p, b->packing.n), b->packing.n};
	b->fns.v[id].file = b->cur_file;
	b->cur_fn = 0;
	arena_clear(b->scratch);
}
