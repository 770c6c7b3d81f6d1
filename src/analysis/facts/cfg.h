#pragma once
/*
 * The control-flow graph of a function body: blocks of nodes that are evaluated one after the
 * other, and the blocks that may follow each. Conditions may go either way. A short circuit inside
 * an expression is part of the expression. Block 0 is the entry, block 1 the exit; unreachable
 * blocks are kept.
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
	size_t *to; /* the blocks that may follow */
	size_t tos;
	size_t *from;
	size_t froms;
};

struct cfg {
	struct cfg_block *block;
	size_t blocks;
};

/* False if the body has a goto: there is no graph then. Everything lives in a. */
bool cfg_build(struct cfg *out, struct arena *a, const struct kt_node *body);
