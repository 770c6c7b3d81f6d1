#pragma once
/*
 * The directory of all caches: $XDG_CACHE_HOME/unphi, else ~/.cache/unphi. Each cache is a
 * directory in it. A new or empty directory gets unphi's marker. In a directory without the marker,
 * which may be someone's checkout, nothing is read, written or removed. A link to it is followed if
 * our user owns it, and the target must meet the same conditions; inside, no link is followed.
 */
#include "base/arena.h"
#include "base/str.h"

/* The directory, created if missing; NULL if it cannot be used. Directories that others may write
 * to, or that another user owns (sudo keeps HOME), are not used. */
const char *cache_dir(struct arena *a);
/* Opens that directory and returns the descriptor; -1 on failure. */
int cache_root_open(struct arena *a);
/* Why there is no cache directory, as a sentence with the remedy; NULL if there is one. */
const char *cache_refusal(struct arena *a);
/* The same, only for a directory that exists and that we may not write to; else NULL. */
const char *cache_not_ours(struct arena *a);

/* Opens the directory name in root; -1 if it is a link or others may write to it. */
int cache_kind_open(int root, const char *name);
/* The same, created if missing. */
int cache_kind_make(int root, const char *name);
/* Is the parent of this open directory one with unphi's marker? */
bool cache_kind_is_ours(int kind);
