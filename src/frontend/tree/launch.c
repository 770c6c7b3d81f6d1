/*
 * The block sizes in host code's launches of kernels, if certain: the size is constant, and so is
 * every variable that it depends on. A kernel that host code names without launching it (in a
 * table) may be launched with any size.
 */
#include <string.h>

#include "frontend/tree/builder.h"

enum {
	VARIABLES = 8, /* variables that a size may depend on */
};

/* Without casts and parentheses. */
static CXCursor plain(CXCursor c)
{
	for (;;) {
		enum CXCursorKind k = clang_getCursorKind(c);
		CXCursor in = clang_getNullCursor();
		if (k == CXCursor_UnexposedExpr || k == CXCursor_ParenExpr) {
			in = cursor_child(c, 0);
		} else if (k == CXCursor_CXXFunctionalCastExpr) {
			in = cursor_child(c, 1); /* after the type */
			in = clang_Cursor_isNull(in) ? cursor_child(c, 0) : in;
		}
		if (clang_Cursor_isNull(in)) {
			return c;
		}
		c = in;
	}
}

/* Notes variables that are not only read or copied; those uses are below a conversion. */
static enum CXChildVisitResult see_use(CXCursor c, CXCursor parent, CXClientData data)
{
	struct builder *b = data;
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr &&
		clang_getCursorKind(parent) != CXCursor_UnexposedExpr) {
		CXCursor v = clang_getCursorReferenced(c);
		if (clang_getCursorKind(v) == CXCursor_VarDecl && !cursor_get(&b->changed, v)) {
			cursor_set(b, &b->changed, v, 1);
		}
	}
	return CXChildVisit_Recurse;
}

/* A function is searched once for all its variables, because some launch a thousand kernels. */
static bool keeps_its_value(struct builder *b, CXCursor variable)
{
	if (clang_isConstQualifiedType(clang_getCursorType(variable))) {
		return true;
	}
	CXCursor around = clang_getCursorSemanticParent(variable);
	if (clang_getCursorKind(around) == CXCursor_TranslationUnit ||
		clang_getCursorKind(around) == CXCursor_Namespace) {
		return false;
	}
	if (!cursor_get(&b->changed_in, around)) {
		cursor_set(b, &b->changed_in, around, 1);
		clang_visitChildren(around, see_use, b);
	}
	return !cursor_get(&b->changed, variable);
}

static int64_t value_of(CXCursor c)
{
	int64_t v = 0;
	CXEvalResult r = clang_Cursor_Evaluate(c);
	if (r && clang_EvalResult_getKind(r) == CXEval_Int) {
		v = clang_EvalResult_getAsLongLong(r);
	}
	if (r) {
		clang_EvalResult_dispose(r);
	}
	return v > 0 && v <= 1 << 20 ? v : -1;
}

/* T(args), not a call of a function. */
static bool is_constructed(CXCursor c)
{
	return clang_getCursorKind(c) == CXCursor_CallExpr &&
	       clang_getCursorKind(clang_getCursorReferenced(c)) == CXCursor_Constructor;
}

/* Threads of an int or a dim3, of a ?: the most that it can be, or -1. */
static int64_t threads_of(struct builder *b, CXCursor c, unsigned variables)
{
	c = plain(c);
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) {
		CXCursor v = clang_getCursorReferenced(c);
		if (clang_getCursorKind(v) != CXCursor_VarDecl) {
			return value_of(c); /* a template parameter */
		}
		CXCursor init = clang_Cursor_getVarDeclInitializer(v);
		return variables == 0 || clang_Cursor_isNull(init) || !keeps_its_value(b, v)
			       ? -1
			       : threads_of(b, init, variables - 1);
	}
	if (clang_getCursorKind(c) == CXCursor_ConditionalOperator && value_of(c) < 0) {
		int64_t then = threads_of(b, cursor_child(c, 1), variables);
		int64_t other = threads_of(b, cursor_child(c, 2), variables);
		return then < 0 || other < 0 ? -1 : then > other ? then : other;
	}
	if (!is_constructed(c)) {
		return value_of(c);
	}
	int n = clang_Cursor_getNumArguments(c);
	int64_t product = n > 0 ? 1 : -1;
	for (int i = 0; i < n && product > 0; i++) {
		int64_t t = threads_of(b, clang_Cursor_getArgument(c, (unsigned)i), variables);
		product = t > 0 && product <= 1 << 20 ? product * t : -1;
	}
	return product;
}

static bool is_whole_number(CXCursor c)
{
	enum CXTypeKind k = clang_getCanonicalType(clang_getCursorType(c)).kind;
	return (k >= CXType_Bool && k <= CXType_Int128) || k == CXType_Enum;
}

/* Are the lanes of each wave in the block, an int or a dim3, neighbours in x? */
static bool is_flat(struct builder *b, CXCursor c, unsigned variables)
{
	c = plain(c);
	if (is_whole_number(c)) {
		return true;
	}
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) {
		CXCursor v = clang_getCursorReferenced(c);
		CXCursor init = clang_getCursorKind(v) == CXCursor_VarDecl
					? clang_Cursor_getVarDeclInitializer(v)
					: clang_getNullCursor();
		return variables > 0 && !clang_Cursor_isNull(init) && keeps_its_value(b, v) &&
		       is_flat(b, init, variables - 1);
	}
	int n = clang_Cursor_getNumArguments(c);
	if (!is_constructed(c) || n < 1) {
		return false;
	}
	CXCursor x = clang_Cursor_getArgument(c, 0);
	if (n == 1) {
		return is_flat(b, x, variables);
	}
	int64_t row = threads_of(b, x, variables);
	bool flat = true;
	for (int i = 1; i < n; i++) {
		flat &= threads_of(b, clang_Cursor_getArgument(c, (unsigned)i), variables) == 1;
	}
	return flat || (row > 0 && row % 64 == 0);
}

int64_t launch_constant(struct builder *b, CXCursor variable)
{
	CXCursor init = clang_Cursor_getVarDeclInitializer(variable);

	return clang_Cursor_isNull(init) || !keeps_its_value(b, variable)
		       ? -1
		       : threads_of(b, init, VARIABLES);
}

static bool is_configuration(CXCursor c)
{
	if (clang_getCursorKind(c) != CXCursor_CallExpr) {
		return false;
	}
	CXString s = clang_getCursorSpelling(c);
	const char *name = clang_getCString(s);
	bool is = name && strstr(name, "allConfiguration") != NULL;
	is |= name && strcmp(name, "hipConfigureCall") == 0;
	clang_disposeString(s);
	return is;
}

/* A call as hipLaunchKernel(kernel, grid, block, arguments, LDS, stream). */
static bool is_api_launch(CXCursor call)
{
	CXString s = clang_getCursorSpelling(call);
	const char *name = clang_getCString(s);
	bool is = name && (strcmp(name, "hipLaunchKernel") == 0 ||
				  strcmp(name, "hipLaunchCooperativeKernel") == 0);
	clang_disposeString(s);
	return is && clang_Cursor_getNumArguments(call) >= 5;
}

static enum CXChildVisitResult see_function(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(c) != CXCursor_DeclRefExpr) {
		return CXChildVisit_Recurse;
	}
	*(CXCursor *)data = clang_getCursorReferenced(c);
	return CXChildVisit_Break;
}

/* The function that the expression names, through casts. */
static CXCursor function_in(CXCursor c)
{
	CXCursor found = clang_getNullCursor();
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) {
		return clang_getCursorReferenced(c);
	}
	clang_visitChildren(c, see_function, &found);
	return found;
}

/* The value of an integer expression, or KT_NO_VALUE. */
static int64_t constant_of(struct builder *b, CXCursor c, unsigned variables)
{
	int64_t v = KT_NO_VALUE;
	c = plain(c);
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr &&
		clang_getCursorKind(clang_getCursorReferenced(c)) == CXCursor_VarDecl) {
		CXCursor var = clang_getCursorReferenced(c);
		CXCursor init = clang_Cursor_getVarDeclInitializer(var);
		return variables == 0 || clang_Cursor_isNull(init) || !keeps_its_value(b, var)
			       ? KT_NO_VALUE
			       : constant_of(b, init, variables - 1);
	}
	CXEvalResult r = is_whole_number(c) ? clang_Cursor_Evaluate(c) : NULL;
	if (r && clang_EvalResult_getKind(r) == CXEval_Int) {
		v = clang_EvalResult_getAsLongLong(r);
	}
	if (r) {
		clang_EvalResult_dispose(r);
	}
	return v;
}

/* The dimensions of an int or a dim3. */
static void shape_of(int64_t out[3], struct builder *b, CXCursor c, unsigned variables)
{
	c = plain(c);
	out[0] = out[1] = out[2] = KT_NO_VALUE;
	if (is_whole_number(c)) {
		out[0] = constant_of(b, c, variables);
		out[1] = out[2] = 1;
	} else if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) {
		CXCursor v = clang_getCursorReferenced(c);
		CXCursor init = clang_getCursorKind(v) == CXCursor_VarDecl
					? clang_Cursor_getVarDeclInitializer(v)
					: clang_getNullCursor();
		if (variables > 0 && !clang_Cursor_isNull(init) && keeps_its_value(b, v)) {
			shape_of(out, b, init, variables - 1);
		}
	} else if (is_constructed(c) && clang_Cursor_getNumArguments(c) == 1) {
		shape_of(out, b, clang_Cursor_getArgument(c, 0), variables);
	} else if (is_constructed(c)) {
		for (int i = 0; i < 3; i++) {
			CXCursor x = clang_Cursor_getArgument(c, (unsigned)i);
			out[i] = clang_Cursor_isNull(x) ? 1 : constant_of(b, x, variables);
		}
	}
}

/* Grid, block and LDS of a launch, and the kernel's arguments, if they are seen. */
struct launch_call {
	CXCursor grid;
	CXCursor block;
	CXCursor lds; /* null: none */
	CXCursor call;
	int arguments;
};

static struct kt_launch *first_launch(struct builder *b, const struct launch_call *of)
{
	struct kt_launch *l = ARENA_NEW(b->arena, struct kt_launch);
	int n = of->arguments > 0 ? of->arguments : 0;
	shape_of(l->grid, b, of->grid, VARIABLES);
	shape_of(l->block, b, of->block, VARIABLES);
	l->lds = clang_Cursor_isNull(of->lds) ? 0 : constant_of(b, of->lds, VARIABLES);
	l->argument = ARENA_ARRAY(b->arena, int64_t, (size_t)n + 1);
	for (int i = 0; i < n; i++) {
		l->argument[i] =
			constant_of(b, clang_Cursor_getArgument(of->call, (unsigned)i), VARIABLES);
	}
	l->arguments = (size_t)n;
	return l;
}

static void see(struct builder *b, kt_id id, const struct launch_call *of)
{
	struct launches *l = &b->launches.v[id];
	int64_t threads = threads_of(b, of->block, VARIABLES);
	l->first = l->launched++ > 0 ? l->first : first_launch(b, of);
	l->unknown |= threads < 0;
	l->uneven |= !is_flat(b, of->block, VARIABLES);
	l->threads = threads > l->threads ? threads : l->threads;
}

void launch_see(struct builder *b, CXCursor call)
{
	CXCursor c = clang_getNullCursor();
	bool found = false;
	if (is_api_launch(call)) {
		const struct launch_call of = {.grid = clang_Cursor_getArgument(call, 1),
			.block = clang_Cursor_getArgument(call, 2),
			.lds = clang_Cursor_getArgument(call, 4)};
		kt_id id = builder_fn(b, function_in(clang_Cursor_getArgument(call, 0)));
		if (id) {
			see(b, id, &of);
		}
		return;
	}
	for (unsigned i = 1; i < 3 && !found; i++) {
		c = cursor_child(call, i);
		found = !clang_Cursor_isNull(c) && is_configuration(c);
	}
	CXCursor callee = plain(cursor_child(call, 0));
	kt_id id = found ? builder_fn(b, clang_getCursorReferenced(callee)) : 0;
	int n = found ? clang_Cursor_getNumArguments(c) : 0;
	if (!id || n < 2) {
		return;
	}
	const struct launch_call of = {.grid = clang_Cursor_getArgument(c, 0),
		.block = clang_Cursor_getArgument(c, 1),
		.lds = n > 2 ? clang_Cursor_getArgument(c, 2) : clang_getNullCursor(),
		.call = call,
		.arguments = clang_Cursor_getNumArguments(call)};
	see(b, id, &of);
}

bool launch_is_flat(const struct builder *b, kt_id id)
{
	const struct launches *l = &b->launches.v[id];
	return l->launched > 0 && !l->uneven && l->named == l->launched;
}

int32_t launch_threads(const struct builder *b, kt_id id)
{
	const struct launches *l = &b->launches.v[id];
	return l->unknown || l->named != l->launched ? -1 : (int32_t)l->threads;
}
