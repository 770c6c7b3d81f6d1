#pragma once
/* The state of one alignment, shared by overlay.c, overlay_list.c, overlay_guard.c and match.c. */
#include "analysis/arms/overlay.h"
#include "analysis/pair/pair.h"
#include "base/array.h"

typedef ARRAY(struct overlay_diff) diff_array;

/* Text whose tokens are not compared with the statement around it: a difference, or an aligned
 * list. */
struct covered {
	struct span *at; /* per arm */
};

/* Nodes of arm 0 and of another arm. */
struct pair {
	const struct kt_node *x;
	const struct kt_node *y;
};

/* A local of an arm and its counterpart in arm 0. */
struct binding {
	size_t arm;
	kt_id base;
	kt_id own;
};

struct job {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	size_t arms;
	bool guards;
	bool holes_only;      /* no gaps: lists inside are matched as wholes, pragmas included */
	size_t first, last;   /* arms to align with arm 0: [first, last) */
	struct pairing *pair; /* arm i's is pair[i - 1] */
	diff_array diffs;
	ARRAY(struct covered) covered;
	ARRAY(struct binding) bindings;
	struct pair differs;
	size_t compared;
	size_t compared_max;
};

/* A state of the job to go back to. */
struct mark {
	size_t diffs;
	size_t covered;
	size_t bindings;
};

typedef const struct kt_node *const *nodes;

/* ---- overlay.c ---- */

void overlay_open(struct job *j, struct facts *f, struct arena *a, size_t arms);
void overlay_close(struct job *j);
struct mark overlay_mark(const struct job *j);
void overlay_undo(struct job *j, struct mark m);
/* Nothing but white space and comments between the statements, and braces around them? */
bool overlay_is_list(const struct job *j, const struct kt_node *n);
void overlay_add_guard(
	struct job *j, const struct kt_node *guard, bool negated, const struct match_arm *part);
/* May the condition be evaluated before the statements that it guards? */
bool overlay_can_guard(const struct job *j, const struct kt_node *cond);
/* Is the only difference found for n a hole of n as a whole? */
bool overlay_is_choice(const struct job *j, struct mark m, const struct kt_node *n);
/* Aligns one node of each arm. place: they are used as objects, not as values. False: they differ
 * and cannot be a hole. */
bool overlay_unify(struct job *j, nodes x, bool place);
bool overlay_same_spelling(struct job *j, nodes x, size_t first);
/* Aligns lists: matches statements, and makes gaps of the others. *common: the number of matching
 * statements; top, if not NULL: those of each arm. */
bool overlay_align(
	struct job *j, const struct match_arm *given, size_t *common, const struct kt_node ***top);
/* Aligns statements k[i] of the lists; if false, nothing has changed. */
bool overlay_match_statements(struct job *j, const struct match_arm *list, const size_t *k);
void overlay_add_gap(
	struct job *j, const struct match_arm *list, const size_t *k, const size_t *next);

/* ---- overlay_guard.c ---- */

/* Moves k after statements that arm 0 guards and the others do not. */
bool overlay_match_guarded(struct job *j, const struct match_arm *list, size_t *k);
/* T x = 0; if (g) { x = e; ... } in arm 0, T x = e; ... in the others. */
bool overlay_match_initialization(struct job *j, const struct match_arm *list, size_t *k);
