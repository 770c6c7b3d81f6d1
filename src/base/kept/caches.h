#pragma once
/*
 * All caches together, as a directory that people look at and tidy up: each cache is a
 * directory of files, and those of an entry have names that say nothing to anybody. What is no
 * entry is left alone, and so is everything past a link.
 */
#include <time.h>

#include "base/arena.h"
#include "base/str.h"

/* A file of this name, at a path that is the same whenever the text is: for programs that keep
 * things by paths. It goes a day after its last use. NULL where it cannot be written. */
const char *cache_text(struct arena *a, struct str text, const char *name);
/* The same for a file that is not written yet, by a key. */
const char *cache_place(struct arena *a, struct str key, const char *name);
/* Takes out those that were of no use since a time; their number. */
size_t cache_prune_texts(struct arena *a, time_t since);

struct cache_kind {
	const char *name;
	size_t entries;
	uint64_t bytes;
};

/* In order of names. NULL when there is no cache directory that is ours. */
struct cache_kind *cache_kinds(size_t *n, struct arena *a);
/* Takes out what was of no use since a time, then what was not for longest until all take at most
 * so many bytes. The number of entries that went, and their bytes. */
struct cache_pruned {
	size_t entries;
	uint64_t bytes;
};
struct cache_pruned cache_prune(struct arena *a, time_t since, uint64_t bytes);
