#pragma once
/*
 * A cache keeps results between runs, in the directory of kept/root.h. The key of an entry is any
 * text that names everything the content depends on. The entry's file holds key and content. It is
 * used only if the key is equal byte for byte and the checksum of the content matches.
 *
 * A cache that cannot be opened, read or written is not an error, and no message is printed.
 * Entries appear whole or not at all, so any number of processes may share a cache. If they exceed
 * the size limit, the least recently used ones are removed; files that are not entries are left
 * alone. UNPHI_CACHE_LIMIT in the environment sets the limit of each cache, in MiB.
 */
#include <stdint.h>

#include "base/arena.h"
#include "base/kept/root.h"
#include "base/str.h"

struct cache;

/* Opens the directory name under cache_dir. Never NULL: without a directory it is a cache that
 * finds nothing. It lives in a. */
struct cache *cache_open(struct arena *a, const char *name, uint64_t limit_bytes);
/* Appends the content of an entry to out. False, and out unchanged, if there is none. */
bool cache_get(struct sbuf *out, struct cache *c, struct str key);
void cache_put(struct cache *c, struct str key, struct str content);

/* Files for other programs to read (such as precompiled headers); an entry records their names.
 * They count towards the limit and are removed like entries. The name is a hash of the content, so
 * equal content has the same name in every cache, and a modified file is not found. One is written
 * at a time. Paths and names live in the arena. */
/* A path to write such a file to; removed at exit unless it is kept. NULL if there is no cache. */
const char *cache_file_begin(struct cache *c);
/* Syncs the file and renames it to its final name, which is returned. On failure it is removed:
 * NULL. */
const char *cache_file_keep(struct cache *c, const char *begun);
void cache_file_drop(struct cache *c, const char *begun);
/* cache_file_begin and cache_file_keep for a text. */
const char *cache_file_put(struct cache *c, struct str text);
/* The path of a file, marked as used now; NULL if it is gone or was modified. */
const char *cache_file_find(struct cache *c, const char *name);

/* The file name of the entry with this key. */
const char *cache_name(struct arena *a, struct str key);
/* Is this the name of an entry or of such a file? */
bool cache_is_name(const char *name);
/* Removes an entry from an open cache directory; false on failure, or if it is not an entry. */
bool cache_remove(int dir, const char *name);
