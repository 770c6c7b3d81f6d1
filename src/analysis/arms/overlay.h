#pragma once
/*
 * Arms laid over each other as a whole: statements are aligned list by list, at every depth, and
 * what is left are differences. A hole is an expression that differs (as in match.h), a gap are
 * statements that differ, in some arms maybe none. Independent statements that stand in another
 * order are matched.
 *
 * Invariant: arm 0's text with each hole replaced by arm i's expression and each gap by arm i's
 * statements, their words renamed as overlay_word says, does what arm i does. That a text may stand
 * there (names, declarations) is overlay_fits. Everything lives in the arena.
 */
#include "analysis/arms/match.h"

/* So many pairs of nodes are compared for each node of the arms, then nothing matches any more: the
 * lists inside lists that an alignment looks ahead into would multiply. */
enum {
	OVERLAY_EFFORT = 300
};

enum overlay_kind {
	OVERLAY_HOLE,
	OVERLAY_GAP,
	OVERLAY_GUARD, /* arm 0 does under a condition what the others do without */
};

struct overlay_diff {
	enum overlay_kind kind;
	const struct kt_node **expr; /* hole: one for each arm */
	struct match_arm *part;	     /* gap: statements of each arm; guard: what it guards */
	const struct kt_node *guard; /* the condition */
	bool negated;		     /* guard: it keeps from what the others do */
	/* gap: where arm 0's list is, and the index in it of what follows the gap */
	struct match_arm list;
	size_t next;
	size_t *after; /* gap: where it is in each arm's text, also where that has no statements */
	/* gap: the first two nodes that differ, of arm 0 and another, or NULL */
	const struct kt_node *differs[2];
};

/* A local of arm 0 and its counterpart. */
struct overlay_pair {
	kt_id base;
	kt_id own;
};

/* A variable that a gap of an arm declares, and that the arm uses after the gap: there it has a
 * name of its own. */
struct overlay_carried {
	size_t diff; /* the gap */
	size_t arm;
	kt_id sym;
	const char *name;
};

struct overlay {
	struct facts *f;
	struct arena *a;
	size_t arms;
	struct overlay_diff *diff; /* in source order of arm 0 */
	size_t diffs;
	size_t common;	 /* statements that match, at the arms' top */
	size_t compared; /* pairs of nodes */
	/* per arm: these, in arm 0's order; not with guards */
	const struct kt_node ***top;
	struct overlay_pair **pair; /* per arm but 0: pair[i - 1], pairs[i - 1] of them */
	size_t *pairs;
	struct overlay_carried *carried; /* for the caller to find */
	size_t carrieds;
};

/* Requires two arms, none empty. guards: look for what only arm 0 guards. That is for the caller to
 * write: the guard must let every other arm pass. */
void overlay_arms(struct overlay *out, struct facts *f, struct arena *a,
	const struct match_arm *arm, size_t arms, bool guards);

/* May statement later of one list run before the one that stands before it? Else *why, when not
 * NULL, says what keeps it, or is NULL. */
bool overlay_independent(struct facts *f, struct arena *a, const struct kt_node *before,
	const struct kt_node *later, const char **why);

/* The variable that name means at node at, if it is declared inside the node outside; else 0. */
kt_id overlay_visible(const struct kt_unit *u, const struct kt_node *at,
	const struct kt_node *outside, struct str name);
/* Text of root with other names for some of its variables: NULL leaves one as it is. */
struct str overlay_renamed(struct facts *f, struct arena *a, const struct kt_node *root,
	const char *(*name)(const void *context, kt_id sym), const void *context);

/* May arm i's part of difference d stand in arm 0's place? Every name must mean there what it means
 * now. On false, *word is the first that does not. outside: the merge's node. */
bool overlay_fits(const struct overlay *o, const struct overlay_diff *d, size_t arm,
	const struct kt_node *outside, struct str *word);

/* Is sym declared by one of these statements themselves? */
bool overlay_declares(const struct match_arm *part, kt_id sym);
/* Text of an expression or of statements of arm i, with its locals named as in arm 0. */
struct str overlay_text(const struct overlay *o, size_t arm, const struct match_arm *part);
