#include "base/kept/stamped.h"

bool stamped_get(struct stamped *out, struct arena *a, struct cache *c, struct str key, bool exact)
{
	struct sbuf entry = {0};
	bool found = cache_get(&entry, c, key);
	struct str whole = sbuf_finish(&entry, a), rest = whole;

	*out = (struct stamped){.stamps = STR(""), .content = STR("")};
	if (!found || !stamps_hold(a, &rest, exact)) {
		return false;
	}
	*out = (struct stamped){str_sub(whole, 0, whole.n - rest.n), rest};
	return true;
}

void stamped_put(struct cache *c, struct str key, struct str stamps, struct str content)
{
	struct sbuf entry = {0};

	sbuf_addstr(&entry, stamps);
	sbuf_addstr(&entry, content);
	cache_put(c, key, sbuf_str(&entry));
	sbuf_release(&entry);
}
