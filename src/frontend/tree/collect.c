/*
 * Collects the functions to convert: kernels and device functions defined outside system headers,
 * their callees, and the kernels that host code names (launches, &k<32>). Converting a function
 * queues its callees, so this runs until the queue is empty.
 */
#include <stdlib.h>
#include <string.h>
#include "frontend/tree/instances.h"
#include "frontend/text/place_words.h"
#include "frontend/tree/captures.h"
#include "frontend/tree/implicit.h"

/* Members are visited in their classes, except instantiations of templates, such as a generic
 * lambda's operator(). */
static bool may_launch(CXCursor fn)
{
	switch (clang_getCursorKind(fn)) {
	case CXCursor_FunctionDecl:
		return true;
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_ConversionFunction:
		return instance_of_host(fn);
	default:
		return false;
	}
}

static enum CXChildVisitResult see_kernel_name(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct builder *b = data;
	enum CXCursorKind k = clang_getCursorKind(c);
	if (k == CXCursor_CallExpr) {
		launch_see(b, c);
	}
	if (k == CXCursor_LambdaExpr) {
		captures_see(b, c, convert_kids_of(b, c), 0, NULL);
	}
	if (k == CXCursor_DeclRefExpr || k == CXCursor_CallExpr) {
		CXCursor r = clang_getCursorReferenced(c);
		if (may_launch(r) && !clang_Location_isInSystemHeader(clang_getCursorLocation(r))) {
			kt_id id = builder_fn(b, r); /* host functions, too: they may launch */
			b->launches.v[id].named += k == CXCursor_DeclRefExpr && !b->in_probe;
		}
	}
	return CXChildVisit_Recurse;
}

/* The name without template arguments: "box" of the constructor "box<T>". */
static struct str plain_name(const char *name)
{
	struct str s = str_of(name ? name : "");
	const char *args = str_starts(s, "operator") ? NULL : memchr(s.p, '<', s.n);
	return args ? (struct str){s.p, (size_t)(args - s.p)} : s;
}

/* *pack: all further parameters do, too. */
static bool takes_by_reference(CXType t, bool *pack)
{
	switch (t.kind) {
	case CXType_LValueReference:
		return !clang_isConstQualifiedType(clang_getPointeeType(t));
	case CXType_RValueReference:
		return true;
	default: {
		CXString s = clang_getTypeSpelling(t); /* Args &&... has no type kind */
		const char *text = clang_getCString(s);
		bool found = text && strchr(text, '&');
		clang_disposeString(s);
		*pack = found;
		return found;
	}
	}
}

/* The first operand of such an operator is an argument or the object; () and [] are always
 * members. */
static bool may_be_free_operator(struct str name)
{
	return str_starts(name, "operator") && !str_is(name, "operator()") &&
	       !str_is(name, "operator[]");
}

/* Sets by_reference of struct kt_fn from a function or function template. */
static void see_parameters(struct builder *b, CXCursor fn)
{
	if (clang_Location_isInSystemHeader(clang_getCursorLocation(fn))) {
		return;
	}
	CXType t = clang_getCursorType(fn);
	int n = clang_getNumArgTypes(t);
	uint32_t bits = n < 0 ? UINT32_MAX : 0;
	for (int i = 0; i < n; i++) {
		bool pack = false;
		if (takes_by_reference(clang_getArgType(t, (unsigned)i), &pack)) {
			uint32_t bit = kt_argument_bit((size_t)i);
			bits |= pack ? -bit : bit; /* this and all further bits */
		}
	}
	if (bits) {
		CXString s = clang_getCursorSpelling(fn);
		struct str name = plain_name(clang_getCString(s));
		bits = may_be_free_operator(name) ? UINT32_MAX : bits;
		bits |= (uint32_t)map_get(&b->by_reference, name, 0);
		map_set(&b->by_reference, name, bits);
		clang_disposeString(s);
	}
}

/* Is it a member of a class inside a function? Those are only visited when they are called. */
static bool is_local(CXCursor method)
{
	for (CXCursor up = clang_getCursorSemanticParent(method);;
		up = clang_getCursorSemanticParent(up)) {
		switch (clang_getCursorKind(up)) {
		case CXCursor_StructDecl:
		case CXCursor_ClassDecl:
		case CXCursor_UnionDecl:
		case CXCursor_ClassTemplate:
		case CXCursor_ClassTemplatePartialSpecialization:
			continue;
		case CXCursor_Namespace:
		case CXCursor_TranslationUnit:
		case CXCursor_LinkageSpec:
			return false;
		default:
			return true;
		}
	}
}

static uint32_t by_reference(const struct builder *b, kt_id id)
{
	const struct kt_fn *f = &b->fns.v[id];
	uint32_t bits = (uint32_t)map_get(&b->by_reference, plain_name(f->base), 0);
	if (f->is_lambda) {
		/* A parameter of a generic lambda has the type of the argument here. */
		for (size_t i = 0; i < f->params; i++) {
			kt_id type = b->syms.v[f->param[i]].type;
			bool is = b->types.v[type].kind == KT_T_REFERENCE;
			bits |= is ? kt_argument_bit(i) : 0;
		}
	} else if (f->is_method && !f->in_system_header && is_local(b->fn_cursor.v[id])) {
		bits = UINT32_MAX;
	}
	return bits;
}

static enum CXChildVisitResult see_init(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	*(bool *)data |= clang_isExpression(clang_getCursorKind(c)) != 0;
	return CXChildVisit_Continue;
}

/* Records the special members and members' initializers of the unit's own classes. */
static void see_special(struct builder *b, CXCursor c)
{
	bool provided = false;
	enum record_op op = record_special(c, &provided);
	if (clang_getCursorKind(c) == CXCursor_FieldDecl) {
		clang_visitChildren(c, see_init, &provided); /* or the bound of an array */
		op = RECORD_INIT;
	}
	b->provided |= provided ? 1u << op : 0;
}

/* Members of class templates: only their names, because there are no types yet. */
static enum CXChildVisitResult see_member(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	see_special(data, c);
	switch (clang_getCursorKind(c)) {
	case CXCursor_CXXMethod:
	case CXCursor_Constructor:
	case CXCursor_FunctionDecl: /* a friend */
	case CXCursor_FunctionTemplate:
		see_parameters(data, c);
		return CXChildVisit_Continue;
	case CXCursor_StructDecl:
	case CXCursor_ClassDecl:
	case CXCursor_UnionDecl:
	case CXCursor_ClassTemplate:
	case CXCursor_ClassTemplatePartialSpecialization:
	case CXCursor_FriendDecl:
		return CXChildVisit_Recurse;
	default:
		return CXChildVisit_Continue;
	}
}

static bool in_class(CXCursor parent)
{
	enum CXCursorKind k = clang_getCursorKind(parent);
	return k == CXCursor_StructDecl || k == CXCursor_ClassDecl;
}

/* One visit for everything: with a precompiled header, the visit is what loads it. */
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
		see_parameters(b, c);
		if (!clang_Location_isInSystemHeader(clang_getCursorLocation(c)) &&
			clang_isCursorDefinition(c)) {
			builder_fn(b, c);
		}
		/* fall through */
	case CXCursor_Destructor:
	case CXCursor_FieldDecl:
		if (!clang_Location_isInSystemHeader(clang_getCursorLocation(c))) {
			see_special(b, c);
		}
		return CXChildVisit_Continue;
	case CXCursor_ClassTemplate:
	case CXCursor_ClassTemplatePartialSpecialization:
	case CXCursor_FriendDecl:
		if (!clang_Location_isInSystemHeader(clang_getCursorLocation(c))) {
			clang_visitChildren(c, see_member, b);
			b->has_templates = true;
		}
		return CXChildVisit_Continue;
	case CXCursor_FunctionTemplate:
		b->has_templates |= !clang_Location_isInSystemHeader(clang_getCursorLocation(c));
		see_parameters(b, c);
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

/* rules/intrinsics.yaml describes known builtins; their bodies in HIP's headers say less. */
static bool described(const struct builder *b, const struct kt_fn *f)
{
	return b->intrinsics && f->in_system_header &&
	       intrinsic_find(b->intrinsics, str_of(f->base)) != NULL;
}

/* Converts the queued functions from id from until the queue is empty. Returns its end. */
static kt_id look_at_functions(struct builder *b, kt_id from)
{
	for (kt_id id = from; id < b->fns.n; id++) {
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
				b->bodies.of.v[id].p = NULL; /* only its references count */
			}
		}
	}
	return (kt_id)b->fns.n;
}

void collect_roots(struct builder *b)
{
	struct instances in = {0};
	clang_visitChildren(clang_getTranslationUnitCursor(b->tu), see_decl, b);
	kt_id next = look_at_functions(b, 1);
	if (b->has_templates) {
		instances_find(&in, b->tu);
	}
	array_each (&in.kernels, struct instance, k) {
		builder_fn(b, k->fn);
	}
	next = look_at_functions(b, next);
	array_each (&in.others, CXCursor, c) {
		builder_fn(b, *c); /* a host function, which may launch */
	}
	look_at_functions(b, next);
	instances_release(&in);
	for (kt_id id = 1; id < b->fns.n; id++) {
		b->fns.v[id].by_reference = by_reference(b, id);
	}
}

typedef ARRAY(struct kt_skip) skip_array;

static int in_source_order(const void *x, const void *y)
{
	const struct kt_skip *a = x, *b = y;
	return a->begin < b->begin ? -1 : a->begin > b->begin;
}

static void see_inclusion(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct builder *b = data;
	CXSourceLocation start = clang_getLocationForOffset(b->tu, file, 0);
	(void)stack;
	(void)depth;
	if (!clang_Location_isInSystemHeader(start)) {
		builder_file(b, file, start);
	}
}

/* For a file that is included several times: code that is excluded each time. */
void collect_skips(struct builder *b)
{
	CXSourceRangeList *l = clang_getAllSkippedRanges(b->tu);
	clang_getInclusions(b->tu, see_inclusion, b);
	const size_t known = b->files.n;
	skip_array *of = ARENA_ARRAY(b->arena, skip_array, known);
	for (unsigned i = 0; l && i < l->count; i++) {
		CXFile file = NULL;
		unsigned begin = 0, end = 0;
		CXSourceLocation start = clang_getRangeStart(l->ranges[i]);
		clang_getFileLocation(start, &file, NULL, NULL, &begin);
		clang_getFileLocation(clang_getRangeEnd(l->ranges[i]), NULL, NULL, NULL, &end);
		kt_id id = file && !clang_Location_isInSystemHeader(start)
				   ? builder_file(b, file, start)
				   : 0;
		if (id && id < known) {
			array_push(&of[id], (struct kt_skip){begin, end});
		}
	}
	for (size_t i = 1; i < known; i++) {
		if (of[i].n) {
			qsort(of[i].v, of[i].n, sizeof(*of[i].v), in_source_order);
			b->files.v[i].skips = of[i].n;
			b->files.v[i].skip = array_to_arena(b->arena, &of[i]);
		}
		array_release(&of[i]);
	}
	if (l) {
		clang_disposeSourceRangeList(l);
	}
}

static enum CXChildVisitResult see_macro(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct probes *p = data;
	if (clang_getCursorKind(c) == CXCursor_MacroDefinition && !clang_Cursor_isMacroBuiltin(c) &&
		clang_Cursor_isMacroFunctionLike(c) &&
		!clang_Location_isInSystemHeader(clang_getCursorLocation(c))) {
		struct str text = cursor_source(c);
		if (text.n > 0) {
			probes_define(p, text);
		}
	}
	return CXChildVisit_Continue;
}

void collect_macros(struct probes *p, CXTranslationUnit tu)
{
	clang_visitChildren(clang_getTranslationUnitCursor(tu), see_macro, p);
}

/* ---- words whose value depends on their place ---- */

static void see_included(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct builder *b = data;
	CXSourceLocation start = clang_getLocationForOffset(b->tu, file, 0);
	size_t n = 0;
	(void)stack;
	if (depth > 0 && !clang_Location_isInSystemHeader(start)) {
		const char *text = clang_getFileContents(b->tu, file, &n);
		if (text && place_words_hold((struct str){text, n})) {
			builder_file(b, file, start);
		}
	}
}

void collect_places(struct builder *b, struct str placed)
{
	struct str path;
	clang_getInclusions(b->tu, see_included, b);
	while (placed.n && str_line(&placed, &path)) {
		CXFile file = clang_getFile(b->tu, arena_strndup(b->scratch, path.p, path.n));
		if (file) {
			builder_file(b, file, clang_getLocationForOffset(b->tu, file, 0));
		}
	}
}
