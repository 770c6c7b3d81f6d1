#pragma once
/* The errors and warnings of a run (base/said.h) as a list, for printing. */
#include "base/arena.h"
#include "base/said.h"

/* The messages in the bytes of said_since, in order and without duplicates; in a. False if the
 * bytes end early. */
bool said_read(struct said **out, size_t *n, struct arena *a, struct str bytes);
/* The same for all messages so far; returns their number. */
size_t said_list(struct said **out, struct arena *a);
/* Splits "a.hip:3:5: error: ..." into place and text. False if there is no line number. */
bool said_place(struct said *out, struct arena *a, struct str line);
