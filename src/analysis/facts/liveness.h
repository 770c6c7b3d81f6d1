#pragma once
/*
 * Backward liveness of one function's private locations, solved on the structured tree. Loops are
 * solved to a fixed point. At a break, continue or return the live set is that of its destination;
 * at a goto everything is live. Code that surely writes all parts of an object overwrites it
 * (analysis/facts/overwrite.h).
 */
#include "analysis/facts/facts.h"

struct liveness;

/* Requires a body. Solved once for each function, and kept with the facts. */
struct liveness *liveness_of(struct facts *f, kt_id fn);
/* Tracked locations: private variables and by-reference parameters bound to private objects. */
size_t liveness_locs(const struct liveness *l, const loc_id **locs);
/* Is loc live at the point where control continues after n? n must be an if, a switch, an
 * expression statement, a continue or a return; the last two continue elsewhere. */
bool liveness_after(const struct liveness *l, const struct kt_node *n, loc_id loc);
/* Does the subtree read the value that loc has at its start? */
bool liveness_exposed(struct liveness *l, const struct kt_node *n, loc_id loc);
/* The same for the children [first, last) of compound statement n. */
bool liveness_exposed_part(
	struct liveness *l, const struct kt_node *n, size_t first, size_t last, loc_id loc);

/* Is it a loop like for (T i = first; i < last; ++i), with constant bounds and step 1, i not
 * written in the body, and no break? Sets the variable and the bounds. */
struct counted_loop {
	kt_id var;
	int64_t first;
	int64_t last; /* exclusive */
};
bool loop_is_counted(struct counted_loop *out, struct facts *f, const struct kt_node *loop);
/* Is it such a loop with at least one iteration? */
bool loop_runs(struct facts *f, const struct kt_node *loop);
