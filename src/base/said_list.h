#pragma once
/* The errors and warnings of a run (base/said.h) as a list, for those who print them. */
#include "base/arena.h"
#include "base/said.h"

/* What bytes of said_since hold, each once, in the order in which they were said; in a. False when
 * they end early. */
bool said_read(struct said **out, size_t *n, struct arena *a, struct str bytes);
/* The same of all so far. */
size_t said_list(struct said **out, struct arena *a);
/* The place that a line begins with, "a.hip:3:5: error: ..."; the rest is the text. False when it
 * has no line number. */
bool said_place(struct said *out, struct arena *a, struct str line);
