#pragma once
/*
 * Where values meet in textual LLVM IR that has lines (-gline-tables-only): the merges of a
 * function after branches, without the heads of loops. An account of merges that does not look at
 * the source: it sees through templates, macros and inlining.
 */
#include "base/arena.h"
#include "base/str.h"

struct ir_merge {
	unsigned vgprs; /* per lane, of all phis in it */
	unsigned phis;
	struct str phi; /* the widest as it stands, a line of the IR */
	/* where the branch stands that it ends; file NULL: nowhere. inlined: the calls that brought
	 * it into the kernel, "b.h:3, k.hip:20", or "" */
	const char *file;
	unsigned line;
	unsigned column;
	const char *inlined;
};

/* The merges of the function of this symbol, widest first. Everything lives in a. */
void ir_merges(
	struct ir_merge **out, size_t *n, struct arena *a, struct str ir, const char *symbol);
