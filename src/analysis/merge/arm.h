#pragma once
/* The arms of one merge. Internal to merge/. */
#include "analysis/merge/merge.h"

/* Fills in m's arms, has_else and fallthrough by its kind and node. No arms of an if that leaves:
 * where it leads, nothing else meets it. */
void arms_find(struct merge *m, struct facts *f, struct arena *a);
/* Does control go on after the merge from the end of this arm? */
bool arm_falls_through(const struct merge *m, const struct arm *arm);
/* Does it hold a matrix operation, also in what it calls? */
bool arm_holds_matrix(struct facts *f, const struct arm *arm);
