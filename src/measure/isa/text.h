#pragma once
/*
 * The assembly of one function as a list of instructions. Everything points into the text;
 * isa_function_release frees the lists.
 */
#include <stdbool.h>
#include "base/array.h"
#include "base/map.h"
#include "base/str.h"

struct isa_insn {
	struct str mnemonic;
	struct str operands; /* without comment, trimmed */
	struct str comment;  /* "4-byte Folded Spill", or empty */
	unsigned depth;	     /* loop depth, by LLVM's comments (measure/isa/loops.h) */
	bool ends;	     /* control does not continue after it (measure/isa/call.h) */
	struct str callee;   /* of a call, if known (measure/isa/call.h) */
};

struct isa_function {
	ARRAY(struct isa_insn) insn;
	struct map label; /* label -> index of the instruction after it, at most insn.n */
};

/* Parses the text between a kernel's label and its .Lfunc_end. A zeroed function is empty. */
void isa_function_read(struct isa_function *f, struct str text);
void isa_function_release(struct isa_function *f);

/* "name:" with or without a comment after it; false for any other line. */
bool isa_line_label(struct str line, struct str *name);
/* Operand i (from 0) of a comma-separated list, trimmed; empty if missing. Commas in brackets do
 * not separate. */
struct str isa_operand(struct str operands, unsigned i);
/* A range of registers; n 0: none. VCC is s106 and s107, EXEC s126 and s127. */
struct isa_reg {
	char file; /* 's', 'v' or 'a' */
	unsigned at;
	unsigned n;
};
/* Takes "s4", "v[4:5]" or "vcc" off the front of *s. */
struct isa_reg isa_reg_cut(struct str *s);
/* The same for a whole operand. */
struct isa_reg isa_reg_read(struct str operand);
/* Does it load from or store to scratch, in a kernel that has a private segment? */
bool isa_is_scratch(const struct isa_insn *in);
