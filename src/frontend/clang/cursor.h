#pragma once
/* Questions about a cursor's children, below it and not deeper. A null cursor stands for none. */
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
/* The first one of it that has the name. */
CXCursor cursor_child_named(CXCursor c, enum CXCursorKind kind, struct str name);
bool cursor_is_named(CXCursor c, struct str name);
/* The text of its extent, as libclang has it; empty: it has none, as inside of macros. */
struct str cursor_source(CXCursor c);
