#pragma once
/*
 * The part of a carrier that a merge is about: of a struct or array the members and the elements
 * at constant indexes that its arms write, where nothing else of it is written there. The compiler
 * takes a variable apart into these before it makes phis, if none of its elements is indexed by
 * what is known at run time only.
 */
#include "analysis/merge/merge.h"

struct carried {
	unsigned width; /* VGPRs per lane of the parts that some arm reads the old value of */
	unsigned phis;
};

/* False: it is about all of the carrier, or that is not known. */
bool carried_parts(struct carried *out, struct facts *f, const struct merge *m, loc_id loc);
