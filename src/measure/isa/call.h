#pragma once
/*
 * Calls that are left in a kernel. Its metadata counts the registers of all that it calls, where
 * the compiler saw it; what else a callee does stands nowhere in the kernel's text. That matters
 * nothing where the kernel cannot come to its end from there: the callee traps, as an assert does,
 * or what follows does.
 */
#include "base/arena.h"
#include "measure/isa/text.h"

struct isa_callee;

/* The functions of one compiler output, read when a call first asks for them. */
struct isa_callees {
	struct str isa;
	struct arena *a;
	struct map index; /* name -> index */
	ARRAY(struct isa_callee) fn;
};

bool isa_is_call(struct str mnemonic);
/* NULL where no call in f lets the kernel go on to its end, and all that they reach is in the same
 * output; else why not, in c->a. Marks what control does not pass (isa_insn.ends). */
const char *isa_calls_settle(struct isa_callees *c, struct isa_function *f);
void isa_callees_release(struct isa_callees *c); /* not the arena */
