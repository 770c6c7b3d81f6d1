#pragma once
/* Inline asm as C++ that the wave runner executes. */
#include "base/arena.h"
#include "base/str.h"

/* Appends a statement without its semicolon that does what the asm at `at` of the text does: one
 * dense matrix operation of AMD's (v_mfma_*) on its operands, with s_nop around it. False: it is
 * another asm. Operands are evaluated once, and the operation is the builtin of its name. */
bool asm_model(struct sbuf *out, struct arena *a, struct str source, size_t at);
