#pragma once
/*
 * All caches together, for `unphi cache`, which lists and prunes them. Each cache is a directory of
 * files. Files that are not entries are left alone, and links are not followed.
 */
#include <time.h>

#include "base/arena.h"
#include "base/str.h"

/* Writes text to a file of this name. Equal texts get the same path: for programs that cache by
 * path. The file is removed a day after its last use. NULL if it cannot be written. */
const char *cache_text(struct arena *a, struct str text, const char *name);
/* The path for such a file, by a key in place of the text; the caller writes it. */
const char *cache_place(struct arena *a, struct str key, const char *name);
/* Removes those last used before since; returns how many. */
size_t cache_prune_texts(struct arena *a, time_t since);

struct cache_kind {
	const char *name;
	size_t entries;
	uint64_t bytes;
};

/* All caches, by name. NULL if there is no cache directory with unphi's marker. */
struct cache_kind *cache_kinds(size_t *n, struct arena *a);
/* Removes the entries last used before since, then the least recently used ones until all caches
 * take at most that many bytes. Returns what was removed. */
struct cache_pruned {
	size_t entries;
	uint64_t bytes;
};
struct cache_pruned cache_prune(struct arena *a, time_t since, uint64_t bytes);
