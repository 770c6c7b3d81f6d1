#pragma once
/*
 * Inline asm and its effects. Its operands are in the tree (KT_OPERAND). Its template is looked up
 * in rules/intrinsics.yaml, where names of instructions and of their modifiers begin with "asm:".
 * The listed instructions take registers from operands and touch nothing else. A register by name,
 * a label, a directive, or an instruction that is not listed may have any effect.
 */
#include "kernel/kernel.h"
#include "target/intrinsic.h"

enum asm_effect {
	ASM_ANYTHING,  /* effects besides its operands' */
	ASM_REGISTERS, /* only its operands; each lane by itself */
	ASM_LANES,     /* only its operands; values or activity of other lanes count */
	ASM_MATRIX     /* only its operands; all lanes, whatever the lane mask */
};

/* ASM_ANYTHING for one without instructions, with memory among its clobbers, or with operands that
 * are unknown or may hold a pointer. */
enum asm_effect asm_effect(
	const struct kt_unit *u, const struct intrinsic_db *db, const struct kt_node *n);
/* Do the same lanes surely run the next statement after it? True if all its instructions are
 * listed, whatever they do. */
bool asm_goes_on(const struct intrinsic_db *db, const struct kt_node *n);
/* Do the lanes that run it surely wait for the others of the work-group in it? */
bool asm_is_barrier(const struct intrinsic_db *db, const struct kt_node *n);
/* Must it run as often as the source says, in order with others of its kind? Also true for one
 * without outputs. */
bool asm_is_volatile(const struct kt_node *n);
/* Is this part of an asm an operand that it reads, that it writes? */
bool asm_reads(const struct kt_node *part);
bool asm_writes(const struct kt_node *part);
/* May another expression with the same value replace the operand? In a vector register, any; in a
 * scalar one, none that may differ between lanes; for a constant, no variable. */
bool asm_takes_value(const struct kt_node *operand);
