#pragma once
/*
 * Terms as real numbers, without rounding. A term is evaluated in a prime field, with a random
 * number for each symbol; sums, products and quotients are the field's. 2^x is 2 to the x of a
 * second field whose size is the order of 2 in the first one, so that 2^(x + y) is 2^x * 2^y (as in
 * M. Wu et al., "Mirage: A Multi-Level Superoptimizer for Tensor Programs", OSDI 2025). Anything
 * else is a random number that depends on the operation and its sources. Minimums, maximums, signs
 * and selects are decided by the values of the run. Symbols count as finite numbers. Internal to
 * src/isa.
 */
#include "isa/term.h"

struct reals;

struct reals_count {
	uint64_t choices; /* decisions by the run's values */
	bool powers;	  /* 2 to the power of a term occurs */
	double odds;	  /* that different sums and products compare equal (Schwartz-Zippel) */
};

struct reals *reals_open(struct terms *t); /* reals_close frees it */
void reals_close(struct reals *r);
void reals_clear(struct reals *r); /* after terms_clear */
/* Are two words equal as real numbers? */
bool reals_same(struct reals *r, term x, term y);
/* A key of a bit: equal for equal operations on equal numbers. */
uint64_t reals_key(struct reals *r, term x);
/* Counts of all comparisons since reals_open. */
const struct reals_count *reals_count(const struct reals *r);
