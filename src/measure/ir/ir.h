#pragma once
/* Textual LLVM IR of a kernel, before the back end has it. */
#include <stdint.h>
#include "base/map.h"
#include "base/str.h"

/* Number of phis of a vector of at least 16 bytes, for each function that is defined in ir: its
 * name as in the assembly -> count. What was inlined stands in the kernel's own body. */
void ir_wide_phis(struct map *out, struct str ir);
/* Bits of what a phi makes, a scalar too; 0 for any other line. Without blanks around the line. */
int64_t ir_phi_bits(struct str line);
