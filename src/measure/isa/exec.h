#pragma once
/*
 * Where the lane mask EXEC is narrowed, and where it may be zero: the mask under which a matrix
 * operation or barrier in a divergent branch runs.
 */
#include <stdbool.h>
#include <stdint.h>
#include "measure/isa/text.h"

struct isa_exec {
	int64_t narrowed;  /* matrix operations and barriers under a narrowed EXEC */
	int64_t unskipped; /* of these: reached without a branch around them for EXEC = 0 */
};

/* wave_size is 64 or 32. False (out untouched) if the control flow is unknown: a jump to an unknown
 * label, or more blocks or nesting than any compiler writes. */
bool isa_exec_count(struct isa_exec *out, const struct isa_function *f, unsigned wave_size);

bool isa_is_matrix(struct str mnemonic);  /* mfma, smfmac, wmma, swmmac */
bool isa_is_barrier(struct str mnemonic); /* of the workgroup; for a split barrier the signal */
