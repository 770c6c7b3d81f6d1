#pragma once
/*
 * Contraction: HIP compilers join a float multiply with the add or sub that takes its result
 * (-ffp-contract=fast), across statements, but only inside one basic block. A rewrite that puts a
 * block boundary between the two, or removes one, changes the rounding. So does one that makes
 * every iteration of a loop run a multiply of an arm, if its result is the same in all iterations:
 * compilers hoist it, and do not contract its add.
 *
 * A product is a value that may be the result of a float multiply: through casts, negation, ?:,
 * elements, and the variables, parameters and function results that it is assigned to. A value is
 * added when it may in the same way become the operand of a float add or sub. A value that goes
 * through global or shared memory, or into a comparison, an index, a division, another multiply, a
 * matrix operation or another builtin, is not added. The analysis treats variables as a whole, over
 * the unit, and ignores the order of statements.
 */
#include "analysis/arms/match.h"
#include "analysis/facts/liveness.h"

struct contract;

/* May a value of this type be a float, or hold one? */
bool contract_holds_float(const struct kt_unit *u, kt_id type);
/* Computed once for the unit, and kept with the facts. */
struct contract *contract_of(struct facts *f);

/* May the value of expression n be a product? */
bool contract_is_product(struct contract *c, const struct kt_node *n);
/* May the value of expression n be added at its place? */
bool contract_is_added(struct contract *c, const struct kt_node *n);

/* Is the number of iterations unknown to every compiler? Then the loop is not unrolled completely,
 * and its last iteration is not joined with the code after it. */
bool contract_is_open_loop(struct contract *c, const struct kt_node *loop);

/* The place at which the code of an arm is split into blocks: a branch around these bytes. */
struct contract_branches {
	struct span *at;
	size_t n;
};

/* The statements of a called function's body that move with its calls. */
struct contract_moved {
	const struct kt_node *const *stmt;
	size_t n;
	const struct kt_node *call; /* the call in one arm */
};

/* Code that a rewrite moves after a merge: the suffixes of its arms. */
struct contract_cut {
	const struct kt_node *merge; /* the if or switch */
	kt_id fn;
	const struct match_arm *arm;
	size_t arms;
	const struct match *match;		  /* tail: SIZE_MAX for all of each arm */
	const struct contract_branches *branches; /* per arm, or NULL */
	const bool *in_place; /* per hole, or NULL: it is evaluated at its place in the suffix */
	const struct contract_moved *moved; /* or NULL */
	const struct liveness *live;
	/* Code is left in an arm that no compiler runs on both paths, so the branch and its block
	 * boundaries stay. */
	bool arms_stay;
};

/* Would a product be separated from its add, or get into one block with one? *why names it. */
bool contract_cuts(struct contract *c, const struct contract_cut *cut, const char **why);

/* Part of this: could a product of the moved code then come from another iteration of a loop, and
 * so from another block than its add (contract_repeat.c)? */
bool contract_repeats(struct facts *f, const struct contract_cut *cut, const char **why);

/* A loop that loses its if: the code before the if, one arm and the code after it become one block,
 * joined with those of the next iteration if the compiler unrolls. */
struct contract_join {
	const struct kt_node *loop;
	const struct kt_node *merge; /* an if below it */
	kt_id fn;
	struct liveness *live;
};

/* Would a product get into one block with an add that uses it? *why names it. */
bool contract_joins(struct contract *c, const struct contract_join *join, const char **why);
