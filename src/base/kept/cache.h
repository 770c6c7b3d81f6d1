#pragma once
/*
 * The cache: what can be made again, kept between runs, in the directory of kept/root.h. An entry
 * is found by its key, any text that names all that its content depends on. The file holds key and
 * content, and is only believed when the key is the same to the last byte and the content has its
 * checksum.
 *
 * A cache is a convenience: one that cannot be had, read or written is no error, and nothing is
 * said. Entries appear whole or not at all, so any number of processes may share a cache. When all
 * of them take more than the limit, those that were not asked for for longest go; what is no entry
 * stays. UNPHI_CACHE_LIMIT in the environment is another limit, for each cache, in MiB.
 */
#include <stdint.h>

#include "base/arena.h"
#include "base/kept/root.h"
#include "base/str.h"

struct cache;

/* All in a directory of its own under cache_dir. Never NULL; it may be a cache that finds nothing.
 * It lives in a. */
struct cache *cache_open(struct arena *a, const char *name, uint64_t limit_bytes);
/* Appends the content of an entry to out. False, and out as it was, when there is none. */
bool cache_get(struct sbuf *out, struct cache *c, struct str key);
void cache_put(struct cache *c, struct str key, struct str content);

/* Files that other programs read, under names that an entry is to hold: they count towards the
 * limit and go like entries. A name is made of what is in the file, so the same content has the
 * same name in any cache, and what was changed has another one and is not found. One is written at
 * a time. Paths and names live in the arena. */
/* A path for such a file to be written to; removed at our end unless it is kept. NULL when there is
 * no cache. */
const char *cache_file_begin(struct cache *c);
/* On the disk and under its name for good; NULL, and gone, when that cannot be. */
const char *cache_file_keep(struct cache *c, const char *begun);
void cache_file_drop(struct cache *c, const char *begun);
/* Both for a text. */
const char *cache_file_put(struct cache *c, struct str text);
/* Its path, and notes that it is of use; NULL when it is gone, or does not hold what it was kept
 * with. */
const char *cache_file_find(struct cache *c, const char *name);

/* The name of an entry with this key. */
const char *cache_name(struct arena *a, struct str key);
/* Is it the name of an entry, or of such a file? */
bool cache_is_name(const char *name);
/* Removes an entry from an open cache; false where it cannot, or what has the name is none. */
bool cache_remove(int dir, const char *name);
