#pragma once
/* The parts of the assembly reader. Internal to src/isa. */
#include "base/map.h"
#include "isa/table.h"
#include "measure/isa/text.h"

/* Suffix of a name: its entry in the global offset table. */
#define ISA_GOT "@gotpcrel32"

/* A relocation: an address stored in a variable. */
struct isa_pointer {
	size_t data;
	size_t at;
	struct str name;
	int64_t more;
};

struct isa_reader {
	struct arena *a;
	struct isa_program *p;
	struct map rows;		   /* by mnemonic */
	struct map symbol;		   /* name of a function or variable -> its address */
	ARRAY(struct isa_memory) data;	   /* variables, with their initial values */
	ARRAY(struct isa_pointer) pointer; /* in the variables */
	uint64_t data_end;		   /* end of the last one; 0: none */
	struct str text;
	struct str counted; /* the text before it has line - 1 newlines */
	unsigned line;
	uint64_t address;	 /* of the current instruction, in a code object; or 0 */
	const struct map *label; /* of the current function */
	size_t first;		 /* its first instruction's number */
	const char *said;
};

/* Sets the message "line N: WHAT NAME", without the line if unknown; FAIL_INPUT. */
int isa_refuse(struct isa_reader *r, const char *what, struct str name);

int isa_read_target(struct isa_reader *r);
/* Reads target, descriptor and parameters. */
int isa_read_head(struct isa_reader *r);
/* Appends a line for each instruction of the text's functions: mnemonic, tab, why it is not
 * supported (or nothing). */
void isa_check(struct sbuf *out, struct arena *a, struct str text);

/* An operand as written. A constant is an integer or a real; isa_resolve computes the bits for its
 * instruction. */
struct isa_written {
	bool is_real;
	bool is_integer;
	int64_t integer;
	double real;
	struct str text;
};

/* Queues a function or variable to be read, if it is in the text. */
void isa_read_later(struct isa_reader *r, struct str name);
/* Makes a GOT entry for a name (without ISA_GOT). */
int isa_read_slot(struct isa_reader *r, struct str name, uint64_t *at);
/* Reads a variable, and sets its address. */
int isa_read_data(struct isa_reader *r, struct str name, uint64_t *at);
/* Applies relocations once all symbols have addresses, and adds the variables to the program. */
void isa_resolve_data(struct isa_reader *r);

int isa_read_operand(
	struct isa_reader *r, struct isa_operand *o, struct isa_written *out, struct str s);
/* Reads one modifier after the operands: "offset:16", "glc", "row_shr:1". */
int isa_read_modifier(struct isa_reader *r, struct isa_op *op, struct str word);
/* Checks the operands against the row and sets the bits of constants. Returns NULL, or the reason
 * for a refusal. */
const char *isa_resolve(
	struct isa_op *op, const struct isa_written *written, const struct isa_program *p);
bool isa_number(int64_t *out, struct str s);
