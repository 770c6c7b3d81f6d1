/* Nodes of the tree, and children and places of cursors: shared by expressions, statements and
 * functions. */
#include "frontend/text/lex.h"
#include "frontend/tree/convert.h"

typedef ARRAY(CXCursor) cursor_array;

static enum CXChildVisitResult push_child(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	array_push((cursor_array *)data, c);
	return CXChildVisit_Continue;
}

struct kids convert_kids_of(struct builder *b, CXCursor c)
{
	cursor_array found = {0};
	clang_visitChildren(c, push_child, &found);
	struct kids k = {array_to_arena(b->scratch, &found), found.n};
	array_release(&found);
	return k;
}

CXCursor convert_only_child(CXCursor c, bool *ok)
{
	cursor_array found = {0};
	clang_visitChildren(c, push_child, &found);
	CXCursor r = clang_getNullCursor();
	size_t n = 0;
	for (size_t i = 0; i < found.n; i++) {
		if (!builder_is_type_ref(found.v[i])) {
			r = found.v[i];
			n++;
		}
	}
	*ok = n == 1;
	array_release(&found);
	return r;
}

struct str convert_cur_text(struct builder *b)
{
	return b->files.v[b->cur_file].text;
}

/* The offset after the macro invocation at `at` and its arguments; `at` if there is none. */
static size_t past_invocation(struct str t, size_t at)
{
	struct lex_token name = lex_next(t, at);
	struct lex_token open = lex_next(t, name.end);
	if (name.begin != at || name.kind != LEX_WORD || !lex_is(t, open, "(")) {
		return at;
	}
	size_t close = lex_close(t, open.begin);
	return close != SIZE_MAX ? close + 1 : at;
}

static bool ends_with_statement(enum kt_kind kind)
{
	return kind == KT_IF || kind == KT_FOR || kind == KT_WHILE || kind == KT_RANGE_FOR;
}

/* Is the location in a macro body or argument? Uses clang's internal bit: libclang up to 18 has no
 * function for the spelling. */
static bool is_macro_place(unsigned raw)
{
	return raw >> 31;
}

void convert_set_range(struct builder *b, struct kt_node *n, CXCursor c)
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
	bool macro = is_macro_place(r.begin_int_data), ends = is_macro_place(r.end_int_data);
	if (same_file && s == xso && !macro && ends && ends_with_statement(n->kind)) {
		/* with a token of x, in for (...) FOO(x); */
		size_t past = past_invocation(convert_cur_text(b), xeo);
		if (past > xeo &&
			lex_is(convert_cur_text(b), lex_next(convert_cur_text(b), past), ";")) {
			e = xeo = n->end = (uint32_t)past;
			fe = xe;
			ends = false;
		}
	}
	if (!same_file || macro || ends || s != xso || e != xeo || !clang_File_isEqual(fs, xs) ||
		!clang_File_isEqual(fe, xe) || xeo < xso || xeo > convert_cur_text(b).n) {
		n->flags |= KT_F_MACRO;
	}
	if (same_file && macro && n->end <= n->begin) {
		/* it begins with a token of the macro body and ends with one of an argument */
		n->end = (uint32_t)past_invocation(convert_cur_text(b), n->begin);
	}
}

static bool written_at(CXSourceLocation l, CXFile *file, unsigned *at)
{
	CXFile f = NULL;
	unsigned offset = 0;
	clang_getSpellingLocation(l, file, NULL, NULL, at);
	clang_getFileLocation(l, &f, NULL, NULL, &offset);
	return f && *file && clang_File_isEqual(f, *file) && offset == *at;
}

/* Is it within one argument: balanced brackets, and no comma outside of them? */
static bool is_one_argument(struct str t, size_t begin, size_t end)
{
	int depth = 0;
	lex_each (k, t, begin, end) {
		bool opens = lex_is(t, k, "(") || lex_is(t, k, "[") || lex_is(t, k, "{");
		bool closes = lex_is(t, k, ")") || lex_is(t, k, "]") || lex_is(t, k, "}");
		depth += opens - closes;
		if (depth < 0 || (depth == 0 && lex_is(t, k, ","))) {
			return false;
		}
	}
	return depth == 0;
}

/* Within one argument, raw locations are as far apart as the text. So `x + x` of SUM(x) is not the
 * x that it begins and ends with. For LESS(x,y) this may hold by chance. */
void convert_find_argument(struct builder *b, struct kt_node *n, CXCursor c)
{
	CXSourceRange r = clang_getCursorExtent(c);
	CXFile begins = NULL, ends = NULL;
	unsigned begin = 0, end = 0;
	if (n->flags & KT_F_MACRO && written_at(clang_getRangeStart(r), &begins, &begin) &&
		written_at(clang_getRangeEnd(r), &ends, &end) && clang_File_isEqual(begins, ends) &&
		builder_file(b, begins, clang_getRangeStart(r)) == b->cur_file &&
		begin > n->begin && end > begin &&
		r.end_int_data - r.begin_int_data == end - begin &&
		is_one_argument(convert_cur_text(b), begin, end)) {
		n->begin = begin;
		n->end = end;
		n->flags |= KT_F_ARGUMENT;
	}
}

struct kt_node *convert_node_new(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	n->kind = kind;
	convert_set_range(b, n, c);
	if (!kt_is_stmt(kind) && kind != KT_VAR) {
		convert_find_argument(b, n, c);
	}
	if (!kt_is_stmt(kind)) {
		n->type = builder_type(b, clang_getCursorType(c));
	}
	if (kt_slots(kind)) {
		n->n = (unsigned)kt_slots(kind) & KT_CHILDREN_MAX;
		n->child = ARENA_ARRAY(b->scratch, struct kt_node *, n->n);
	}
	return n;
}

void convert_one_child(struct builder *b, struct kt_node *n, struct kt_node *child)
{
	kt_set_children(n, b->scratch, &child, child ? 1 : 0);
}

void convert_set_value(struct kt_node *n, int64_t value)
{
	n->flags |= KT_F_VALUE;
	n->value = value;
}

/* Asks clang for the constant; slow, so only for values that matter. */
bool convert_evaluate(CXCursor c, int64_t *out)
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

/* A condition that the instantiation decides, N > 4 && First, is not a branch. */
void convert_set_condition(struct kt_node *n, CXCursor c)
{
	int64_t v;
	if (!(n->flags & KT_F_VALUE) && convert_evaluate(c, &v)) {
		convert_set_value(n, v);
	}
}

const char *convert_node_text(struct builder *b, const struct kt_node *n)
{
	return builder_intern(b, str_sub(convert_cur_text(b), n->begin, n->end));
}

/* Includes the statement's semicolon in its range. */
void convert_take_semicolon(struct builder *b, struct kt_node *n)
{
	struct str t = convert_cur_text(b);
	if (n->flags & KT_F_MACRO) {
		/* FOO(x); the expansion ends before the semicolon or, in libclang, before FOO if
		 * its last token is from x */
		n->end = (uint32_t)past_invocation(t, n->end);
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
