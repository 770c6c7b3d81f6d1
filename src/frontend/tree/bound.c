/*
 * The largest block and the fewest waves per SIMD by a kernel's own attributes. libclang has no
 * query for them. They are read from the declaration that libclang prints, with macros expanded. An
 * instantiation is printed without attributes; then the template's text is read, with macros
 * replaced by their bodies. If libclang has an attribute that neither text shows, the bound is
 * unknown.
 */
#include <string.h>

#include "frontend/tree/builder.h"
#include "frontend/text/lex.h"

enum {
	THREADS_MOST = 1024, /* the largest block of any AMD GPU */
	NEST_MOST = 32
};

/* The evaluation of a sum of products of numbers and names. */
struct reckoning {
	struct str text;
	size_t at;
	unsigned nest;
	bool failed;
	struct builder *b;
	CXCursor kernel; /* names are looked up in its template arguments and scopes */
};

struct lookup {
	struct str name;
	unsigned param; /* the index of the template parameter */
	CXCursor found;
};

static int64_t sum(struct reckoning *r);

static bool takes(struct reckoning *r, const char *sign)
{
	struct lex_token t = lex_next(r->text, r->at);
	bool is = t.kind == LEX_PUNCT && lex_is(r->text, t, sign);

	r->at = is ? t.end : r->at;
	return is;
}

static enum CXChildVisitResult see_param(CXCursor c, CXCursor parent, CXClientData data)
{
	struct lookup *l = data;

	(void)parent;
	if (!builder_is_template_param(c)) {
		return CXChildVisit_Continue;
	}
	l->found = cursor_is_named(c, l->name) ? c : l->found;
	l->param += clang_Cursor_isNull(l->found);
	return clang_Cursor_isNull(l->found) ? CXChildVisit_Continue : CXChildVisit_Break;
}

/* The value of a name, a template argument or a constant of an outer scope; or -1. */
static int64_t named(const struct reckoning *r, struct str name)
{
	struct lookup l = {.name = name, .found = clang_getNullCursor()};
	CXCursor pattern = clang_getSpecializedCursorTemplate(r->kernel);

	if (!clang_Cursor_isNull(pattern)) {
		clang_visitChildren(pattern, see_param, &l);
	}
	if (!clang_Cursor_isNull(l.found)) {
		bool number = clang_Cursor_getTemplateArgumentKind(r->kernel, l.param) ==
			      CXTemplateArgumentKind_Integral;
		return number ? clang_Cursor_getTemplateArgumentValue(r->kernel, l.param) : -1;
	}
	CXCursor in = clang_getCursorSemanticParent(r->kernel);
	for (; clang_Cursor_isNull(l.found) && !clang_Cursor_isNull(in);
		in = clang_getCursorSemanticParent(in)) {
		l.found = cursor_child_named(in, CXCursor_VarDecl, l.name);
	}
	return clang_Cursor_isNull(l.found) ? -1 : launch_constant(r->b, l.found);
}

static bool is_directive(struct str text, size_t at)
{
	while (at > 0 && (text.p[at - 1] == ' ' || text.p[at - 1] == '\t')) {
		at--;
	}
	return at > 0 && text.p[at - 1] == '#' && lex_first_on_line(text, at - 1);
}

/* The text after a macro's name, if the user's files define it once. */
static bool macro_text(struct str *out, const struct builder *b, struct str name)
{
	size_t found = 0;

	for (size_t i = 1; i < b->files.n; i++) {
		struct str text = b->files.v[i].system ? (struct str){0} : b->files.v[i].text;
		for (size_t at = str_find(text, "define", 0); at != SIZE_MAX;
			at = str_find(text, "define", at + 1)) {
			struct lex_token k = lex_next(text, at + strlen("define"));
			if (str_eq(lex_text(text, k), name) && is_directive(text, at)) {
				*out = str_sub(text, k.end, lex_line_end(text, at));
				found++;
			}
		}
	}
	return found == 1;
}

static bool macro_body(struct str *out, const struct builder *b, struct str name)
{
	return macro_text(out, b, name) && !str_starts(*out, "(");
}

/* Operand i of the list in parentheses that opens at open; n 0: none. */
static struct str operand(struct str text, size_t open, unsigned i)
{
	size_t close = lex_close(text, open), begin = open + 1;

	for (; close != SIZE_MAX && i > 0; i--) {
		size_t comma = lex_find(text, begin, close, ',');
		begin = comma == SIZE_MAX ? close : comma + 1;
	}
	size_t end = close == SIZE_MAX ? begin : lex_find(text, begin, close, ',');
	return str_trim(str_sub(text, begin, end == SIZE_MAX ? close : end));
}

/* The body of a macro with parameters, with the arguments of its call at k in text. */
static bool macro_called(
	struct sbuf *out, const struct builder *b, struct str text, struct lex_token k)
{
	struct str body = {0};
	struct lex_token next = lex_next(text, k.end);
	bool called = lex_is(text, next, "(") && macro_text(&body, b, lex_text(text, k)) &&
		      str_starts(body, "(") && lex_close(body, 0) != SIZE_MAX;

	lex_each (w, body, called ? lex_close(body, 0) + 1 : body.n, body.n) {
		struct str word = lex_text(body, w);
		for (unsigned i = 0; operand(body, 0, i).n; i++) {
			if (str_eq(operand(body, 0, i), word)) {
				word = operand(text, next.begin, i);
				break;
			}
		}
		sbuf_addf(out, "%.*s ", STR_ARG(word));
	}
	return called;
}

static int64_t number(struct reckoning *r)
{
	struct lex_token t = lex_next(r->text, r->at);
	int64_t v = 0;

	if (takes(r, "(")) {
		r->failed |= ++r->nest > NEST_MOST;
		v = r->failed ? 0 : sum(r);
		r->nest--;
		r->failed |= !takes(r, ")");
		return v;
	}
	struct str word = str_sub(r->text, t.begin, t.end);
	if (t.kind == LEX_WORD) {
		struct reckoning body = {.b = r->b, .kernel = r->kernel, .nest = r->nest + 1};
		r->at = t.end;
		v = named(r, word);
		if (v < 0 && body.nest < NEST_MOST && macro_body(&body.text, r->b, word)) {
			body.text = str_trim(body.text);
			v = sum(&body);
			r->failed |= body.failed || body.at != body.text.n;
		}
		r->failed |= v < 0;
		return v;
	}
	while (word.n && (word.p[word.n - 1] | 0x20) >= 'l' && (word.p[word.n - 1] | 0x20) <= 'u') {
		word.n--; /* the suffix U, L or UL */
	}
	r->failed |= t.kind != LEX_NUMBER || !str_to_i64(word, &v) || v > INT32_MAX;
	r->at = t.end;
	return r->failed ? 0 : v;
}

static int64_t product(struct reckoning *r)
{
	int64_t v = number(r);

	while (!r->failed) {
		bool times = takes(r, "*");
		if (!times && !takes(r, "/")) {
			break;
		}
		int64_t by = number(r);
		r->failed |= by <= 0 || v > INT32_MAX;
		v = r->failed ? 0 : times ? v * by : v / by;
	}
	return v;
}

static int64_t sum(struct reckoning *r)
{
	int64_t v = product(r);

	while (!r->failed) {
		bool plus = takes(r, "+");
		if (!plus && !takes(r, "-")) {
			break;
		}
		int64_t by = product(r);
		v = plus ? v + by : v - by;
	}
	return v;
}

/* The value of the attribute's argument with this index; 0: no such attribute, -1: unknown. */
static int64_t argument(struct builder *b, CXCursor kernel, struct str declaration,
	const char *attribute, unsigned index)
{
	size_t at = str_find(declaration, attribute, 0);
	size_t open = at == SIZE_MAX ? at : str_find(declaration, "(", at);
	size_t close = open == SIZE_MAX ? open : lex_close(declaration, open);

	if (close == SIZE_MAX) {
		return at == SIZE_MAX ? 0 : -1;
	}
	size_t begin = open + 1;
	for (unsigned i = 0; i < index; i++) {
		size_t comma = lex_find(declaration, begin, close, ',');
		if (comma == SIZE_MAX) {
			return -1;
		}
		begin = comma + 1;
	}
	size_t end = lex_find(declaration, begin, close, ',');
	struct reckoning r = {
		.text = str_trim(str_sub(declaration, begin, end == SIZE_MAX ? close : end)),
		.b = b,
		.kernel = kernel};
	int64_t v = sum(&r);
	return r.failed || r.at != r.text.n || v < 1 || v > THREADS_MOST ? -1 : v;
}

/* False if the declaration has no bound. */
static bool declared(struct kt_fn *out, struct builder *b, CXCursor kernel, struct str declaration)
{
	int64_t v = argument(b, kernel, declaration, "flat_work_group_size", 1);
	out->bound = (int32_t)(v ? v : argument(b, kernel, declaration, "launch_bounds", 0));
	v = argument(b, kernel, declaration, "waves_per_eu", 0);
	v = v ? v : argument(b, kernel, declaration, "launch_bounds", 1);
	out->waves = v > 0 ? (int32_t)v : 0;
	return out->bound != 0;
}

/* libclang 17 crashes when it prints launch_bounds with one argument, which a macro of the file may
 * have. */
static bool crashes_on(struct str file)
{
	CXString version = clang_getClangVersion();
	bool is_17 = strstr(clang_getCString(version), "version 17.") != NULL;
	clang_disposeString(version);
	return is_17 && str_find(file, "launch_bounds", 0) != SIZE_MAX;
}

static bool printed(struct kt_fn *out, struct builder *b, CXCursor kernel)
{
	CXPrintingPolicy policy = clang_getCursorPrintingPolicy(kernel);
	clang_PrintingPolicy_setProperty(policy, CXPrintingPolicy_TerseOutput, 1);
	CXString text = clang_getCursorPrettyPrinted(kernel, policy);
	bool bounded = declared(out, b, kernel, str_of(clang_getCString(text)));
	clang_disposeString(text);
	clang_PrintingPolicy_dispose(policy);
	return bounded;
}

/* Reads the bound from the text of the head, or of a macro in it. */
static bool spelled(struct kt_fn *out, struct builder *b, CXCursor kernel, struct str head)
{
	bool bounded = declared(out, b, kernel, head);
	lex_each (k, head, 0, head.n) {
		struct str body;
		struct sbuf called = {0};
		if (!bounded && k.kind == LEX_WORD && macro_body(&body, b, lex_text(head, k))) {
			bounded = declared(out, b, kernel, body);
		} else if (!bounded && k.kind == LEX_WORD && macro_called(&called, b, head, k)) {
			bounded = declared(out, b, kernel, sbuf_str(&called));
		}
		sbuf_release(&called);
	}
	return bounded;
}

/* Finds an attribute that bounds the block, on this or an earlier declaration, by its spelling. */
static enum CXChildVisitResult see_bound(CXCursor c, CXCursor parent, CXClientData data)
{
	CXFile file;
	unsigned at;
	size_t n = 0;
	bool *has = data;

	(void)parent;
	if (!clang_isAttribute(clang_getCursorKind(c))) {
		return CXChildVisit_Continue;
	}
	clang_getSpellingLocation(
		clang_getRangeStart(clang_getCursorExtent(c)), &file, NULL, NULL, &at);
	const char *text =
		file ? clang_getFileContents(clang_Cursor_getTranslationUnit(c), file, &n) : NULL;
	struct str rest = {text, text ? n : 0};
	struct str word = rest.n > at ? lex_text(rest, lex_next(rest, at)) : (struct str){0};
	*has |= str_find(word, "work_group_size", 0) != SIZE_MAX ||
		str_find(word, "launch_bounds", 0) != SIZE_MAX;
	return CXChildVisit_Continue;
}

void bound_of(struct kt_fn *out, struct builder *b, CXCursor kernel, struct str file,
	struct str definition)
{
	struct str head = str_sub(definition, 0, str_find(definition, "{", 0));
	bool instance = !clang_Cursor_isNull(clang_getSpecializedCursorTemplate(kernel));
	bool bounded = instance || crashes_on(file)
			       ? spelled(out, b, kernel, head)
			       : printed(out, b, kernel) ||
					 printed(out, b, clang_getCanonicalCursor(kernel));
	bool has = false;

	if (!bounded) {
		clang_visitChildren(kernel, see_bound, &has);
		out->bound = has ? -1 : 0;
	}
}
