#pragma once
/*
 * Terms as real numbers: roundings are left out. A term is a number in a prime field, where each
 * symbol is a random one; sums, products and quotients are the field's. 2^x is 2 to the x of a
 * second field whose size is the order of 2 in the first one, so that 2^(x + y) is 2^x * 2^y (as in
 * M. Wu et al., "Mirage: A Multi-Level Superoptimizer for Tensor Programs", OSDI 2025). Anything
 * else is a random number that depends on the operation and its sources. Minimums, maximums, signs
 * and selects choose as the values of the run do. Symbols are finite numbers, whatever they are in
 * the run. Internal to the room.
 */
#include "isa/term.h"

struct reals;

struct reals_count {
	uint64_t choices; /* that the run's values made */
	bool powers;	  /* a power of 2 with a term as exponent is in them */
	double odds; /* that sums and products which differ seem the same (Schwartz and Zippel) */
};

struct reals *reals_open(struct terms *t); /* reals_close frees it */
void reals_close(struct reals *r);
void reals_clear(struct reals *r); /* the terms are forgotten */
/* Two words: are they the same numbers? */
bool reals_same(struct reals *r, term x, term y);
/* Of a bit: the same for the same operation on the same numbers. */
uint64_t reals_key(struct reals *r, term x);
/* Of all that were compared since reals_open. */
const struct reals_count *reals_count(const struct reals *r);
