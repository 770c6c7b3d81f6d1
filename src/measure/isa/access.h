#pragma once
/*
 * Global loads and stores in a kernel's assembly, with source places from .loc directives
 * (-gline-tables-only). Scratch, LDS and scalar loads are left out.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

struct isa_access {
	struct str file; /* from .file, directory and name joined; may be empty */
	unsigned line;	 /* 0: not known */
	unsigned column;
	unsigned bytes; /* per lane */
	bool store;
};

struct isa_access_list {
	struct isa_access *v;
	size_t n;
};

/* One list for each kernel in symbol, in that order; empty if the kernel is not found. They live in
 * a and may point into isa. */
void isa_accesses(struct isa_access_list *out, struct arena *a, struct str isa,
	const char *const *symbol, size_t symbols);
