#pragma once
/*
 * Do two programs write the same results for all values of symbols? Both run, group after group,
 * with a term for each value that depends on a symbol (term.h, shadow.h), and the results are
 * compared term by term. doc/specs.md states the claim and its assumptions.
 */
#include "isa/isa.h"

/* From the strongest to the weakest. */
enum isa_verdict {
	ISA_EQUAL,	     /* bit by bit */
	ISA_EQUAL_BUT_NANS,  /* a NaN may have another sign or payload */
	ISA_EQUAL_BUT_FUSED, /* and contraction of multiply-adds may differ */
	ISA_EQUAL_AS_REALS,  /* without rounding, with the run's decisions (reals.h) */
	ISA_NOT_EQUAL,	     /* terms differ; values may or may not */
	ISA_UNDECIDED	     /* said has the reason */
};

struct isa_witness {
	enum isa_verdict verdict;
	const char *said;    /* from ISA_EQUAL_BUT_FUSED on: the first cause, or NULL */
	uint64_t symbols;    /* in memory and arguments */
	uint64_t words;	     /* memory words compared */
	uint64_t terms;	     /* terms made */
	uint64_t conditions; /* decisions, equal in both */
	uint64_t atomics;    /* on symbols, in the first run; their order is the run's */
	uint64_t choices;    /* ISA_EQUAL_AS_REALS: maximums, signs and selects */
	bool exponentials;   /* ISA_EQUAL_AS_REALS: are there any? */
	double odds;	     /* ISA_EQUAL_AS_REALS: upper bound of the odds of a false "equal" */
	bool decides;	     /* ISA_UNDECIDED: by a passive symbol, of this memory */
	bool at_memory;	     /* memory and byte are known */
	size_t memory;
	uint64_t byte;
};

/* The launches have the same memories, each with its own bytes, and are run to their end. */
void isa_witness(struct isa_witness *out, struct arena *a, const struct isa_program *const p[2],
	const struct isa_launch *const l[2]);
