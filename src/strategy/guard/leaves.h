#pragma once
/*
 * leaves.c finds the alternatives of a merge (the leaves) and their conditions; guard.c writes them
 * as guarded ifs. Lives in the plan's arena, except the array and the buffer.
 */
#include "strategy/guard/guard.h"

/* One alternative as text. */
struct leaf {
	size_t begin; /* the body, including any braces */
	size_t end;
	bool braced;
	bool own_line;	   /* its brace stands on a line of its own */
	struct str attr;   /* [[likely]] and the like in front of the brace */
	struct str indent; /* of the line with the body's brace or statement */
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

/* The number that one of sequentialize's clauses has in the plan's strategy. */
unsigned guard_clause(const struct plan *p, unsigned of_sequentialize);
/* False: refused by clauses 1 to 4 of sequentialize. */
bool guard_refuse_header(struct plan *p, const struct merge *m);
/* With flatten: the wide if (with one_armed also an if with one arm) that is a whole arm; else
 * NULL. */
const struct merge *guard_sole_merge(const struct job *j, const struct arm *arm);
/* The variable that selects the arm: declared by guard_add_snapshot, or one of the source's own. */
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
/* Collects the alternatives of an if or chain; for a switch, value names its operand. False:
 * refused. */
bool guard_collect(struct job *j, const struct merge *m);
bool guard_collect_switch(struct job *j, const struct merge *m, const char *value);
/* The test for an arm's labels, `v == 1 || v == 2`, or for all other values; value is the text of
 * the switch's operand. */
void guard_add_labels(const struct plan *p, struct sbuf *out, const struct arm *arm,
	const char *value, bool others);
/* Is the condition an object, whose conversion to bool may do anything? */
bool guard_is_object(const struct plan *p, const struct kt_node *cond);
