#pragma once
/*
 * Merges and what crosses them. An else-if chain is one merge with many arms; a nested if is one of
 * its own. Widths are VGPRs per lane: private size in bytes over 4, rounded up.
 */
#include "analysis/facts/facts.h"

struct carrier {
	loc_id loc;
	unsigned width;	  /* VGPRs per lane */
	unsigned phis;	  /* SSA values: one for each vector or scalar in it */
	unsigned carried; /* VGPRs per lane of width that go on from before: of the parts that the
			   * arms write, those that one reads (carried.h); 0: it is not chained */
	bool chained;	  /* some arm reads the value from before the merge */
	unsigned writers; /* arms that write it */
	unsigned readers; /* arms that read the value from before */
	const struct kt_node *use;	    /* first read after the merge; NULL: by the caller */
	bool use_next_iteration;	    /* use is reached around the back edge of a loop */
	const struct kt_node **first_write; /* per arm, NULL where the arm does not write it */
};

struct arm {
	const struct kt_node *body; /* statement (or expression of ?:); NULL: the empty else */
	const struct kt_node *cond; /* condition of an if arm; NULL for else, case, default */
	const struct kt_node
		*owner; /* the KT_IF whose then or else this is, else the merge's node */
	/* of a switch, and of what follows an if that leaves: the statements of this arm, children
	 * [first, last) of body; else both are 0 */
	size_t first, last;
	const struct kt_node **label; /* switch: the KT_CASE/KT_DEFAULT nodes of this arm */
	size_t labels;
	bool is_default;
};

enum merge_kind {
	MERGE_IF,
	MERGE_SWITCH,
	MERGE_COND,
	MERGE_EXIT,   /* an if without else that ends in continue, break or return; what follows it
		       * in the loop's or function's block is the other arm. Of ifs in a row that
		       * each give a value back: as many arms, and the return after them */
	MERGE_GUARDED /* guarded ifs in a row (guarded.h), the first of which is its node */
};

/* What arms store at their ends that are alike. */
enum merge_results {
	RESULTS_NONE,	  /* not that */
	RESULTS_STRAIGHT, /* of operations that each arm holds outside of its loops, too */
	RESULTS_LOOPED,	  /* of loops: the values have a phi in front of the merge already */
};

struct merge {
	enum merge_kind kind;
	kt_id fn;
	const struct kt_node *node; /* KT_IF, KT_SWITCH, KT_COND */
	struct arm *arm;
	size_t arms;		 /* alternatives, without the empty else */
	bool has_else;		 /* some arm is always taken */
	bool fallthrough;	 /* switch: an arm runs into the next */
	struct carrier *carrier; /* widest first; those that two arms write, or see one_armed */
	size_t carriers;
	unsigned crossing; /* sum of widths */
	unsigned chained;  /* of these VGPRs, those that are carried over it */
	unsigned phis;	   /* of the chained ones */
	unsigned alike;	   /* without a carrier: VGPRs that its arms have alike, by alike.h */
	bool ends;	   /* and that is the indices of what they store at their ends, by ends.h */
	enum merge_results results; /* and that is results of matrix operations */
	const struct merge *outer;  /* the merge in one of whose arms this one stands, or NULL */
	unsigned depth;		    /* loops around it in its function */
	unsigned widest; /* carrier of all merges of the same text; silent ones do not count */
	/* It is an if in a loop, or one whose iteration passes the rest by, and one path computes
	 * with matrix operations what no other one writes: its carriers are what one arm writes.
	 * The other path goes on with the same values, and where results of matrix operations are
	 * in accumulation VGPRs (ledger.h: passing), both go through VGPRs where they meet. */
	bool one_armed;
	/* Its condition is a constant in this instantiation, or it is a chain's else-if in it: no
	 * merge here. Where other instantiations have one, an edit has to be right here, too. */
	bool silent;
};

/* SSA values that a promoted object of this type becomes. */
unsigned merge_type_phis(const struct kt_unit *u, const struct kt_type *t);

struct merge_list {
	struct merge *v;
	size_t n;
	/* those of kind MERGE_EXIT, and ?: whose value nobody takes, that something crosses, or
	 * whose arms alike_find leaves here, apart: strategies want an if with an else */
	struct merge *exit;
	size_t exits;
	struct merge *guarded; /* all of that kind, apart: they are what a merge has become */
	size_t guardeds;
	struct merge *silent; /* apart as well */
	size_t silents;
	const struct merge **by_node; /* all of v, in the order of their nodes' addresses */
};

/* The one of v that has this node, or NULL. */
const struct merge *merge_at(const struct merge_list *l, const struct kt_node *n);
/* The first of v that stands below the node, or NULL; the others follow it. */
const struct merge *merge_below(const struct merge_list *l, const struct kt_node *n);
/* The continue, break or return that the first arm of a MERGE_EXIT ends in. */
const struct kt_node *merge_leaves(const struct merge *m);
/* The return where its arms meet, or a first one of several: every arm ends in one, or it is a ?:
 * in what one gives back. NULL: it is not so. */
const struct kt_node *merge_returns(const struct merge *m);
/* The statement that a ?: is all of, but for a cast of its value to nothing; NULL: something takes
 * the value. */
const struct kt_node *merge_discarded(const struct kt_node *cond);
/* Where the text of its arms ends. */
uint32_t merge_end(const struct merge *m);
/* The merge's node; of ?: the statement that it stands in. */
const struct kt_node *merge_statement(const struct merge *m);
/* Of ?: the place that its value is assigned to, or NULL. */
const struct kt_node *merge_assigned(const struct merge *m);
/* Is it a carrier of m? */
bool merge_carries(const struct merge *m, loc_id loc);
/* All merges of all device functions with a body in user files, in source order per function.
 * Constant conditions (if constexpr, template flags) are no merges. */
void merges_find(struct merge_list *out, struct facts *f, struct arena *a);
