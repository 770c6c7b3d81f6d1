/* The header that is rewritten: the names by which the unit includes it, and how often. */
#include "base/words.h"
#include "frontend/tree/builder.h"

struct seeing {
	struct builder *b;
	struct words names;
	unsigned entered;
};

static void see_entry(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct seeing *s = data;
	(void)stack;
	(void)depth;
	s->entered += clang_File_isEqual(file, s->b->header) != 0;
}

static enum CXChildVisitResult see_directive(CXCursor c, CXCursor parent, CXClientData data)
{
	struct seeing *s = data;
	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_InclusionDirective) {
		CXFile file = clang_getIncludedFile(c);
		if (file && clang_File_isEqual(file, s->b->header)) {
			const char *path = builder_text(s->b, clang_getFileName(file));
			words_add_new(&s->names, vfs_names(s->b->arena, path));
		}
	}
	return CXChildVisit_Continue;
}

void header_see(struct builder *b, const struct frontend_job *job)
{
	struct frontend_header *h = job->header;
	struct seeing s = {.b = b};
	h->entered = 0;
	h->name = vfs_names(b->arena, h->path);
	b->header_path = h->path;
	b->header = clang_getFile(b->tu, h->path);
	if (b->header) {
		clang_getInclusions(b->tu, see_entry, &s);
		clang_visitChildren(clang_getTranslationUnitCursor(b->tu), see_directive, &s);
		words_add_new(&s.names, h->name);
		h->name = words_finish(&s.names, b->arena);
		h->entered = s.entered;
	}
}
