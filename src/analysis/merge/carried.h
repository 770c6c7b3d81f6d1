#pragma once
/*
 * The part of a carrier that crosses a merge. For a struct or array these are the members, and the
 * elements at constant indexes, that the arms write, if they write no others. The compiler splits a
 * variable into these before it makes phis, if none of its elements is indexed at run time.
 */
#include "analysis/merge/merge.h"

struct carried {
	unsigned width; /* VGPRs per lane of the parts whose old value some arm reads */
	unsigned phis;
};

/* False: all of the carrier crosses, or that is unknown. */
bool carried_parts(struct carried *out, struct facts *f, const struct merge *m, loc_id loc);
