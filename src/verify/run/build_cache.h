#pragma once
/*
 * The host compiler's output, out of the cache: the runner's objects and whole launchers. A key
 * names the compiler (its path, size, time and what it says of itself), its words, the environment
 * that it reads, and the text that it is given; of the files that this text includes, size and time
 * are kept beside the object and must still be the same. Internal to the room.
 */
#include "base/kept/cache.h"

struct build_cache;

/* version: what the compiler says to --version. c NULL: nothing is kept or found. */
struct build_cache *build_cache_open(
	struct arena *a, struct cache *c, const char *compiler, struct str version);

/* The key of what words (NULL-terminated) make out of text; in the arena. */
struct str build_cache_key(struct build_cache *s, const char *const *words, struct str text);

/* Writes what is kept to path, for its owner to read and run. */
bool build_cache_get(struct build_cache *s, struct str key, const char *path);
/* Keeps the file at path. depends: a file with a make rule of what went into it, or NULL; what is
 * in the directory own (part of the key already) does not count. */
void build_cache_put(struct build_cache *s, struct str key, const char *path, const char *depends,
	const char *own);
