#pragma once
/*
 * Matching of arms (anti-unification): the longest common suffix of several statement lists, equal
 * except for holes. Statements match by kind and children, expressions by kind, operator, type,
 * callee, field and literal. A local declared inside the suffix matches its counterpart even under
 * another name. Expressions that differ are a hole: an rvalue of one small type in all arms (see
 * pair_typed), as deep in the tree as possible, or an argument, small objects bound to a reference
 * to const, or arrays of LDS that become a pointer. The spelled tokens are compared, too, because a
 * tree does not show everything (sizeof, template arguments, attributes, pragmas, discarded
 * branches).
 *
 * Invariant: writing arm 0's suffix with each hole replaced by arm i's expression, its locals
 * renamed, gives arm i's suffix. The caller decides whether the holes may be evaluated at another
 * place. Everything lives in the arena.
 */
#include "analysis/pair/pair.h"

/* The statements of one arm, in order. */
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
	/* The nodes at which the next longer suffix fails, of arm 0 and of another arm, or NULL. */
	const struct kt_node *differs[2];
	size_t compared; /* number of compared pairs of nodes */
};

/* The longest suffix of at most max statements. If a statement differs, the suffix starts after it,
 * so each pair of nodes is compared once. Requires two arms. */
void match_tail(struct match *out, struct facts *f, struct arena *a, const struct match_arm *arm,
	size_t arms, size_t max);

/* The type of a variable for the hole: for an array, the pointer to which it decays. */
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
/* Is a word of [begin, end) one of the names, apart from members and the nodes below root? Where
 * the names are not declared, it may mean something else. */
bool match_hidden_use(struct facts *f, const struct kt_node *root, size_t begin, size_t end,
	const struct match_names *names, struct str *word);
