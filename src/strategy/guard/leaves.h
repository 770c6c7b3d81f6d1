#ifndef UNPHI_STRATEGY_GUARD_LEAVES_H
#define UNPHI_STRATEGY_GUARD_LEAVES_H
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
	struct sbuf selector; /* c ? 0 : d ? 1 : 2 */
	bool partial;	      /* on some path no arm runs: -1 */
	size_t n_conds;
	const struct kt_node *cond[64];
};

/* The clause of the plan's strategy that stands for one of sequentialize's. */
unsigned guard_clause(const struct plan *p, unsigned of_sequentialize);
/* False: refused by clauses 1 to 4 of sequentialize. */
bool guard_refuse_header(struct plan *p, const struct merge *m);
/* The alternatives of an if or chain; of a switch, value names what it switches on. False: refused.
 */
bool guard_collect(struct job *j, const struct merge *m);
bool guard_collect_switch(struct job *j, const struct merge *m, const char *value);
/* Is the condition an object, whose conversion to bool may do anything? */
bool guard_is_object(const struct plan *p, const struct kt_node *cond);
#endif
