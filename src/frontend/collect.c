/*
 * Which functions count: kernels and device functions that are defined outside system headers, what
 * they call, and the kernels that host code names (launches, &k<32>). Converting one function
 * queues its callees, so the queue runs until it is dry.
 */
#include <string.h>
#include "frontend/builder.h"

static enum CXChildVisitResult see_kernel_name(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct builder *b = data;
	enum CXCursorKind k = clang_getCursorKind(c);
	if (k == CXCursor_CallExpr) {
		launch_see(b, c);
	}
	if (k == CXCursor_DeclRefExpr || k == CXCursor_CallExpr) {
		CXCursor r = clang_getCursorReferenced(c);
		if (clang_getCursorKind(r) == CXCursor_FunctionDecl &&
			!clang_Location_isInSystemHeader(clang_getCursorLocation(r))) {
			kt_id id = builder_fn(b, r); /* a host function, too: it may launch */
			b->launches.v[id].named += k == CXCursor_DeclRefExpr && !b->in_probe;
		}
	}
	return CXChildVisit_Recurse;
}

static bool in_class(CXCursor parent)
{
	enum CXCursorKind k = clang_getCursorKind(parent);
	return k == CXCursor_StructDecl || k == CXCursor_ClassDecl;
}

/* One visit for all that is looked for: behind a precompiled header it is what reads that. */
static enum CXChildVisitResult see_decl(CXCursor c, CXCursor parent, CXClientData data)
{
	struct builder *b = data;
	switch (clang_getCursorKind(c)) {
	case CXCursor_Namespace:
	case CXCursor_LinkageSpec:
	case CXCursor_StructDecl:
	case CXCursor_ClassDecl:
	case CXCursor_UnexposedDecl:
		return clang_Location_isInSystemHeader(clang_getCursorLocation(c))
			       ? CXChildVisit_Continue
			       : CXChildVisit_Recurse;
	case CXCursor_FunctionDecl:
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
		if (!clang_Location_isInSystemHeader(clang_getCursorLocation(c)) &&
			clang_isCursorDefinition(c)) {
			builder_fn(b, c);
		}
		return CXChildVisit_Continue;
	case CXCursor_FunctionTemplate:
		if (clang_Location_isFromMainFile(clang_getCursorLocation(c)) &&
			clang_isCursorDefinition(c) && !in_class(parent)) {
			array_push(&b->templates, c);
		}
		return CXChildVisit_Continue;
	case CXCursor_VarDecl:
		/* a table of kernel pointers */
		if (!clang_Location_isInSystemHeader(clang_getCursorLocation(c))) {
			clang_visitChildren(c, see_kernel_name, b);
		}
		return CXChildVisit_Continue;
	default:
		return CXChildVisit_Continue;
	}
}

/* Known builtins are described by rules/intrinsics.yaml; their bodies in HIP's headers only dilute
 * that. */
static bool described(const struct builder *b, const struct kt_fn *f)
{
	return b->intrinsics && f->in_system_header &&
	       intrinsic_find(b->intrinsics, str_of(f->base)) != NULL;
}

void collect_roots(struct builder *b)
{
	clang_visitChildren(clang_getTranslationUnitCursor(b->tu), see_decl, b);
	for (kt_id id = 1; id < b->fns.n; id++) {
		struct kt_fn f = b->fns.v[id];
		if (f.kind == KT_FN_HOST) {
			b->in_probe = strncmp(f.base, "unphi_probe_", 12) == 0;
			if (!f.in_system_header) {
				clang_visitChildren(b->fn_cursor.v[id], see_kernel_name, b);
			}
		} else if (!described(b, &f)) {
			convert_function(b, id);
			b->cur_device = false;
			if (strncmp(f.base, "unphi_probe_", 12) == 0) {
				b->bodies.of.v[id].p = NULL; /* only what it names counts */
			}
		}
	}
}

static enum CXChildVisitResult see_macro(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct probes *p = data;
	if (clang_getCursorKind(c) == CXCursor_MacroDefinition && !clang_Cursor_isMacroBuiltin(c) &&
		clang_Cursor_isMacroFunctionLike(c) &&
		!clang_Location_isInSystemHeader(clang_getCursorLocation(c))) {
		CXSourceRange r = clang_getCursorExtent(c);
		CXFile f = NULL;
		unsigned begin = 0, end = 0;
		size_t n = 0;
		clang_getFileLocation(clang_getRangeStart(r), &f, NULL, NULL, &begin);
		clang_getFileLocation(clang_getRangeEnd(r), NULL, NULL, NULL, &end);
		const char *text =
			f ? clang_getFileContents(clang_Cursor_getTranslationUnit(c), f, &n) : NULL;
		if (text && begin < end && end <= n) {
			probes_define(p, (struct str){text + begin, end - begin});
		}
	}
	return CXChildVisit_Continue;
}

void collect_macros(struct probes *p, CXTranslationUnit tu)
{
	clang_visitChildren(clang_getTranslationUnitCursor(tu), see_macro, p);
}
