#pragma once
/*
 * The alignment of whole arms: statements are aligned list by list, at every depth, and the rest
 * are differences. A hole is an expression that differs (as in match.h). A gap is a group of
 * statements that differ; it may be empty in some arms. Independent statements match even in
 * another order.
 *
 * Invariant: arm 0's text with each hole replaced by arm i's expression and each gap by arm i's
 * statements, their words renamed as overlay_word says, does what arm i does. overlay_fits tells
 * whether a text is valid at that place (names, declarations). Everything lives in the arena.
 */
#include "analysis/arms/match.h"

/* The limit of compared pairs for each node of the arms; after it nothing matches. Without it,
 * looking ahead in nested lists would take exponential time. */
enum {
	OVERLAY_EFFORT = 300
};

enum overlay_kind {
	OVERLAY_HOLE,
	OVERLAY_GAP,
	OVERLAY_GUARD, /* arm 0 has under a condition what the others have without */
};

struct overlay_diff {
	enum overlay_kind kind;
	const struct kt_node **expr; /* hole: one for each arm */
	/* gap: statements of each arm; guard: the guarded statements */
	struct match_arm *part;
	const struct kt_node *guard; /* the condition */
	bool negated;		     /* guard: true skips the statements */
	/* gap: the list of arm 0, and the index in it after the gap */
	struct match_arm list;
	size_t next;
	size_t *after; /* gap: its place in each arm's text, even if it has no statements there */
	/* gap: the first two nodes that differ, of arm 0 and another, or NULL */
	const struct kt_node *differs[2];
};

/* A local of arm 0 and its counterpart. */
struct overlay_pair {
	kt_id base;
	kt_id own;
};

/* A variable that a gap of an arm declares and that the arm uses after the gap, where it needs a
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
	size_t common;	 /* matching statements at the top level of the arms */
	size_t compared; /* pairs of nodes */
	/* per arm: these, in arm 0's order; not with guards */
	const struct kt_node ***top;
	struct overlay_pair **pair; /* per arm but 0: pair[i - 1], pairs[i - 1] of them */
	size_t *pairs;
	struct overlay_carried *carried; /* set by the caller */
	size_t carrieds;
};

/* Requires two arms, none empty. guards: also match statements that only arm 0 guards. The caller
 * has to write that so that the guard is true in every other arm. */
void overlay_arms(struct overlay *out, struct facts *f, struct arena *a,
	const struct match_arm *arm, size_t arms, bool guards);

/* May statement later of a list run before the one before it? If not, *why (if why is not NULL) is
 * the reason, or NULL. */
bool overlay_independent(struct facts *f, struct arena *a, const struct kt_node *before,
	const struct kt_node *later, const char **why);

/* The variable that name means at node at, if it is declared inside the node outside; else 0. */
kt_id overlay_visible(const struct kt_unit *u, const struct kt_node *at,
	const struct kt_node *outside, struct str name);
/* Text of root with other names for some of its variables; NULL: the name stays. */
struct str overlay_renamed(struct facts *f, struct arena *a, const struct kt_node *root,
	const char *(*name)(const void *context, kt_id sym), const void *context);

/* May arm i's part of difference d be put at arm 0's place? Every name must mean the same there. If
 * false, *word is the first one that does not. outside: the merge's node. */
bool overlay_fits(const struct overlay *o, const struct overlay_diff *d, size_t arm,
	const struct kt_node *outside, struct str *word);

/* Does one of these statements itself declare sym? */
bool overlay_declares(const struct match_arm *part, kt_id sym);
/* Text of an expression or of statements of arm i, with the names of its locals in arm 0. */
struct str overlay_text(const struct overlay *o, size_t arm, const struct match_arm *part);
