#pragma once
/*
 * Turns an if, else-if chain or switch into guarded ifs, one after the other: the strategies that
 * do only this, and its functions for other strategies.
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
	const unsigned *
		clause; /* the strategy's own numbers for sequentialize's clauses 1 to 5; or NULL */
	bool flatten;	/* an arm that consists of another wide if becomes its arms */
	bool one_armed; /* with flatten: also an if with one arm */
	bool keep_else; /* keep if/else, and only launder its conditions */
	bool nested;	/* also rewrite wide merges inside the arms */
	/* for two arms: the name of the bool for the first one; NULL: any */
	const char *taken;
	/* for a merge inside an arm that is rewritten, too: */
	bool wrapped;	 /* it is the whole arm, which gets braces */
	struct str from; /* the arm's indentation before, and after (to) */
	struct str to;
};
bool plan_guard_arms(struct plan *p, const struct merge *m, const struct guard_opts *opts);

/* The alternatives of the plan's merge and the variable that selects one, before any edit. */
struct selection {
	const struct arm **arm;	    /* with flatten: also of an if that is a whole arm */
	const struct merge **merge; /* the merge that each arm belongs to */
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

/* If a condition is just a variable or its negation: the variable's name. NULL otherwise, if the
 * merge changes the variable, or if the function declares another one of that name. */
const char *guard_plain_condition(
	const struct plan *p, const struct merge *m, const struct kt_node *cond, bool *negated);

/* Does the variable keep its value while code with these effects runs? Only for a local number that
 * this code does not change. */
bool guard_keeps_value(const struct plan *p, kt_id fn, kt_id sym, const struct fx *fx);

/* leave.c's site_as_else for a merge that isolates an arm (merge.h), by its number: see isolate.c.
 * NULL: the edit is added; else why not. */
const char *plan_isolate(struct edit_list *out, struct plan *p, size_t arm);

/* The same for ifs whose arms return values: see give.c. */
const char *plan_values_as_else(struct edit_list *out, struct plan *p);
/* Why an if that leaves gets no else, for leave.c and give.c. */
#define GUARD_DECLARES "it leaves, and declares what an else would see as well"
#define GUARD_DIRECTIVE "it leaves, and a preprocessor directive stands in what an else would hold"
/* Indents the lines of t that begin in [begin, end) once more. */
void guard_indent_deeper(
	struct edit_list *l, struct arena *a, struct str t, size_t begin, size_t end);

void rejoin_plan(struct plan *p, const char *variant);
void sequentialize_plan(struct plan *p, const char *variant);
void launder_plan(struct plan *p, const char *variant);
