#pragma once
/*
 * A file that marks a directory as unphi's. unphi removes or prunes a directory of an earlier run
 * only if it holds this file: the name of a directory proves nothing. Nothing here follows a link.
 */
#include <stdbool.h>

#include "base/str.h"

#define MARKER_NAME ".made-by-unphi"

/* Writes the marker into an open directory, whole or not at all. False with errno. */
bool marker_put(int dir, struct str text);
/* Does the directory hold the marker, a regular file of our user with this text? */
bool marker_is(int dir, struct str text);
/* Is this a directory of our user that nobody else may write to? */
bool dir_is_own(int dir);
/* Is this the temporary name that marker_put leaves if it is killed? */
bool marker_is_part(const char *name);
