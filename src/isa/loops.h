#pragma once
/* The loops of a program, by its control flow (measure/isa/loops.h). A call in a loop is part of
 * it, the callee's code is not. */
#include "isa/isa.h"
#include "measure/isa/flow.h"

struct isa_code_loop {
	struct isa_block *block; /* ranges of instructions, inner loops included */
	size_t blocks;
	size_t *head; /* entry instructions (headers); several: it is irreducible */
	size_t heads;
	struct isa_place place; /* of the last back edge, or of the closest line before it */
	unsigned depth;		/* from 1 */
};
/* In program order, outer before inner loops; in a. */
size_t isa_code_loops(struct isa_code_loop **out, struct arena *a, const struct isa_program *p);
