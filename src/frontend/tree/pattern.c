/*
 * Kernel templates of the main file without an instantiation in the unit: their widths depend on
 * the file that includes it. With assumed arguments (--assume N=32) unphi instantiates them.
 */
#include <string.h>

#include "frontend/tree/builder.h"

struct finding {
	struct builder *b;
	const struct frontend_job *job;
	struct probes *probes;
	bool probed;
};

static bool instantiated(const struct builder *b, CXCursor pattern)
{
	for (kt_id id = 1; id < b->fns.n; id++) {
		CXCursor of = clang_getSpecializedCursorTemplate(b->fn_cursor.v[id]);
		if (b->fns.v[id].kind == KT_FN_KERNEL && !clang_Cursor_isNull(of) &&
			clang_equalCursors(
				clang_getCanonicalCursor(of), clang_getCanonicalCursor(pattern))) {
			return true;
		}
	}
	return false;
}

/* Does the parameter have a default, or is it a pack, which may be empty? */
static bool may_be_left_out(CXCursor param)
{
	struct str text = cursor_source(param);
	return str_find(text, "=", 0) != SIZE_MAX || str_find(text, "...", 0) != SIZE_MAX;
}

struct arguments {
	struct finding *f;
	struct sbuf given;   /* "32, float" */
	struct sbuf missing; /* "M, T": names without an assumption */
	bool left_out;	     /* a parameter with a default was left out, and so are all after it */
};

static const char *assumed(const struct frontend_job *job, const char *name)
{
	size_t n = strlen(name);
	for (size_t i = 0; i < job->assumes; i++) {
		if (strncmp(job->assume[i], name, n) == 0 && job->assume[i][n] == '=') {
			return job->assume[i] + n + 1;
		}
	}
	return NULL;
}

static enum CXChildVisitResult see_param(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct arguments *a = data;
	if (!builder_is_template_param(c)) {
		return CXChildVisit_Continue;
	}
	const char *name = builder_text(a->f->b, clang_getCursorSpelling(c));
	const char *value = *name ? assumed(a->f->job, name) : NULL;
	if (value && !a->left_out) {
		sbuf_addf(&a->given, "%s%s", a->given.n ? ", " : "", value);
	} else if (may_be_left_out(c)) {
		a->left_out = true;
	} else {
		sbuf_addf(&a->missing, "%s%s", a->missing.n ? ", " : "", *name ? name : "?");
	}
	return CXChildVisit_Continue;
}

/* "a::b::k", without unnamed namespaces. */
static const char *qualified(struct builder *b, CXCursor c)
{
	const char *name = builder_text(b, clang_getCursorSpelling(c));
	for (CXCursor p = clang_getCursorSemanticParent(c);
		clang_getCursorKind(p) == CXCursor_Namespace;
		p = clang_getCursorSemanticParent(p)) {
		const char *scope = builder_text(b, clang_getCursorSpelling(p));
		if (*scope && *scope != '(') {
			name = arena_printf(b->arena, "%s::%s", scope, name);
		}
	}
	return name;
}

static void see_pattern(struct finding *f, CXCursor c)
{
	struct builder *b = f->b;
	struct arguments a = {.f = f};
	CXFile file = NULL;
	unsigned at = 0;
	clang_visitChildren(c, see_param, &a);
	CXSourceLocation place = clang_getCursorLocation(c);
	clang_getFileLocation(place, &file, NULL, NULL, &at);
	const char *name = qualified(b, c);
	if (a.given.n && !a.missing.n) {
		f->probed = true;
		probes_add_kernel(
			f->probes, arena_printf(b->arena, "%s<%s>", name, sbuf_cstr(&a.given)));
	}
	array_push(&b->patterns, (struct kt_pattern){.name = name,
					 .missing = arena_strdup(b->arena, sbuf_cstr(&a.missing)),
					 .file = builder_file(b, file, place),
					 .at = at});
	sbuf_release(&a.given);
	sbuf_release(&a.missing);
}

bool collect_patterns(struct builder *b, const struct frontend_job *job, struct probes *probes)
{
	struct finding f = {.b = b, .job = job, .probes = probes};
	array_each (&b->templates, CXCursor, c) {
		if (cursor_attrs(*c) & CURSOR_GLOBAL && !instantiated(b, *c)) {
			see_pattern(&f, *c);
		}
	}
	return f.probed;
}
