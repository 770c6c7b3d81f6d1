#pragma once
/*
 * Caches the host compiler's output: the runner's objects and whole launchers. A key holds the
 * compiler (path, size, time and --version), its command line, its environment and the source text.
 * An entry also has the size and time of each file that the text includes; a changed one makes the
 * entry invalid. Internal to run/.
 */
#include "base/kept/cache.h"

struct build_cache;

/* version: the compiler's --version. c NULL: nothing is kept or found. */
struct build_cache *build_cache_open(
	struct arena *a, struct cache *c, const char *compiler, struct str version);

/* The key of the output of the command words (NULL-terminated) for text; in the arena. */
struct str build_cache_key(struct build_cache *s, const char *const *words, struct str text);

/* Copies the cached file to path, readable and executable by the owner. */
bool build_cache_get(struct build_cache *s, struct str key, const char *path);
/* Adds the file at path to the cache. depends: a file with a make rule of its inputs, or NULL;
 * inputs in the directory own are skipped, as the key covers them. */
void build_cache_put(struct build_cache *s, struct str key, const char *path, const char *depends,
	const char *own);
