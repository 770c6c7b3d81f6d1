#pragma once
/* Inline asm as C++ that the wave runner executes. */
#include "base/arena.h"
#include "base/str.h"

/* Appends a statement, without its semicolon, with the effect of the asm at `at`: one dense matrix
 * operation (v_mfma_*) on its operands, with s_nop around it, becomes the builtin of that name.
 * Operands are evaluated once. False: any other asm. */
bool asm_model(struct sbuf *out, struct arena *a, struct str source, size_t at);
