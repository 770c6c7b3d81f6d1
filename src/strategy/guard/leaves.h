#pragma once
/*
 * The leaves that leaves.c (which alternatives are there, and what tells them apart?) hands to
 * guard.c (write guarded ifs). Lives in the plan's arena, but for the array and the builder.
 */
#include "strategy/guard/guard.h"

/* One alternative as text. */
struct leaf {
	size_t begin; /* body, braces included where it has them */
	size_t end;
	bool braced;
	bool own_line;	   /* its brace stands on a line of its own */
	struct str attr;   /* [[likely]] and the like in front of the brace */
	struct str indent; /* of the lines that the body's brace or statement stands on */
	const struct arm *arm;
	const struct merge *merge;
	size_t drop_begin, drop_end; /* the break that ends a switch arm inside its braces */
};

typedef ARRAY(struct leaf) leaf_array;

struct job {
	struct plan *p;
	const struct guard_opts *opts;
	const struct merge *top;
	leaf_array leaves;
	struct sbuf selector; /* of a switch: v == 1 ? 0 : v == 2 ? 1 : 2 */
	bool partial;	      /* on some path no arm runs: -1 */
	size_t n_conds;
	const struct kt_node *cond[64];
};

/* The clause of the plan's strategy that stands for one of sequentialize's. */
unsigned guard_clause(const struct plan *p, unsigned of_sequentialize);
/* False: refused by clauses 1 to 4 of sequentialize. */
bool guard_refuse_header(struct plan *p, const struct merge *m);
/* The wide if (or, asked for, an if with one arm) that is all that an arm consists of, where such
 * arms are taken apart; else NULL. */
const struct merge *guard_sole_merge(const struct job *j, const struct arm *arm);
/* What tells the arms apart: the name that does, declared by guard_add_snapshot, unless it is one
 * of the source's own. */
struct selector {
	const char *name;
	const char *value; /* what a switch switches on */
	bool flag;	   /* it holds iff arm 0 is taken, else it is the arm's number */
	bool negated;	   /* it holds iff arm 1 is */
	bool own;	   /* name is a variable of the source */
	bool own_value;
};
struct selector guard_selector(const struct job *j, const char *value, bool own_value);
/* Its declaration, each line with nl after it. */
void guard_add_snapshot(struct job *j, struct sbuf *out, const struct selector *n, const char *nl);
/* The alternatives of an if or chain; of a switch, value names what it switches on. False: refused.
 */
bool guard_collect(struct job *j, const struct merge *m);
bool guard_collect_switch(struct job *j, const struct merge *m, const char *value);
/* Is the condition an object, whose conversion to bool may do anything? */
bool guard_is_object(const struct plan *p, const struct kt_node *cond);
