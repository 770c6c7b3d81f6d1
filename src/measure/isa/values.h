#pragma once
/*
 * Value numbering of branch conditions: branches with the same value go the same way, branches with
 * opposite values go opposite ways. It covers scalar registers, SCC, and VGPRs in which LLVM keeps
 * a condition for a while.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "measure/isa/text.h"

/* The value number of a condition; VALUE_OPPOSITE(v) is its negation. For a lane mask: "not
 * zero". */
typedef uint32_t isa_value;
#define VALUE_FALSE ((isa_value)0)
#define VALUE_TRUE ((isa_value)1)
#define VALUE_OPPOSITE(v) ((v) ^ 1)
#define VALUE_ATOM(v) ((v) >> 1) /* 0: a constant */

enum {
	VALUE_VCC = 106,
	VALUE_EXEC = 126,
	VALUE_SCC = 128,
	VALUE_VGPR = 129, /* and the 256 after it */
	VALUE_REGISTERS = VALUE_VGPR + 256
};

/* A condition that compares a value with a number, or combines two conditions. */
struct isa_fact {
	enum {
		FACT_EQUAL,
		FACT_LESS,
		FACT_MORE,
		FACT_AND,
		FACT_XOR
	} kind;
	isa_value of;
	isa_value other; /* for AND and XOR */
	int64_t number;	 /* for comparisons */
};

struct isa_values {
	struct map name; /* expression -> its value number */
	isa_value next;
	struct ids condition; /* atom of a condition -> 1 + index of its fact */
	ARRAY(struct isa_fact) fact;
};

/* The value number of each register. */
struct isa_registers {
	isa_value v[VALUE_REGISTERS];
};

void isa_values_release(struct isa_values *vs);
/* The fact of an atom; NULL: unknown. */
const struct isa_fact *isa_values_fact(const struct isa_values *vs, uint32_t atom);
/* The state at a function's entry: all unknown, except that EXEC is not zero. */
void isa_registers_begin(struct isa_registers *r, struct isa_values *vs);
/* Joins the register states of two predecessors of block number block. */
void isa_registers_join(struct isa_registers *r, const struct isa_registers *other, uint32_t block);
/* Applies instruction number at. */
void isa_registers_step(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t at);
/* Makes the registers that an instruction of loop number loop may write unknown. EXEC is the same
 * after a loop as before it, since the lanes that left rejoin. */
void isa_registers_forget(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t loop);
/* The (first) register of an operand; false: not a tracked register. */
bool isa_register_find(unsigned *at, struct str operand);
/* The condition on which an s_cbranch_* jumps. */
isa_value isa_registers_condition(const struct isa_registers *r, struct str mnemonic);
/* Does it write no tracked register except SCC? */
bool isa_writes_nothing(struct str mnemonic);
/* Does it also write its second operand (a carry, div_scale's flag)? */
bool isa_writes_two(struct str mnemonic);
