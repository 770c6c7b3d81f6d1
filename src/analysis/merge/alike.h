#pragma once
/*
 * Arms that begin and end with the same code, without a carrier.
 *
 *   if (flag) {
 *           rotate<true>(in, out);       float v[32]; v[i] = in[lane * 32 + i], ...
 *   } else {
 *           rotate<false>(in, out);      the same, and something else; then out[...] = v[i]
 *   }
 *
 * No variable crosses that if, but the compiler moves the common start of the arms before it, and
 * their common end after it (SimplifyCFG, hoistCommonCodeFromSuccessors and
 * sinkCommonCodeFromPredecessors). The values computed before then enter each arm, and the arms'
 * results leave it, as with an accumulator. ends.h has the ends.
 */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

/* Sets alike of the merges without a carrier. Drops exits that have neither. */
void alike_find(struct merge_list *merges, struct facts *f, struct uniformity *u);
