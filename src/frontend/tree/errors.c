/*
 * Errors: drops the parts of a source with errors that cannot be trusted. The compiler omits
 * statements that it could not read: those with an error, but also, without a message, those that
 * name an invalid declaration. So the body of a function is dropped if it has an error or
 * instantiates code with one, and if its text has the name of an invalid declaration, or of a macro
 * with such a name.
 */
#include <string.h>
#include "frontend/tree/builder.h"
#include "frontend/text/lex.h"

struct invalid {
	struct builder *b;
	struct map names;
	bool unnamed; /* an invalid declaration that is used without its name */
	CXFile only;  /* the only file with errors, or NULL */
};

static void add_invalid(struct invalid *v, CXCursor c)
{
	struct str name = str_of(builder_text(v->b, clang_getCursorSpelling(c)));
	enum CXCursorKind k = clang_getCursorKind(c);
	bool implied = k == CXCursor_Constructor || k == CXCursor_Destructor ||
		       k == CXCursor_ConversionFunction || str_starts(name, "operator");
	v->unnamed |= implied;
	if (name.n && !implied) {
		map_set(&v->names, name, 1);
	}
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data)
{
	struct invalid *v = data;
	CXFile file = v->only;
	if (v->only && clang_getCursorKind(parent) == CXCursor_TranslationUnit) {
		clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
	}
	if (v->only && !clang_File_isEqual(file, v->only)) {
		return CXChildVisit_Continue;
	}
	if (!clang_isDeclaration(clang_getCursorKind(c))) {
		return CXChildVisit_Continue; /* a body: its errors are inside it */
	}
	if (clang_isInvalidDeclaration(c)) {
		add_invalid(v, c);
	}
	return CXChildVisit_Recurse;
}

static bool has_name(const struct map *names, struct str text, size_t begin, size_t end)
{
	struct lex_token t = lex_next(text, begin);
	bool found = false;
	while (!found && t.kind != LEX_END && t.begin < end) {
		/* a directive is one token */
		found = t.kind == LEX_WORD && map_has(names, str_sub(text, t.begin, t.end));
		t = lex_next(text, t.end);
	}
	return found;
}

/* The name and the body of the "#define NAME ..." at t; false for other tokens. */
static bool defines(struct str *name, struct str *body, struct str text, struct lex_token t)
{
	struct str line = str_sub(text, t.begin, t.end);
	struct lex_token word = lex_next(line, str_find(line, "#", 0) + 1);
	if (t.kind != LEX_DIRECTIVE || !lex_is(line, word, "define")) {
		return false;
	}
	word = lex_next(line, word.end);
	*name = str_sub(line, word.begin, word.end);
	*body = str_sub(line, word.end, line.n);
	return word.kind == LEX_WORD;
}

/* Adds the macros of the file whose text has one of the names; true if there are new ones. */
static bool add_macros(struct invalid *v, struct str text)
{
	bool more = false;
	struct lex_token t = lex_next(text, 0);
	for (; t.kind != LEX_END; t = lex_next(text, t.end)) {
		struct str name, body;
		if (defines(&name, &body, text, t) && has_name(&v->names, body, 0, body.n)) {
			more |= map_set(&v->names, name, 1);
		}
	}
	return more;
}

static void add_all_macros(struct invalid *v)
{
	bool more = v->names.n > 0;
	while (more) {
		more = false;
		for (kt_id i = 1; i < v->b->files.n; i++) {
			const struct kt_file *f = &v->b->files.v[i];
			more |= !f->system && add_macros(v, f->text);
		}
	}
}

static void drop_invalid(struct builder *b, CXFile only)
{
	struct invalid v = {.b = b, .only = only};
	clang_visitChildren(clang_getTranslationUnitCursor(b->tu), visit, &v);
	add_all_macros(&v);
	for (kt_id id = 1; id < b->fns.n; id++) {
		struct kt_fn *f = &b->fns.v[id];
		struct str text = f->file ? b->files.v[f->file].text : (struct str){"", 0};
		struct str *body = &b->bodies.of.v[id];
		if (body->p && (v.unnamed || has_name(&v.names, text, f->begin, f->end))) {
			body->p = NULL;
		}
	}
	map_release(&v.names);
}

static void drop_at(struct builder *b, CXSourceLocation at)
{
	CXFile f = NULL;
	unsigned offset = 0;
	clang_getFileLocation(at, &f, NULL, NULL, &offset);
	kt_id file = f ? builder_file(b, f, at) : 0;
	for (kt_id id = 1; file && id < b->fns.n; id++) {
		struct kt_fn *fn = &b->fns.v[id];
		if (fn->file == file && offset >= fn->begin && offset <= fn->end) {
			b->bodies.of.v[id].p = NULL;
		}
	}
}

/* Drops the functions that instantiate code with an error. */
static void drop_instantiating(struct builder *b, CXDiagnostic d)
{
	CXDiagnosticSet notes = clang_getChildDiagnostics(d);
	for (unsigned i = 0; i < clang_getNumDiagnosticsInSet(notes); i++) {
		CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
		CXString text = clang_getDiagnosticSpelling(note);
		if (strstr(clang_getCString(text), "in instantiation of")) {
			drop_at(b, clang_getDiagnosticLocation(note));
		}
		clang_disposeString(text);
		clang_disposeDiagnostic(note);
	}
}

void drop_erroneous(struct builder *b, CXFile only)
{
	unsigned n = clang_getNumDiagnostics(b->tu);
	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic d = clang_getDiagnostic(b->tu, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
			drop_at(b, clang_getDiagnosticLocation(d));
			drop_instantiating(b, d);
		}
		clang_disposeDiagnostic(d);
	}
	drop_invalid(b, only);
}
