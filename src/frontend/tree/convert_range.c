/* for (x : range): the implicit code at its start and end and in each iteration. */
#include <string.h>
#include "frontend/text/lex.h"
#include "frontend/tree/implicit.h"

static enum CXChildVisitResult see_begin(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	CXCursor var = clang_getCursorReferenced(c);
	CXString s = clang_getCursorSpelling(var);
	const char *name = clang_getCString(s);
	bool found = clang_getCursorKind(c) == CXCursor_DeclRefExpr && name &&
		     strncmp(name, "__begin", 7) == 0;
	clang_disposeString(s);
	if (found) {
		*(CXCursor *)data = var;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Recurse;
}

static CXCursor begin_variable(CXCursor init)
{
	CXCursor var = clang_getNullCursor();
	if (!clang_Cursor_isNull(init)) {
		clang_visitChildren(init, see_begin, &var);
	}
	return var;
}

struct ends_found {
	struct builder *b;
	CXCursor range;
	CXType iterator;
	node_list *out;
	unsigned n;
};

/* The range expression again, for implicit code. */
static struct kt_node *range_object(struct builder *b, CXCursor range)
{
	return implicit_here(b, convert_expr(b, range));
}

static struct kt_node *range_call(struct builder *b, kt_id fn, CXCursor range)
{
	struct kt_node *object = range_object(b, range);
	struct kt_node *n = implicit_node(b, KT_CALL, 0);
	n->fn = fn;
	n->text = b->fns.v[fn].base;
	n->flags |= KT_F_METHOD;
	kt_set_children(n, b->scratch, &object, 1);
	return n;
}

/* Adds a call of each end(), because the const and the other one may be called. */
static enum CXChildVisitResult see_method_end(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct ends_found *e = data;
	CXString s = clang_getCursorSpelling(c);
	const char *name = clang_getCString(s);
	CXType t = clang_getCanonicalType(clang_getCursorResultType(c));
	if (clang_getCursorKind(c) == CXCursor_CXXMethod && name && strcmp(name, "end") == 0 &&
		clang_getCanonicalType(e->iterator).kind == t.kind) {
		array_push(e->out, range_call(e->b, builder_fn(e->b, c), e->range));
		e->n++;
	}
	clang_disposeString(s);
	return CXChildVisit_Continue;
}

/* Adds the calls of begin() and end(). False if they are not all known. */
static bool range_ends(struct builder *b, CXCursor range, CXCursor var, node_list *out)
{
	CXCursor begin = convert_strip(clang_Cursor_getVarDeclInitializer(var));
	CXCursor fn = clang_getCursorReferenced(begin);
	CXType iterator = clang_getCursorType(var);
	bool pointer = clang_getCanonicalType(iterator).kind == CXType_Pointer;
	if (!pointer || clang_getCursorKind(fn) != CXCursor_CXXMethod ||
		clang_CXXMethod_isVirtual(fn)) {
		return false;
	}
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(fn))) {
		return true; /* std::array, std::initializer_list: these do not change */
	}
	struct ends_found e = {b, range, iterator, out, 0};
	array_push(out, range_call(b, builder_fn(b, fn), range));
	clang_visitChildren(clang_getCursorSemanticParent(fn), see_method_end, &e);
	return e.n > 0;
}

/* Is it *__begin, an element of the range? The tree has no variable __begin. */
static bool is_element(const struct builder *b, const struct kt_node *n)
{
	const struct kt_node *at = n->kind == KT_UNARY && n->op == KT_OP_DEREF ? n->child[0] : NULL;
	return at && at->kind == KT_REF && at->sym &&
	       strncmp(b->syms.v[at->sym].name, "__begin", 7) == 0;
}

static struct kt_node *element_of(struct builder *b, CXCursor range, kt_id type)
{
	struct kt_node *object = range_object(b, range);
	bool array = b->types.v[object->type].kind == KT_T_ARRAY;
	struct kt_node *zero = implicit_node(b, KT_LITERAL, 0);
	struct kt_node *both[] = {object, zero};
	zero->text = "0";
	struct kt_node *n = implicit_node(b, array ? KT_INDEX : KT_EXPR_UNKNOWN, type);
	kt_set_children(n, b->scratch, both, array ? 2 : 1);
	return n;
}

static struct kt_node *name_elements(struct builder *b, struct kt_node *n, CXCursor range)
{
	if (is_element(b, n)) {
		return element_of(b, range, n->type);
	}
	for (size_t i = 0; i < n->n; i++) {
		n->child[i] = n->child[i] ? name_elements(b, n->child[i], range) : NULL;
	}
	return n;
}

static bool holds_call(const struct kt_node *n)
{
	bool calls = n->kind == KT_CALL || n->kind == KT_CONSTRUCT || n->kind == KT_EXPR_UNKNOWN;
	for (size_t i = 0; i < n->n && !calls; i++) {
		calls = n->child[i] && holds_call(n->child[i]);
	}
	return calls;
}

/* The body after the implicit code of each iteration. */
static struct kt_node *range_body(struct builder *b, CXCursor c, const node_list *each, size_t ends)
{
	node_list v = {0};
	struct kt_node *body = convert_loop_body(b, c);
	for (size_t i = 0; i < each->n; i++) {
		array_push(&v, each->v[i]);
	}
	array_push(&v, body);
	b->implicit_at = body->end;
	implicit_add_ends(b, ends, &v);
	b->end.n = ends;
	struct kt_node *all = v.n > 1 ? convert_together(b, body, &v) : body;
	array_release(&v);
	return all;
}

/* Adds the implicit code before the loop (*once) and in each iteration (*each). */
static void range_runs(struct builder *b, const struct kt_node *var, CXCursor decl, CXCursor range,
	const struct kt_node *object, node_list *once, node_list *each)
{
	CXCursor init = clang_Cursor_getVarDeclInitializer(decl);
	enum kt_type_kind kind = b->types.v[object->type].kind;
	b->implicit_at = object->end;
	if (kind != KT_T_ARRAY && !range_ends(b, range, begin_variable(init), once)) {
		array_push(each, implicit_unknown(b, NULL, range_object(b, range)));
		b->hides = true;
	}
	if (!clang_Cursor_isNull(init)) {
		struct kt_node *value = implicit_here(b, convert_owned(b, init));
		if (holds_call(value)) {
			array_push(each, name_elements(b, value, range));
		}
	}
	if (b->types.v[var->type].kind != KT_T_REFERENCE) {
		implicit_see_end(b, decl, var->sym, init);
	}
}

/* C++20's for (init; x : range). *ok: the header could be read. */
static struct kt_node *range_init(struct builder *b, const struct kt_node *n, bool *ok)
{
	size_t open, close, semicolon;
	*ok = n->flags & KT_F_MACRO || convert_header_parens(b, n, &open, &close);
	if (n->flags & KT_F_MACRO || !*ok) {
		return NULL;
	}
	semicolon = lex_find(convert_cur_text(b), open + 1, close, ';');
	return semicolon == SIZE_MAX ? NULL : convert_hidden_init(b, open, semicolon);
}

struct kt_node *convert_range_for(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_RANGE_FOR, c);
	struct kids k = convert_kids_of(b, c);
	bool readable;
	n->child[KT_RANGE_INIT] = range_init(b, n, &readable);
	if (k.n < 3 || !readable) {
		return convert_unknown_stmt(b, c);
	}
	struct kt_node *range = NULL, *var = NULL;
	CXCursor decl = clang_getNullCursor(), over = clang_getNullCursor();
	for (size_t i = 0; i + 1 < k.n; i++) {
		if (clang_getCursorKind(k.v[i]) == CXCursor_VarDecl && !var) {
			decl = k.v[i];
			var = convert_node_new(b, KT_VAR, decl);
			var->sym = builder_declare(b, decl);
			var->type = b->syms.v[var->sym].type;
			var->text = b->syms.v[var->sym].name;
		} else if (clang_isExpression(clang_getCursorKind(k.v[i])) && !range) {
			over = k.v[i];
			range = convert_expr(b, over);
		} else {
			return convert_unknown_stmt(b, c);
		}
	}
	if (!var || !range) {
		return convert_unknown_stmt(b, c);
	}
	node_list once = {0}, each = {0};
	size_t ends = b->end.n;
	range_runs(b, var, decl, over, range, &once, &each);
	n->child[KT_RANGE_VAR] = var;
	n->child[KT_RANGE_RANGE] = range;
	n->child[KT_RANGE_BODY] = range_body(b, k.v[k.n - 1], &each, ends);
	array_push(&once, n);
	struct kt_node *all = once.n > 1 ? convert_together(b, n, &once) : n;
	array_release(&once);
	array_release(&each);
	return all;
}
