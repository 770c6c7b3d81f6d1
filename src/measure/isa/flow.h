#pragma once
/* The basic blocks of a function's assembly, in text order; the first is the entry. */
#include <stdbool.h>
#include "base/arena.h"
#include "measure/isa/text.h"

#define ISA_NONE UINT32_MAX

struct isa_block {
	uint32_t from, to; /* instructions */
	uint32_t next;	   /* fall-through block, or ISA_NONE */
	uint32_t taken;	   /* target of the branch that ends it, or ISA_NONE */
};

struct isa_blocks {
	struct isa_block *v;
	size_t n;
};

/* False if there is no instruction, or a jump to an unknown label. They live in a. */
bool isa_blocks_find(struct isa_blocks *out, struct arena *a, const struct isa_function *f);
