#pragma once
/*
 * Inline asm, and its effects. Its operands are the tree's (KT_OPERAND). Its template is looked up
 * in rules/intrinsics.yaml, where names of instructions and of what may follow them begin with
 * "asm:": instructions that take registers from operands, and touch nothing else, are known. A
 * register by its name, a label, a directive, an instruction that is not listed: anything.
 */
#include "kernel/kernel.h"
#include "target/intrinsic.h"

enum asm_effect {
	ASM_ANYTHING,  /* besides its operands */
	ASM_REGISTERS, /* nothing but its operands; lane by lane */
	ASM_LANES,     /* the same; what other lanes hold, or which of them run, counts */
	ASM_MATRIX     /* the same; all lanes, whatever the lane mask */
};

/* Of one without instructions, memory among its clobbers, operands that are not understood or may
 * hold a pointer: ASM_ANYTHING. */
enum asm_effect asm_effect(
	const struct kt_unit *u, const struct intrinsic_db *db, const struct kt_node *n);
/* Runs the next statement after it, by the same lanes: nothing but instructions that are listed,
 * whatever they do? */
bool asm_goes_on(const struct intrinsic_db *db, const struct kt_node *n);
/* Must it run as often as is written, in order with its like? So one without outputs, too. */
bool asm_is_volatile(const struct kt_node *n);
/* Is this part of an asm an operand that it reads, that it writes? */
bool asm_reads(const struct kt_node *part);
bool asm_writes(const struct kt_node *part);
/* May the operand be another expression with the same value? Vector registers take any; a scalar
 * one does not take what differs per lane, and a constant no variable. */
bool asm_takes_value(const struct kt_node *operand);
