#pragma once
/*
 * Arms that end alike: with stores that are written in the same way.
 *
 *   if (flag) {
 *           float v[32]; v[i] = in[lane * 32 + i], ...         out[lane * 32 + i] = v[i];
 *   } else {
 *           something else, of the same indices                out[lane * 32 + i] = v[i];
 *   }
 *
 * The compiler makes one store of the two after the merge (SimplifyCFG,
 * sinkCommonCodeFromPredecessors), and a phi of what each arm stores. Where the arm has asked for
 * the index before, for a load, that is a phi as well: the address cannot be an offset in the
 * instruction any more, so that each takes a register of its own.
 */
#include "analysis/lanes/uniform.h"

struct ends {
	unsigned values;  /* VGPRs per lane that both arms store */
	unsigned indices; /* and of indices that differ between lanes and were used before */
};

void ends_find(struct ends *out, struct facts *f, struct uniformity *u, struct arena *a,
	const struct kt_node *x, const struct kt_node *y);
