#pragma once
/*
 * The merges after branches in a function of textual LLVM IR, without loop headers, with source
 * lines (-gline-tables-only). It finds merges independently of the source analysis: it sees through
 * templates, macros and inlining.
 */
#include "base/arena.h"
#include "base/str.h"

struct ir_merge {
	unsigned vgprs; /* per lane, of all phis in it */
	unsigned phis;
	struct str phi; /* the widest one, as a line of the IR */
	/* place of its branch in the source; file NULL: unknown. inlined: the calls through which
	 * it was inlined, "b.h:3, k.hip:20", or "" */
	const char *file;
	unsigned line;
	unsigned column;
	const char *inlined;
};

/* The merges of the function of this symbol, widest first. Everything lives in a. */
void ir_merges(
	struct ir_merge **out, size_t *n, struct arena *a, struct str ir, const char *symbol);
