#pragma once
/* A text in place of a file, by an overlay of clang's virtual file system: the compiler reads the
 * text, and its messages name the file. */
#include "base/kept/cache.h"

/* Names in the cache. */
struct cc_stand_in {
	const char *text;
	const char *list; /* the overlay for -ivfsoverlay */
};

/* Stores both in c. False if that fails. Names live in a. */
bool cc_stand_in_keep(struct cc_stand_in *out, struct arena *a, struct cache *c, const char *source,
	struct str text);
