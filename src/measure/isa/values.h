#pragma once
/*
 * Conditions by value numbering: two branches with one value go the same way, and one on the
 * opposite goes the other. Values are names, not numbers: of scalar registers, SCC and
 * of the VGPRs that LLVM puts a condition into for a while.
 */
#include "base/arena.h"
#include "base/array.h"
#include "base/map.h"
#include "measure/isa/text.h"

/* Of a condition; VALUE_OPPOSITE(v) is its negation. Of masks of lanes: not zero. */
typedef uint32_t isa_value;
#define VALUE_FALSE ((isa_value)0)
#define VALUE_TRUE ((isa_value)1)
#define VALUE_OPPOSITE(v) ((v) ^ 1)
#define VALUE_ATOM(v) ((v) >> 1) /* 0: known */

enum {
	VALUE_VCC = 106,
	VALUE_EXEC = 126,
	VALUE_SCC = 128,
	VALUE_VGPR = 129, /* and the 256 after it */
	VALUE_REGISTERS = VALUE_VGPR + 256
};

/* A condition that holds a value against a number, or is made of two. */
struct isa_fact {
	enum {
		FACT_EQUAL,
		FACT_LESS,
		FACT_MORE,
		FACT_AND,
		FACT_XOR
	} kind;
	isa_value of;
	isa_value other; /* of the last two */
	int64_t number;	 /* of the others */
};

struct isa_values {
	struct map name; /* how a value came about -> it */
	isa_value next;
	struct ids condition; /* atoms that are conditions -> 1 + index of their facts, or 1 */
	ARRAY(struct isa_fact) fact;
};

/* Of each register. */
struct isa_registers {
	isa_value v[VALUE_REGISTERS];
};

void isa_values_release(struct isa_values *vs);
/* What an atom is made of; NULL: that is not known. */
const struct isa_fact *isa_values_fact(const struct isa_values *vs, uint32_t atom);
/* As they are at a beginning: nothing is known but that a lane runs. */
void isa_registers_begin(struct isa_registers *r, struct isa_values *vs);
/* Where block number block is come to with two sets of them. */
void isa_registers_join(struct isa_registers *r, const struct isa_registers *other, uint32_t block);
/* What instruction number at does to them. */
void isa_registers_step(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t at);
/* What it may write is no longer known: of a loop that was passed, number loop. EXEC is the same
 * after a loop as before it: lanes that left come back. */
void isa_registers_forget(
	struct isa_registers *r, struct isa_values *vs, const struct isa_insn *in, uint32_t loop);
/* The register, or the first of several, that an operand names; false: none that is followed. */
bool isa_register_find(unsigned *at, struct str operand);
/* On which value an s_cbranch_* jumps. */
isa_value isa_registers_condition(const struct isa_registers *r, struct str mnemonic);
/* No register but SCC, of what is followed here. */
bool isa_writes_nothing(struct str mnemonic);
/* A carry, or what div_scale leaves, in the second operand. */
bool isa_writes_two(struct str mnemonic);
