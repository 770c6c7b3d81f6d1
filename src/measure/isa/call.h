#pragma once
/*
 * Calls that are left in a kernel. The kernel's metadata includes the registers of callees that
 * the compiler saw, but no other costs of theirs. That does not matter if the kernel cannot reach
 * its end after the call: because the callee traps, as an assert does, or the code after it does.
 */
#include "base/arena.h"
#include "measure/isa/text.h"

struct isa_callee;

/* The functions of one compiler output, each read at the first call of it. */
struct isa_callees {
	struct str isa;
	struct arena *a;
	struct map index; /* name -> index */
	ARRAY(struct isa_callee) fn;
};

bool isa_is_call(struct str mnemonic);
/* NULL if the kernel reaches its end after no call in f, and all functions that the calls reach are
 * in the same output; else the reason, in c->a. Marks the instructions that control does not pass
 * (isa_insn.ends). */
const char *isa_calls_resolve(struct isa_callees *c, struct isa_function *f);
void isa_callees_release(struct isa_callees *c); /* not the arena */
