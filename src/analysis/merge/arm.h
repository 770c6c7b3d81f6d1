#pragma once
/* The arms of one merge. Internal to merge/. */
#include "analysis/merge/merge.h"

/* Fills in m's arms, has_else and fallthrough by its kind and node. An if that leaves gets no arms
 * if no other path joins it at its destination. */
void arms_find(struct merge *m, struct facts *f, struct arena *a);
/* Does control go on after the merge from the end of this arm? */
bool arm_falls_through(const struct merge *m, const struct arm *arm);
/* Does it contain a matrix operation, also in called functions? */
bool arm_holds_matrix(struct facts *f, const struct arm *arm);
