#pragma once
/*
 * The instruction text of one function as a list of instructions. Everything points into the text
 * that was read; isa_function_release frees the lists.
 */
#include <stdbool.h>
#include "base/array.h"
#include "base/map.h"
#include "base/str.h"

struct isa_insn {
	struct str mnemonic;
	struct str operands; /* without comment, trimmed */
	struct str comment;  /* "4-byte Folded Spill", or empty */
	unsigned depth;	     /* loops around it, by the compiler's comments (measure/isa/loops.h) */
	bool ends;	     /* control does not go on after it (measure/isa/call.h) */
	struct str callee;   /* of a call, where it can be told (measure/isa/call.h) */
};

struct isa_function {
	ARRAY(struct isa_insn) insn;
	struct map label; /* label -> index of the instruction after it, at most insn.n */
};

/* Takes the text between a kernel's label and its .Lfunc_end apart. A zeroed function is empty. */
void isa_function_read(struct isa_function *f, struct str text);
void isa_function_release(struct isa_function *f);

/* "name:" with or without a comment after it; false for any other line. */
bool isa_line_label(struct str line, struct str *name);
/* Operand i (from 0) of a comma-separated list, trimmed; empty when there is none. Commas in
 * brackets do not separate. */
struct str isa_operand(struct str operands, unsigned i);
/* Registers next to each other; n 0: none. VCC is s106 and s107, EXEC s126 and s127. */
struct isa_reg {
	char file; /* 's', 'v' or 'a' */
	unsigned at;
	unsigned n;
};
/* "s4", "v[4:5]" or "vcc" at the front of *s, which is cut off. */
struct isa_reg isa_reg_cut(struct str *s);
/* The same of all of an operand. */
struct isa_reg isa_reg_read(struct str operand);
/* Does it load from or store to scratch, in a kernel that has a private segment? */
bool isa_is_scratch(const struct isa_insn *in);
