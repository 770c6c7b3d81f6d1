#pragma once
/*
 * The loops of a graph of blocks, by its edges: a branch backward is not a loop when control cannot
 * come round again, as from a block that the compiler moved out of line. The comments that LLVM
 * writes leave out loops with a second entry, and disassembly has no comments.
 *
 * A loop with one head is natural: its head dominates all of its blocks. A loop with several heads
 * is irreducible. Loops that share a head are one loop. Everything lives in the caller's arena.
 */
#include "measure/isa/flow.h"

struct isa_loop {
	uint32_t *block; /* ascending; those of inner loops too */
	size_t blocks;
	uint32_t *head; /* the blocks at which control enters, ascending; at least one */
	size_t heads;
	uint32_t around; /* index of the loop around it, or ISA_NONE */
	unsigned depth;	 /* from 1 */
};

struct isa_loops {
	struct isa_loop *v; /* a loop, then those inside it; in order of their first blocks */
	size_t n;
	uint32_t *of; /* of each block the innermost loop, or ISA_NONE */
};

/* Of loops nested deeper than 64 the inner ones are left out. */
void isa_loops_find(struct isa_loops *out, struct arena *a, const struct isa_blocks *b);
/* Sets depth of each instruction, at most 9. Where a jump leads nowhere that is known, what the
 * comments said stays. */
void isa_depths_find(struct isa_function *f);
