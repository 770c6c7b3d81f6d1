#pragma once
/* Textual LLVM IR of a kernel, the back end's input. */
#include <stdint.h>
#include "base/map.h"
#include "base/str.h"

/* Counts the phis of vectors of at least 16 bytes in each function defined in ir: symbol -> count.
 * Inlined code counts for the kernel. */
void ir_wide_phis(struct map *out, struct str ir);
/* The width of a phi in bits, scalars included; 0 for any other line. The line must be trimmed. */
int64_t ir_phi_bits(struct str line);
