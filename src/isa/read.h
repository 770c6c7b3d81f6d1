#pragma once
/* The reader's parts, and what they share. Internal to the room. */
#include "base/map.h"
#include "isa/table.h"
#include "measure/isa/text.h"

/* After a name: the place in the global offset table that holds its address. */
#define ISA_GOT "@gotpcrel32"

/* What stands at a place of a variable: an address. */
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
	ARRAY(struct isa_memory) data;	   /* variables, as they are at first */
	ARRAY(struct isa_pointer) pointer; /* in these */
	uint64_t data_end;		   /* of the last one; 0: there is none */
	struct str text;
	struct str counted; /* the text before it holds lines - 1 newlines */
	unsigned line;
	uint64_t address;	 /* of the instruction that is read, in a code object; or 0 */
	const struct map *label; /* of the function that is read */
	size_t first;		 /* its first instruction's number */
	const char *said;
};

/* Says "line N: WHAT NAME", or without the line where none is known; FAIL_INPUT. */
int isa_refuse(struct isa_reader *r, const char *what, struct str name);

int isa_read_target(struct isa_reader *r);
/* Target, descriptor, parameters. */
int isa_read_head(struct isa_reader *r);
/* A line for each instruction of the text's functions: mnemonic, tab, why it is not covered. */
void isa_check(struct sbuf *out, struct arena *a, struct str text);

/* An operand as it is written. A constant is a number (value) or real: what its instruction sees is
 * told by isa_resolve. */
struct isa_written {
	bool is_real;
	bool is_integer;
	int64_t integer;
	double real;
	struct str text;
};

/* The name of a function or variable is to be read, too, if it is in the text. */
void isa_read_later(struct isa_reader *r, struct str name);
/* A place that holds the address of a name, without ISA_GOT. */
int isa_read_slot(struct isa_reader *r, struct str name, uint64_t *at);
/* A variable, and where it is. */
int isa_read_data(struct isa_reader *r, struct str name, uint64_t *at);
/* Addresses in variables, once all symbols have theirs; variables go to the program. */
void isa_resolve_data(struct isa_reader *r);

int isa_read_operand(
	struct isa_reader *r, struct isa_operand *o, struct isa_written *out, struct str s);
/* One word after an operand: "offset:16", "glc", "row_shr:1". */
int isa_read_modifier(struct isa_reader *r, struct isa_op *op, struct str word);
/* Checks the operands against the row and gives constants their bits. NULL, or why not. */
const char *isa_resolve(
	struct isa_op *op, const struct isa_written *written, const struct isa_program *p);
bool isa_number(int64_t *out, struct str s);
