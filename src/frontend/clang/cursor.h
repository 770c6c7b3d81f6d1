#pragma once
/* Questions about a cursor's direct children. A null cursor means there is none. */
#include "base/str.h"
#include "frontend/clang/libclang.h"

enum cursor_attr {
	CURSOR_GLOBAL = 1 << 0,
	CURSOR_DEVICE = 1 << 1,
	CURSOR_HOST = 1 << 2,
	CURSOR_SHARED = 1 << 3,
	CURSOR_CONSTANT = 1 << 4,
	CURSOR_OTHER = 1 << 5
};

/* The attributes of a declaration, bits of enum cursor_attr. */
unsigned cursor_attrs(CXCursor c);
CXCursor cursor_child(CXCursor c, unsigned i);
/* The first child of that kind. */
CXCursor cursor_child_of(CXCursor c, enum CXCursorKind kind);
/* The first child of that kind with the name. */
CXCursor cursor_child_named(CXCursor c, enum CXCursorKind kind, struct str name);
bool cursor_is_named(CXCursor c, struct str name);
/* The text of its extent as libclang has it; empty if it has none, as inside macros. */
struct str cursor_source(CXCursor c);
