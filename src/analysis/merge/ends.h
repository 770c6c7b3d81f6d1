#pragma once
/*
 * Arms with a common end: the same stores.
 *
 *   if (flag) {
 *           float v[32]; v[i] = in[lane * 32 + i], ...         out[lane * 32 + i] = v[i];
 *   } else {
 *           something else, of the same indices                out[lane * 32 + i] = v[i];
 *   }
 *
 * The compiler merges the two stores into one after the merge (SimplifyCFG,
 * sinkCommonCodeFromPredecessors), with a phi of the stored value. If the arm has used the index
 * before, for a load, the index is a phi, too: the address can no longer be an offset in the
 * instruction, so each needs a register of its own.
 */
#include "analysis/lanes/uniform.h"

struct ends {
	unsigned values;  /* VGPRs per lane that both arms store */
	unsigned indices; /* the same for per-lane indices that were used before */
};

void ends_find(struct ends *out, struct facts *f, struct uniformity *u, struct arena *a,
	const struct kt_node *x, const struct kt_node *y);
