#pragma once
/*
 * The control-flow graph of a function body: blocks of what is evaluated one after the other, and
 * where control may go from each. Conditions are taken to go either way. What short-circuits inside
 * an expression stays part of it. Block 0 is the entry, block 1 the exit; a block that nothing
 * leads to is kept.
 */
#include "kernel/kernel.h"

enum {
	CFG_ENTRY = 0,
	CFG_EXIT = 1
};

struct cfg_block {
	/* expressions, KT_VAR, KT_RETURN, KT_ASM, KT_STMT_UNKNOWN; KT_RANGE_FOR for the step that
	 * sets its variable */
	const struct kt_node **node;
	size_t nodes;
	size_t *to; /* blocks that may be next */
	size_t tos;
	size_t *from;
	size_t froms;
};

struct cfg {
	struct cfg_block *block;
	size_t blocks;
};

/* False when the body jumps by goto: no graph then. Everything lives in a. */
bool cfg_build(struct cfg *out, struct arena *a, const struct kt_node *body);
