#pragma once
/*
 * A file that marks a directory as unphi's. A directory that is removed, or tidied up, after the
 * run that made it has one: a name is no proof, as anybody may have chosen the same. Nothing here
 * follows a link.
 */
#include <stdbool.h>

#include "base/str.h"

#define MARKER_NAME ".made-by-unphi"

/* Puts it into an open directory, whole or not at all. False with errno. */
bool marker_put(int dir, struct str text);
/* Is it there, a plain file of our user's with this text? */
bool marker_is(int dir, struct str text);
/* A directory of our user's that nobody else may write to. */
bool dir_is_own(int dir);
/* Is this the name of what marker_put leaves where it is killed? */
bool marker_is_part(const char *name);
