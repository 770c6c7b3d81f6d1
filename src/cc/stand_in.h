#pragma once
/* A text in place of a file, for clang's virtual file system: the compiler reads the text and says
 * the file's name, wherever it says one. */
#include "base/kept/cache.h"

/* Names in the cache. */
struct cc_stand_in {
	const char *text;
	const char *list; /* what -ivfsoverlay takes */
};

/* Keeps both in c. False when that cannot be. Names live in a. */
bool cc_stand_in_keep(struct cc_stand_in *out, struct arena *a, struct cache *c, const char *source,
	struct str text);
