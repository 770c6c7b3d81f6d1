#pragma once
/*
 * Matching of arms (anti-unification): the longest common suffix of several statement lists, equal
 * but for holes. Statements match by kind and children, expressions by kind, operator, type,
 * callee, field and literal; a local that is declared inside the suffix matches its counterpart
 * whatever its name. Where expressions differ there is a hole: an rvalue of one small type in
 * all arms (see pair_typed), as deep in the tree as that allows, or an argument, small objects
 * that are bound to a reference to const, or arrays of LDS that become a pointer. Beside the
 * trees the spelled tokens are compared, for what a tree does not show (sizeof, template
 * arguments, attributes, pragmas, discarded branches).
 *
 * Invariant: writing arm 0's suffix with each hole replaced by arm i's expression, its locals
 * renamed, gives arm i's suffix. Whether evaluating the holes elsewhere is right is for the caller
 * to decide. Everything lives in the arena.
 */
#include "analysis/pair/pair.h"

/* One alternative: its statements in order. */
struct match_arm {
	const struct kt_node *const *stmt;
	size_t n;
};

struct hole {
	const struct kt_node **expr; /* one for each arm */
	size_t same; /* first hole with the same expression in each arm; maybe itself */
};

struct match {
	size_t tail;	   /* statements; 0: the arms end differently */
	struct hole *hole; /* in source order of arm 0 */
	size_t holes;
	/* Where the next longer suffix fails: nodes of arm 0 and of another arm, or NULL. */
	const struct kt_node *differs[2];
	size_t compared; /* pairs of nodes, over all that was tried */
};

/* The longest suffix of at most max statements. One that differs in a statement is cut after it, so
 * each pair of nodes is compared once. Requires two arms. */
void match_tail(struct match *out, struct facts *f, struct arena *a, const struct match_arm *arm,
	size_t arms, size_t max);

/* The type of a variable that takes the hole: for an array the pointer that it is passed as. */
const struct kt_type *match_hole_type(struct facts *f, const struct hole *hole, size_t arms);

/* Names that the statements [0, n) declare in their own scope. */
struct match_names {
	const char **v;
	size_t n;
};
void match_declared(struct match_names *out, struct facts *f, struct arena *a,
	const struct kt_node *const *stmt, size_t n);
bool match_has_name(const struct match_names *names, struct str word);
/* Is one of these statements a declaration? */
bool match_declares(const struct match_arm *list);
/* Does a word of [begin, end), no member's name and none of the nodes' below root, equal one of the
 * names? Such a word may mean something else where the names are not declared. */
bool match_hidden_use(struct facts *f, const struct kt_node *root, size_t begin, size_t end,
	const struct match_names *names, struct str *word);
