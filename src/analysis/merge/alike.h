#pragma once
/*
 * Arms that begin and end alike, and have nothing in common that is written.
 *
 *   if (flag) {
 *           rotate<true>(in, out);       float v[32]; v[i] = in[lane * 32 + i], ...
 *   } else {
 *           rotate<false>(in, out);      the same, and something else; then out[...] = v[i]
 *   }
 *
 * No variable crosses that if, but the compiler moves what both arms begin with in front of it, and
 * what both end in after it (SimplifyCFG, hoistCommonCodeFromSuccessors and
 * sinkCommonCodeFromPredecessors): what stands before the merge enters each arm, and what the arm
 * makes of it leaves, as with an accumulator that is carried over it. ends.h has the ends.
 */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

/* Sets alike of those merges that have no carrier, and drops those that leave and have neither. */
void alike_find(struct merge_list *merges, struct facts *f, struct uniformity *u);
