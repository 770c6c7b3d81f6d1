/* Calls and constructions: cursors to nodes. Default arguments and the object of a method's call
 * are not spelled. */
#include <ctype.h>
#include <string.h>
#include "frontend/tree/implicit.h"

bool convert_take_owned(struct builder *b)
{
	bool owned = b->owned;
	b->owned = false;
	return owned;
}

struct kt_node *convert_owned(struct builder *b, CXCursor c)
{
	b->owned = true;
	struct kt_node *n = convert_expr(b, c);
	b->owned = false;
	return n;
}

/* A temporary is destroyed at the end of the full expression. */
struct kt_node *convert_ending(struct builder *b, struct kt_node *n, CXCursor c, bool owned)
{
	if (owned || !record_runs(b, clang_getCursorType(c), RECORD_END)) {
		return n;
	}
	struct kt_node *u = convert_node_new(b, KT_EXPR_UNKNOWN, c);
	convert_one_child(b, u, n);
	return u;
}

/* The default argument of fn for parameter i. */
static struct kt_node *default_argument(struct builder *b, CXCursor fn, unsigned i)
{
	CXCursor parameter = clang_Cursor_getArgument(fn, i);
	CXCursor value = clang_Cursor_getVarDeclInitializer(parameter);
	if (clang_Cursor_isNull(value)) {
		return implicit_node(
			b, KT_EXPR_UNKNOWN, builder_type(b, clang_getCursorType(parameter)));
	}
	return implicit_here(b, convert_expr(b, value));
}

void convert_default_arguments(struct builder *b, struct kt_node *n, CXCursor fn)
{
	ARRAY(struct kt_node *) v = {0};
	for (size_t i = 0; i < n->n; i++) {
		array_push(&v, n->child[i]);
	}
	for (int i = (int)n->n; i < clang_Cursor_getNumArguments(fn); i++) {
		array_push(&v, default_argument(b, fn, (unsigned)i));
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
}

/* A default argument has no spelling at the call. */
static bool is_default_argument(CXCursor c)
{
	CXFile file = NULL;
	bool ok;
	clang_getSpellingLocation(
		clang_getRangeStart(clang_getCursorExtent(c)), &file, NULL, NULL, NULL);
	return !file && clang_getCursorKind(c) == CXCursor_UnexposedExpr &&
	       clang_Cursor_isNull(convert_only_child(c, &ok));
}

/* Argument i of the call n to fn. */
static struct kt_node *argument(
	struct builder *b, const struct kt_node *n, CXCursor fn, unsigned i, CXCursor c)
{
	if (!is_default_argument(c)) {
		return convert_expr(b, c);
	}
	b->implicit_at = n->end;
	return default_argument(b, fn, i);
}

static struct kt_node *construct(struct builder *b, CXCursor c, CXCursor ctor)
{
	int argc = clang_Cursor_getNumArguments(c);
	if (argc == 1) {
		/* A copy or move from an object of the same type becomes that object. */
		CXCursor arg = clang_Cursor_getArgument(c, 0);
		CXType ta = clang_getCanonicalType(clang_getCursorType(arg));
		CXType tc = clang_getCanonicalType(clang_getCursorType(c));
		bool copy = clang_CXXConstructor_isCopyConstructor(ctor) ||
			    clang_CXXConstructor_isMoveConstructor(ctor);
		if (copy && clang_isPODType(tc) &&
			clang_equalTypes(record_bare(ta), record_bare(tc))) {
			return convert_expr(b, arg);
		}
	}
	bool owned = convert_take_owned(b);
	struct kt_node *n = convert_node_new(b, KT_CONSTRUCT, c);
	n->fn = builder_fn(b, ctor);
	ARRAY(struct kt_node *) v = {0};
	for (int i = 0; i < argc; i++) {
		array_push(&v, argument(b, n, ctor, (unsigned)i,
				       clang_Cursor_getArgument(c, (unsigned)i)));
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return convert_ending(b, n, c, owned);
}

/* The object of g() inside a method, which has no cursor and no type. */
static struct kt_node *implicit_this(struct builder *b, CXCursor at)
{
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	n->kind = KT_THIS;
	convert_set_range(b, n, at);
	return n;
}

/* The object of s.at<1>(x). Template arguments are children, too, after it. The child that begins
 * where s.at begins is the object; in a macro, spelling locations do not tell. */
static CXCursor member_object(struct builder *b, CXCursor head, bool *found)
{
	struct kids k = convert_kids_of(b, head);
	CXSourceLocation begin = clang_getRangeStart(clang_getCursorExtent(head));
	for (size_t i = 0; i < k.n; i++) {
		if (builder_is_type_ref(k.v[i])) {
			continue;
		}
		CXSourceLocation at = clang_getRangeStart(clang_getCursorExtent(k.v[i]));
		*found = clang_equalLocations(at, begin);
		return k.v[i];
	}
	*found = false;
	return clang_getNullCursor();
}

/* Is it o.method, and not o.member with a call of an operator? */
static bool names_method(CXCursor head)
{
	enum CXCursorKind named = clang_getCursorKind(clang_getCursorReferenced(head));
	return clang_getCursorKind(head) == CXCursor_MemberRefExpr && named != CXCursor_FieldDecl &&
	       named != CXCursor_VarDecl;
}

/* Does the call depend on the dynamic type? Not if the object is a variable. */
static bool is_dispatched(CXCursor head, CXCursor callee)
{
	CXCursor object = clang_getNullCursor();
	bool ok = false;
	if (!clang_CXXMethod_isVirtual(callee)) {
		return false;
	}
	if (names_method(head)) {
		object = convert_strip(convert_only_child(head, &ok));
	}
	CXCursor var = ok ? clang_getCursorReferenced(object) : clang_getNullCursor();
	CXType t = clang_getCanonicalType(clang_getCursorType(var));
	return !ok || clang_getCursorKind(object) != CXCursor_DeclRefExpr ||
	       t.kind != CXType_Record;
}

static bool is_operator_name(const char *text)
{
	return str_starts(str_of(text), "operator") && text[8] &&
	       !isalnum((unsigned char)text[8]) && text[8] != '_' && text[8] != ' ';
}

/* The first child of the call: the object of a method called by name, or the called pointer; or
 * NULL. */
static struct kt_node *call_head(
	struct builder *b, struct kt_node *n, CXCursor head, CXCursor first)
{
	if (n->flags & KT_F_METHOD) {
		bool ok;
		CXCursor object = member_object(b, head, &ok);
		return ok ? convert_expr(b, object) : implicit_this(b, head);
	}
	return convert_expr(b, first);
}

/* __builtin_addressof(x) */
static struct kt_node *address_of(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_UNARY, c);
	n->op = KT_OP_ADDR;
	convert_one_child(b, n, convert_expr(b, clang_Cursor_getArgument(c, 0)));
	return n;
}

/* The called function; null for a call through a pointer. libclang reports pick()() as a call of
 * pick. */
static CXCursor callee_of(CXCursor c, CXCursor head)
{
	CXCursor callee = clang_getCursorReferenced(c);
	enum CXCursorKind k = clang_getCursorKind(head);
	CXString s = clang_getCursorSpelling(callee);
	const char *name = clang_getCString(s);
	bool is_operator = name && is_operator_name(name);
	bool named = k == CXCursor_DeclRefExpr || k == CXCursor_MemberRefExpr ||
		     clang_getCursorKind(callee) == CXCursor_Constructor;
	clang_disposeString(s);
	return named || is_operator ? callee : clang_getNullCursor();
}

/* The compiler treats these as builtins, casts to a reference, without a body. */
static const char *const std_casts[] = {"move", "forward", "move_if_noexcept", "as_const", NULL};

static bool is_of_std(const struct builder *b, const struct kt_node *call, const char *const *names)
{
	const struct kt_fn *fn = call->fn ? &b->fns.v[call->fn] : NULL;
	bool of_std = fn && fn->name && str_starts(str_of(fn->name), "std::");
	for (; of_std && *names; names++) {
		if (strcmp(call->text, *names) == 0) {
			return true;
		}
	}
	return false;
}

struct kt_node *convert_call(struct builder *b, CXCursor c)
{
	struct kids k = convert_kids_of(b, c);
	CXCursor head = k.n ? convert_strip(k.v[0]) : clang_getNullCursor();
	CXCursor callee = callee_of(c, head);
	enum CXCursorKind ck = clang_getCursorKind(callee);
	struct kt_node *co = ck == CXCursor_ConversionFunction ? convert_coordinate(b, c) : NULL;
	if (co) {
		return co;
	}
	if (ck == CXCursor_Constructor) {
		return construct(b, c, callee);
	}
	bool owned = convert_take_owned(b);
	int argc = clang_Cursor_getNumArguments(c);
	struct kt_node *n = convert_node_new(b, KT_CALL, c);
	n->text = builder_text(b, clang_getCursorSpelling(c));
	n->fn = clang_Cursor_isNull(callee) ? 0 : builder_fn(b, callee);
	if (argc == 1 &&
		(strcmp(n->text, "__builtin_addressof") == 0 ||
			is_of_std(b, n, (const char *const[]){"addressof", "__addressof", NULL}))) {
		return address_of(b, c);
	}
	if (argc == 1 && is_of_std(b, n, std_casts)) {
		b->owned = owned;
		return convert_expr(b, clang_Cursor_getArgument(c, 0));
	}
	bool method = ck == CXCursor_CXXMethod || ck == CXCursor_ConversionFunction ||
		      ck == CXCursor_Destructor;
	bool is_operator = is_operator_name(n->text);
	ARRAY(struct kt_node *) v = {0};
	/* In operator form (a + b) the object is an argument already; in a call (s.at(1)) it is
	 * below the member reference. */
	bool by_name = k.n && names_method(head) && method;
	n->flags |= by_name || (is_operator && ck == CXCursor_CXXMethod) ? KT_F_METHOD : 0;
	n->flags |= is_operator && !by_name ? KT_F_OPERATOR : 0;
	if (by_name || (k.n && !n->fn && !is_operator)) {
		array_push(&v, call_head(b, n, head, k.v[0]));
	}
	if (method && is_dispatched(head, callee)) {
		n->fn = 0;
		b->hides = true;
	} else if (!n->fn && !(n->flags & KT_F_METHOD)) {
		n->text = ""; /* it may be the name of a variable, which a function can have, too */
	}
	for (int i = 0; i < argc; i++) {
		CXCursor a = clang_Cursor_getArgument(c, (unsigned)i);
		/* the object of an operator is not a parameter */
		unsigned at = (unsigned)i - (is_operator && !by_name && method);
		array_push(&v, argument(b, n, callee, at, a));
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	if (is_operator && !by_name) { /* x.operator*() is a call like any other */
		bool assign;
		n->op = convert_operator_of(n->text, v.n == 1, &assign);
		(void)assign;
	}
	array_release(&v);
	CXType returned = clang_getCursorResultType(callee);
	bool place =
		returned.kind == CXType_LValueReference || returned.kind == CXType_RValueReference;
	return place ? n : convert_ending(b, n, c, owned);
}
