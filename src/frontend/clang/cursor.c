#include "frontend/clang/cursor.h"

struct wanted {
	enum CXCursorKind kind; /* 0: any */
	struct str name;	/* p NULL: any */
	unsigned before;	/* matches to skip before it */
	CXCursor found;
};

bool cursor_is_named(CXCursor c, struct str name)
{
	CXString s = clang_getCursorSpelling(c);
	bool is = str_eq(str_of(clang_getCString(s)), name);

	clang_disposeString(s);
	return is;
}

static enum CXChildVisitResult see_wanted(CXCursor c, CXCursor parent, CXClientData data)
{
	struct wanted *w = data;
	bool is = (!w->kind || clang_getCursorKind(c) == w->kind) &&
		  (!w->name.p || cursor_is_named(c, w->name));

	(void)parent;
	if (is && w->before-- == 0) {
		w->found = c;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Continue;
}

static CXCursor find(CXCursor c, struct wanted w)
{
	w.found = clang_getNullCursor();
	clang_visitChildren(c, see_wanted, &w);
	return w.found;
}

CXCursor cursor_child(CXCursor c, unsigned i)
{
	return find(c, (struct wanted){.before = i});
}

CXCursor cursor_child_of(CXCursor c, enum CXCursorKind kind)
{
	return find(c, (struct wanted){.kind = kind});
}

CXCursor cursor_child_named(CXCursor c, enum CXCursorKind kind, struct str name)
{
	return find(c, (struct wanted){.kind = kind, .name = name});
}

static enum CXChildVisitResult see_attr(CXCursor c, CXCursor parent, CXClientData data)
{
	enum CXCursorKind k = clang_getCursorKind(c);

	(void)parent;
	*(unsigned *)data |= k == CXCursor_CUDAGlobalAttr     ? CURSOR_GLOBAL
			     : k == CXCursor_CUDADeviceAttr   ? CURSOR_DEVICE
			     : k == CXCursor_CUDAHostAttr     ? CURSOR_HOST
			     : k == CXCursor_CUDASharedAttr   ? CURSOR_SHARED
			     : k == CXCursor_CUDAConstantAttr ? CURSOR_CONSTANT
			     : clang_isAttribute(k)	      ? CURSOR_OTHER
							      : 0;
	return CXChildVisit_Continue;
}

unsigned cursor_attrs(CXCursor c)
{
	unsigned attrs = 0;
	clang_visitChildren(c, see_attr, &attrs);
	return attrs;
}

struct str cursor_source(CXCursor c)
{
	CXSourceRange r = clang_getCursorExtent(c);
	CXFile f = NULL;
	unsigned begin = 0, end = 0;
	size_t n = 0;
	clang_getFileLocation(clang_getRangeStart(r), &f, NULL, NULL, &begin);
	clang_getFileLocation(clang_getRangeEnd(r), NULL, NULL, NULL, &end);
	const char *p = f ? clang_getFileContents(clang_Cursor_getTranslationUnit(c), f, &n) : NULL;
	return p && begin < end && end <= n ? (struct str){p + begin, end - begin}
					    : (struct str){0};
}
