#pragma once
/*
 * Backward liveness of one function's private locations, solved on the structured tree: loops to a
 * fixed point, break, continue and return to the set that is live where they lead, goto to
 * everything. What code surely overwrites part by part it overwrites (analysis/facts/overwrite.h).
 */
#include "analysis/facts/facts.h"

struct liveness;

/* Requires a body. Solved once for each function, and kept with the facts. */
struct liveness *liveness_of(struct facts *f, kt_id fn);
/* Tracked locations: private variables and by-reference parameters bound to private objects. */
size_t liveness_locs(const struct liveness *l, const loc_id **locs);
/* Is loc live where control continues after n? n must be an if, a switch, an expression statement,
 * or a continue or return, which lead elsewhere. */
bool liveness_after(const struct liveness *l, const struct kt_node *n, loc_id loc);
/* Does the subtree read the value that loc has where it begins? */
bool liveness_exposed(struct liveness *l, const struct kt_node *n, loc_id loc);
/* The same for the children [first, last) of compound statement n. */
bool liveness_exposed_part(
	struct liveness *l, const struct kt_node *n, size_t first, size_t last, loc_id loc);

/* for (T i = first; i < last; ++i) and its like, with constant bounds and step 1, i not written in
 * the body, no break: sets the variable and the bounds. */
struct counted_loop {
	kt_id var;
	int64_t first;
	int64_t last; /* exclusive */
};
bool loop_is_counted(struct counted_loop *out, struct facts *f, const struct kt_node *loop);
/* Is it such a loop with one iteration or more? */
bool loop_runs(struct facts *f, const struct kt_node *loop);
