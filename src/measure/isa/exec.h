#pragma once
/*
 * Where the lane mask EXEC stands narrowed, and where it may be all zero: what a matrix operation
 * or barrier under a per-lane branch runs under.
 */
#include <stdbool.h>
#include <stdint.h>
#include "measure/isa/text.h"

struct isa_exec {
	int64_t narrowed;  /* matrix operations and barriers under a narrowed EXEC */
	int64_t unskipped; /* of these, those reached without a test that EXEC is not zero */
};

/* wave_size is 64 or 32. False (out untouched) when the text cannot be followed: a jump to nowhere,
 * or more blocks or nesting than any compiler writes. */
bool isa_exec_count(struct isa_exec *out, const struct isa_function *f, unsigned wave_size);

bool isa_is_matrix(struct str mnemonic);  /* mfma, smfmac, wmma, swmmac */
bool isa_is_barrier(struct str mnemonic); /* of the work-group; of a split one its first half */
