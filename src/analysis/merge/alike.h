#ifndef UNPHI_ANALYSIS_MERGE_ALIKE_H
#define UNPHI_ANALYSIS_MERGE_ALIKE_H
/*
 * Arms that begin alike, and have nothing in common that is written.
 *
 *   if (flag) {
 *           rotate<true>(in, out);       float v[32]; v[i] = in[lane * 32 + i], ...
 *   } else {
 *           rotate<false>(in, out);      the same, and then something else
 *   }
 *
 * No variable crosses that if, but the compiler moves what both arms begin with in front of it
 * (SimplifyCFG, hoistCommonCodeFromSuccessors), and each arm then goes on from values that stand
 * before the merge: as many copies as with an accumulator that is carried over it.
 */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

/* Sets alike of those merges that have no carrier. */
void alike_find(struct merge_list *merges, struct facts *f, struct uniformity *u);
#endif
