#pragma once
/*
 * Calls that were not inlined into a kernel. The kernel's metadata includes the registers of known
 * callees, but not their other costs. That does not matter if the kernel cannot reach its end after
 * the call, because the callee (an assert) or the code after it traps.
 */
#include "base/arena.h"
#include "measure/isa/text.h"

struct isa_callee;

/* The functions in one compiler output, each read at its first call. */
struct isa_callees {
	struct str isa;
	struct arena *a;
	struct map index; /* name -> index */
	ARRAY(struct isa_callee) fn;
};

bool isa_is_call(struct str mnemonic);
/* NULL if no call in f returns to a path that reaches the kernel's end, and all functions reached
 * are in the same output; else the reason, in c->a. Marks instructions after which control does not
 * continue (isa_insn.ends). */
const char *isa_calls_resolve(struct isa_callees *c, struct isa_function *f);
void isa_callees_release(struct isa_callees *c); /* not the arena */
