#pragma once
/* Entries of a cache that hold for as long as files are what they were: the stamps of these, and an
 * empty line, stand in front of the content. */
#include "base/kept/cache.h"
#include "base/kept/stamp.h"

struct stamped {
	struct str stamps; /* with the empty line */
	struct str content;
};

/* False, and out empty, when there is none that still holds. exact: as in stamps_hold. In a. */
bool stamped_get(struct stamped *out, struct arena *a, struct cache *c, struct str key, bool exact);
void stamped_put(struct cache *c, struct str key, struct str stamps, struct str content);
