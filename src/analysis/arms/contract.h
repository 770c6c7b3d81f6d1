#pragma once
/*
 * Contraction: HIP compilers join a float multiply with the add or sub that takes its result
 * (-ffp-contract=fast), across statements, but only inside one basic block. A rewrite that moves
 * the border of a block between the two, or takes one away, changes the rounding. So does one by
 * which every iteration of a loop runs a multiply that an arm ran, where it gives the same in all
 * of them: compilers calculate it once, and leave its add alone.
 *
 * A product is a value that may be the result of a float multiply: through casts, negation, ?:,
 * elements, and the variables, parameters and function results that it is assigned to. A value is
 * added when it may in the same way become the operand of a float add or sub. What goes through
 * global or shared memory, or into a comparison, an index, a division, another multiply, a matrix
 * operation or another builtin, is not. Variables are seen whole, over the whole unit and without
 * order.
 */
#include "analysis/arms/match.h"
#include "analysis/facts/liveness.h"

struct contract;

/* May a value of this type be a float, or hold one? */
bool contract_holds_float(const struct kt_unit *u, kt_id type);
/* Found once for the unit, and kept with the facts. */
struct contract *contract_of(struct facts *f);

/* May the value of expression n be a product? */
bool contract_is_product(struct contract *c, const struct kt_node *n);
/* May the value of expression n, where it stands, be added? */
bool contract_is_added(struct contract *c, const struct kt_node *n);

/* Does no compiler know how often the loop runs? Then it is not unrolled whole, and its last turn
 * is not joined with what follows. */
bool contract_is_open_loop(struct contract *c, const struct kt_node *loop);

/* Where the code of an arm is to be split into blocks: by a branch around these bytes. */
struct contract_branches {
	struct span *at;
	size_t n;
};

/* Where a function's body moves with its calls: these statements of it. */
struct contract_moved {
	const struct kt_node *const *stmt;
	size_t n;
	const struct kt_node *call; /* one arm's */
};

/* Code that is to move after a merge: the suffixes of its arms. */
struct contract_cut {
	const struct kt_node *merge; /* the if or switch */
	kt_id fn;
	const struct match_arm *arm;
	size_t arms;
	const struct match *match;		  /* tail: SIZE_MAX for all of each arm */
	const struct contract_branches *branches; /* per arm, or NULL */
	const bool *in_place; /* per hole, or NULL: it is evaluated where it stands in the suffix */
	const struct contract_moved *moved; /* or NULL */
	const struct liveness *live;
	/* Something is left in an arm that no compiler runs on both paths: the branch stays, and
	 * with it the borders of its blocks. */
	bool arms_stay;
};

/* Would a product be cut from an add, or be brought into one block with one? *why says which. */
bool contract_cuts(struct contract *c, const struct contract_cut *cut, const char **why);

/* Part of it: could a product of the code that moves come from another iteration of a loop then,
 * and so from another block than its add (contract_repeat.c)? */
bool contract_repeats(struct facts *f, const struct contract_cut *cut, const char **why);

/* A loop whose if goes: what stands before it, one arm and what stands after it become one block,
 * and one with those of the next iteration, where the compiler unrolls. */
struct contract_join {
	const struct kt_node *loop;
	const struct kt_node *merge; /* an if below it */
	kt_id fn;
	struct liveness *live;
};

/* Would a product be brought into one block with an add that takes it? *why says which. */
bool contract_joins(struct contract *c, const struct contract_join *join, const char **why);
