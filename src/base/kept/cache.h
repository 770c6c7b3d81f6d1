#ifndef UNPHI_BASE_KEPT_CACHE_H
#define UNPHI_BASE_KEPT_CACHE_H
/*
 * The cache: what can be made again, kept between runs. Files in $XDG_CACHE_HOME/unphi, else
 * ~/.cache/unphi. An entry is found by its key, any text that names all that its content depends
 * on. The file holds key and content, and is only believed when the key is the same to the last
 * byte and the content has its checksum.
 *
 * A cache is a convenience: one that cannot be had, read or written is no error, and nothing is
 * said. Entries appear whole or not at all, so any number of processes may share a cache. When all
 * of them take more than the limit, those that were not asked for for longest go.
 * UNPHI_CACHE_LIMIT in the environment is another limit, for each cache, in MiB.
 */
#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"

struct cache;

/* Our directory, made if need be; NULL when it cannot be had. Directories that others may write to,
 * or that belong to somebody else (sudo keeps HOME), are not used. */
const char *cache_dir(struct arena *a);

/* All in a directory of its own under cache_dir. Never NULL; it may be a cache that finds nothing.
 * It lives in a. */
struct cache *cache_open(struct arena *a, const char *name, uint64_t limit_bytes);
/* Appends the content of an entry to out. False, and out as it was, when there is none. */
bool cache_get(struct sbuf *out, struct cache *c, struct str key);
void cache_put(struct cache *c, struct str key, struct str content);

/* Files that other programs read, by a name that an entry is to hold: they count towards the limit
 * and go like entries, but nothing looks into them. One is written at a time. Paths and names live
 * in the arena. */
/* A path for such a file to be written to; removed at our end unless it is kept. NULL when there is
 * no cache. */
const char *cache_file_begin(struct cache *c);
/* On the disk and under its name for good; NULL, and gone, when that cannot be. */
const char *cache_file_keep(struct cache *c, const char *begun);
void cache_file_drop(struct cache *c, const char *begun);
/* Its path, and notes that it is of use; NULL when it is gone. */
const char *cache_file_find(struct cache *c, const char *name);
#endif
