#pragma once
/*
 * Merges in a loop over an accumulator's elements, with a per-lane condition.
 *
 *   for (int i = 0; i < 64; i++) {
 *           acc[i] = column + i <= row ? acc[i] * scale : lowest;
 *   }
 *
 * The compiler makes selects of them, element by element, without two copies. It also makes selects
 * for a uniform condition, but then a branch would cost less, so the merge counts (doc/shapes.md
 * has the figures), unless each iteration of the loop is done with its element.
 *
 * And arms that are whole loops, on an accumulator of constants:
 *
 *   float acc[64] = {};
 *   if (k % 8 == 0) { for (...; i < k; ...) } else { for (...; i < k; ...) }
 *
 * Each loop starts with the constants, computed anew before it, so no value of acc crosses the if.
 */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

/* Chained VGPRs per lane of a merge. Of a carrier that becomes selects, or lives in one iteration
 * of the loop, only the element counts; one that starts anew in each arm does not count. */
unsigned element_chained(struct facts *f, struct uniformity *u, const struct merge *m);
/* VGPRs per lane of the element of loc that an iteration uses, if the code below at (in the loop,
 * of fn) only uses that element; 0: not a loop over elements. */
unsigned element_of_loop(struct facts *f, kt_id fn, const struct kt_node *loop,
	const struct kt_node *at, loc_id loc);
