#pragma once
/*
 * Merges in a loop over an accumulator's elements, on a condition of each lane's own.
 *
 *   for (int i = 0; i < 64; i++) {
 *           acc[i] = column + i <= row ? acc[i] * scale : lowest;
 *   }
 *
 * The compiler makes selects of them, element by element, and no two copies meet. Where all lanes
 * take the same arm it makes selects as well, but then a branch is what costs less, and it counts
 * (doc/shapes.md has the figures): but where each iteration of the loop has done with its element.
 *
 * And arms that are whole loops, on an accumulator of constants:
 *
 *   float acc[64] = {};
 *   if (k % 8 == 0) { for (...; i < k; ...) } else { for (...; i < k; ...) }
 *
 * Each loop begins with the constants, made anew in front of it. Nothing of acc goes on.
 */
#include "analysis/lanes/uniform.h"
#include "analysis/merge/merge.h"

/* Chained VGPRs per lane of a merge; of what becomes selects, or lives in one iteration of the
 * loop, only the element counts; of what begins anew in each arm, nothing. */
unsigned element_chained(struct facts *f, struct uniformity *u, const struct merge *m);
/* VGPRs per lane of the element of loc that an iteration of the loop is about, of all that the code
 * below at (in the loop, of fn) does to loc; 0: it is no loop over elements. */
unsigned element_of_loop(struct facts *f, kt_id fn, const struct kt_node *loop,
	const struct kt_node *at, loc_id loc);
