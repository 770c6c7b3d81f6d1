#pragma once
/*
 * The directory that all caches are in, and who may tidy it up: $XDG_CACHE_HOME/unphi, else
 * ~/.cache/unphi. Each cache is a directory in it. It has our marker, which one that is new or
 * empty gets; in one without it, which may be somebody's checkout, nothing is written, believed or
 * removed. A link is followed when it is our user's own, and then the same holds for what it leads
 * to; in the directory no link is followed.
 */
#include "base/arena.h"
#include "base/str.h"

/* Our directory, made if need be; NULL when it cannot be had. Directories that others may write to,
 * or that belong to somebody else (sudo keeps HOME), are not used. */
const char *cache_dir(struct arena *a);
/* The same, open; -1. */
int cache_root_open(struct arena *a);
/* Why there is none, as a sentence with the remedy; NULL when there is one. */
const char *cache_refusal(struct arena *a);
/* The same where it is there, but not ours to write; NULL for all else. */
const char *cache_not_ours(struct arena *a);

/* A directory in an open one, not a link, and only the user may write to it; -1. */
int cache_kind_open(int root, const char *name);
/* The same, made if need be. */
int cache_kind_make(int root, const char *name);
/* Does this open one stand in a directory with our marker? */
bool cache_kind_is_ours(int kind);
