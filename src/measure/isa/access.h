#pragma once
/*
 * Loads from and stores to global memory in a kernel's instruction text, with the place of the
 * source that the compiler's .loc directives give (-gline-tables-only). Scratch, LDS and scalar
 * loads are left out.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

struct isa_access {
	struct str file; /* as .file has it, directory and name in one; may be empty */
	unsigned line;	 /* 0: not known */
	unsigned column;
	unsigned bytes; /* per lane */
	bool store;
};

struct isa_access_list {
	struct isa_access *v;
	size_t n;
};

/* Of the kernels with these symbols, in order, one list each; empty as well when it is not there.
 * They live in a and may point into isa. */
void isa_accesses(struct isa_access_list *out, struct arena *a, struct str isa,
	const char *const *symbol, size_t symbols);
