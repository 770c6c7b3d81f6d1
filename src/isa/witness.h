#pragma once
/*
 * Do two programs leave the same for all values of symbols? Both run side by side, group after
 * group, with a term beside each value that depends on a symbol (term.h, shade.h); what they leave
 * is compared term by term. doc/specs.md says what is proved, and under which assumptions.
 */
#include "isa/isa.h"

/* From the strongest on. */
enum isa_verdict {
	ISA_EQUAL,	     /* bit by bit */
	ISA_EQUAL_BUT_NANS,  /* a NaN may have another sign or payload */
	ISA_EQUAL_BUT_FUSED, /* and a product that is added may be rounded, or not */
	ISA_EQUAL_AS_REALS,  /* roundings apart, and by what the run's values choose (reals.h) */
	ISA_NOT_EQUAL,	     /* terms differ; whether values do is not known */
	ISA_UNDECIDED	     /* said */
};

struct isa_witness {
	enum isa_verdict verdict;
	const char *said;    /* of those from ISA_EQUAL_BUT_FUSED on: the first cause, or NULL */
	uint64_t symbols;    /* that stand in memory and arguments */
	uint64_t words;	     /* of memory whose terms were compared */
	uint64_t terms;	     /* that were made */
	uint64_t conditions; /* that both decided alike */
	uint64_t atomics;    /* on symbols, by the first run: in the order of the run */
	uint64_t choices;    /* of ISA_EQUAL_AS_REALS: maximums, signs and selects */
	bool exponentials;   /* of the same: are there any? */
	double odds;	     /* of the same: at most, that sums and products only seem the same */
	bool at_memory;	     /* it is known where */
	size_t memory;
	uint64_t byte;
};

/* The launches have the same memories, each its own bytes, and leave what their programs leave. */
void isa_witness(struct isa_witness *out, struct arena *a, const struct isa_program *const p[2],
	const struct isa_launch *const l[2]);
