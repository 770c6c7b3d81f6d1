#pragma once
/*
 * An if, chain or switch as guarded ifs, one after the other: the strategies that are nothing else,
 * and what others ask of it.
 */
#include "strategy/plan/plan.h"

/* Turns the if / else-if / switch of a merge into guarded ifs, as edits of everything but the arms'
 * bodies; see guard.c. On false the plan was refused (clauses 1 to 5 of sequentialize). */
enum guard {
	GUARD_FENCE,
	GUARD_LAUNDER_UNIFORM,
	GUARD_LAUNDER
};
struct guard_opts {
	enum guard guard;
	const unsigned *clause; /* of the strategy, in place of 1 to 5 of sequentialize; or NULL */
	bool flatten;	/* arms that are nothing but another wide if become arms of this one */
	bool one_armed; /* with it, also such with one arm, whatever that writes */
	bool keep_else; /* if/else stays, only its conditions go through the launder */
	bool nested;	/* wide merges inside the arms are rewritten with it */
	/* of two arms: the name of what says whether the first is taken; NULL: any */
	const char *taken;
	/* of a merge inside an arm that is rewritten too: */
	bool wrapped;	 /* it is all of the arm, which gets braces */
	struct str from; /* the arm's indentation, and what becomes of it */
	struct str to;
};
bool plan_guard_arms(struct plan *p, const struct merge *m, const struct guard_opts *opts);

/* The alternatives of the plan's merge and what tells them apart, without an edit. */
struct selection {
	const struct arm **arm; /* with flatten also those of ifs that are all there is in an arm */
	const struct merge **merge; /* whose arm each is */
	size_t arms;
	const struct kt_node **cond; /* in order of evaluation; a switch has none */
	size_t conds;
	const char *name; /* of the snapshot */
	bool flag;	  /* two arms: it holds iff arm 0 is taken; else it is the arm's number */
	bool negated;	  /* it holds iff arm 1 is */
	bool partial;	  /* on some path no arm runs: the number is -1 there */
	bool declares;	  /* the header declares variables */
	struct str snapshot; /* declarations of the header and of the snapshot, \n after each */
};

/* False: refused by clauses 1 to 5 of sequentialize, or because there are fewer than two arms
 * (clause 1). Of the options only guard and flatten count. */
bool plan_select_arms(struct plan *p, const struct guard_opts *opts, struct selection *out);

/* Where a condition is nothing but a variable, or ! in front of one, that keeps its value as long
 * as the merge runs, and that no other of its name hides anywhere in the function: that name; else
 * NULL. */
const char *guard_plain_condition(
	const struct plan *p, const struct merge *m, const struct kt_node *cond, bool *negated);

/* Has the variable one value as long as what has these effects runs: a number of this function's
 * own that nothing there changes? */
bool guard_keeps_value(const struct plan *p, kt_id fn, kt_id sym, const struct fx *fx);

void rejoin_plan(struct plan *p, const char *variant);
void sequentialize_plan(struct plan *p, const char *variant);
void launder_plan(struct plan *p, const char *variant);
