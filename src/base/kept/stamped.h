#pragma once
/* Cache entries that are valid only while certain files are unchanged: the stamps of these files
 * and an empty line come before the content. */
#include "base/kept/cache.h"
#include "base/kept/stamp.h"

struct stamped {
	struct str stamps; /* with the empty line */
	struct str content;
};

/* False, and out empty, if there is no valid entry. exact: as in stamps_hold. In a. */
bool stamped_get(struct stamped *out, struct arena *a, struct cache *c, struct str key, bool exact);
void stamped_put(struct cache *c, struct str key, struct str stamps, struct str content);
