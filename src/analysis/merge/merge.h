#pragma once
/*
 * Merges, and the carriers that cross them. An else-if chain is one merge with many arms; a nested
 * if is a merge of its own. Widths are VGPRs per lane: private size in bytes over 4, rounded up.
 */
#include "analysis/facts/facts.h"

struct carrier {
	loc_id loc;
	loc_id from; /* the location that has the value before: loc, or one that ends in the arms */
	bool returned;	/* the arms return the value, which is in loc before */
	unsigned width; /* VGPRs per lane */
	unsigned phis;	/* SSA values: one for each vector or scalar in it */
	/* VGPRs per lane whose value from before is used: of the parts that the arms write, those
	 * that an arm reads (carried.h); 0: it is not chained */
	unsigned carried;
	bool chained;			    /* some arm reads the value from before the merge */
	unsigned writers;		    /* arms that write it */
	unsigned readers;		    /* arms that read the value from before */
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

/* The values that the arms store at their common ends. */
enum merge_results {
	RESULTS_NONE,	  /* neither of the others */
	RESULTS_STRAIGHT, /* of operations that each arm has outside of loops */
	RESULTS_LOOPED,	  /* of loops: the values already have a phi before the merge */
};

struct merge {
	enum merge_kind kind;
	kt_id fn;
	const struct kt_node *node; /* KT_IF, KT_SWITCH, KT_COND */
	struct arm *arm;
	size_t arms;	  /* alternatives, without the empty else */
	bool has_else;	  /* some arm is always taken */
	bool fallthrough; /* switch: an arm runs into the next */
	/* widest first; those that two arms write, or, if one_armed, that one arm writes */
	struct carrier *carrier;
	size_t carriers;
	unsigned crossing; /* sum of widths */
	unsigned chained;  /* of these VGPRs, those whose value from before an arm uses */
	unsigned phis;	   /* of the chained ones */
	unsigned alike; /* without a carrier: VGPRs of the code that its arms share, by alike.h */
	bool ends;	/* these are the indices of the stores at their ends, by ends.h */
	enum merge_results results; /* these are results of matrix operations */
	const struct merge *outer;  /* the merge in one of whose arms this one stands, or NULL */
	unsigned depth;		    /* loops around it in its function */
	/* the widest carrier among all merges of the same text; silent ones do not count */
	unsigned widest;
	/* An if in a loop, or one that skips the rest of an iteration, with matrix operations on
	 * one path whose results no other path writes. Its carriers are the variables that this one
	 * arm writes. The other path keeps the same values. If results of matrix operations are in
	 * accumulation VGPRs (ledger.h: passing), both copies go through VGPRs where the paths
	 * join. */
	bool one_armed;
	/* one_armed, of a switch, or of a chain after its first if: its only arm with matrix
	 * operations, which isolate.c writes as an if of its own */
	const struct arm *isolates;
	/* Its condition is a constant in this instantiation, or it is a chain's else-if in it: it
	 * is not a merge here. If it is one in other instantiations, an edit has to be right here,
	 * too. */
	bool silent;
};

/* The number of SSA values of a promoted object of this type. */
unsigned merge_type_phis(const struct kt_unit *u, const struct kt_type *t);

struct merge_list {
	struct merge *v;
	size_t n;
	/* apart: those of kind MERGE_EXIT, and ?: with an unused value, that have a carrier or that
	 * alike_find leaves; strategies need an if with an else */
	struct merge *exit;
	size_t exits;
	struct merge *guarded; /* apart: all guarded ifs, as rewrites make them of merges */
	size_t guardeds;
	struct merge *silent; /* apart, too */
	size_t silents;
	const struct merge **by_node; /* all of v, in the order of their nodes' addresses */
};

/* The one of v that has this node, or NULL. */
const struct merge *merge_at(const struct merge_list *l, const struct kt_node *n);
/* The first of v that stands below the node, or NULL; the others follow it. */
const struct merge *merge_below(const struct merge_list *l, const struct kt_node *n);
/* The continue, break or return that the first arm of a MERGE_EXIT ends in. */
const struct kt_node *merge_leaves(const struct merge *m);
/* The return at which its arms meet, or the first of several, if every arm ends in one, or if it is
 * a ?: in a returned value. Else NULL. */
const struct kt_node *merge_returns(const struct merge *m);
/* The value that the arm returns, in its first return, if every arm returns one; else NULL. */
const struct kt_node *arm_value(const struct merge *m, const struct arm *arm);
/* The statement that consists of the ?:, apart from a cast to void; NULL: its value is used. */
const struct kt_node *merge_discarded(const struct kt_node *cond);
/* The end of its arms in the text. */
uint32_t merge_end(const struct merge *m);
/* The merge's node; for ?: the statement around it. */
const struct kt_node *merge_statement(const struct merge *m);
/* For ?: the place that its value is assigned to, or NULL; and the variable that it initializes,
 * which is no reference, or 0. */
const struct kt_node *merge_assigned(const struct merge *m);
kt_id merge_initialized(const struct kt_unit *u, const struct merge *m);
/* Is the location a carrier of m? */
bool merge_carries(const struct merge *m, loc_id loc);
/* All merges of all device functions with a body in user files, in source order per function. An if
 * on a constant (if constexpr, template flags) is not a merge. */
void merges_find(struct merge_list *out, struct facts *f, struct arena *a);
