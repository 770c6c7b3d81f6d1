#pragma once
/* The cost of each block of a kernel's assembly by itself, which paths add up (path.h). */
#include "measure/isa/flow.h"
#include "measure/measure.h"

/*
 * By block: issue cycles (target/issue.h), those of scalar instructions and of the work, branches,
 * matrix operations, accesses to scratch, and the cycles in which it waits for loads (stall.h). The
 * work is matrix operations if there are any, else fused multiply-adds, else float arithmetic.
 */
struct path_cost *isa_block_costs_find(struct arena *a, const struct isa_function *f,
	const struct isa_blocks *b, const struct target *t, bool has_scratch);
