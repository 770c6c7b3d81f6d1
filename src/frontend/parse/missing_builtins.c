#include "frontend/parse/missing_builtins.h"

/* If the first quoted word of an error is such a builtin, adds it to the header. */
static bool add_named(struct missing_builtins *l, struct str said, const struct intrinsic_db *db)
{
	size_t from = str_find(said, "'", 0);
	size_t to = from == SIZE_MAX ? SIZE_MAX : str_find(said, "'", from + 1);
	if (to == SIZE_MAX) {
		return false;
	}
	struct str name = str_sub(said, from + 1, to);
	const struct intrinsic *in =
		str_starts(name, "__builtin_") ? intrinsic_find(db, name) : NULL;
	if (!in || !in->signature || map_has(&l->known, name)) {
		return false;
	}
	if (l->header.n == 0) {
		sbuf_adds(&l->header, "#pragma clang system_header\n");
	}
	sbuf_addf(&l->header, "extern \"C\" __attribute__((device)) %s;\n", in->signature);
	map_set(&l->known, str_of(in->name), 1);
	return true;
}

bool missing_builtins_add(
	struct missing_builtins *l, CXTranslationUnit tu, const struct intrinsic_db *db)
{
	bool more = false;
	for (unsigned i = 0; db && i < clang_getNumDiagnostics(tu); i++) {
		CXDiagnostic d = clang_getDiagnostic(tu, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
			CXString s = clang_getDiagnosticSpelling(d);
			more |= add_named(l, str_of(clang_getCString(s)), db);
			clang_disposeString(s);
		}
		clang_disposeDiagnostic(d);
	}
	return more;
}

void missing_builtins_release(struct missing_builtins *l)
{
	sbuf_release(&l->header);
	map_release(&l->known);
}
