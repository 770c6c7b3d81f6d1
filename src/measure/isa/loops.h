#pragma once
/*
 * The loops of a control flow graph. A backward branch alone does not make a loop: the compiler
 * also moves blocks out of line. LLVM's loop comments do not help either: they leave out loops with
 * a second entry, and disassembly has no comments.
 *
 * A loop with one header is natural: the header dominates all its blocks. A loop with several
 * headers is irreducible. Loops that share a header are one loop. Everything lives in the caller's
 * arena.
 */
#include "measure/isa/flow.h"

struct isa_loop {
	uint32_t *block; /* ascending, inner loops included */
	size_t blocks;
	uint32_t *head; /* the entry blocks (headers), ascending; at least one */
	size_t heads;
	uint32_t around; /* index of the enclosing loop, or ISA_NONE */
	unsigned depth;	 /* from 1 */
};

struct isa_loops {
	struct isa_loop *v; /* outer before inner; by first block */
	size_t n;
	uint32_t *of; /* the innermost loop of each block, or ISA_NONE */
};

/* Loops nested deeper than 64 are left out. */
void isa_loops_find(struct isa_loops *out, struct arena *a, const struct isa_blocks *b);
/* Sets the loop depth of each instruction, at most 9. If a jump's target is unknown, the depths
 * from LLVM's comments are kept. */
void isa_depths_find(struct isa_function *f);
