#pragma once
/* The loops of a program, by its control flow (measure/isa/loops.h). A call in a loop is part of
 * it, what the callee does is not. */
#include "isa/isa.h"
#include "measure/isa/flow.h"

struct isa_code_loop {
	struct isa_block *block; /* of the program's instructions; those of inner loops too */
	size_t blocks;
	size_t *head; /* instructions at which control enters; several: it is irreducible */
	size_t heads;
	struct isa_place place; /* of the last jump back, or of what has a line before it */
	unsigned depth;		/* from 1 */
};
/* In order of the program, outer ones before inner ones; in a. */
size_t isa_code_loops(struct isa_code_loop **out, struct arena *a, const struct isa_program *p);
