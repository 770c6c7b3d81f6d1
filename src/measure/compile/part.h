#pragma once
/*
 * Code for a few kernels of a unit. A unit of a thousand instantiations spends nine tenths of its
 * compile after the front end, kernel by kernel: so the front end writes IR, the kernels that
 * nobody asks for lose their bodies in it, and the compiler proper goes on from there, with the
 * words that its driver has for the whole. The figures may differ a little from those of the whole
 * unit: it serves for drafts. Internal to the room.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

/* IR of a unit as the front end writes it -> the same where kernels but those that symbols
 * (NULL-terminated, mangled) names return at once. False: one of them is not in it. */
bool part_prune(struct sbuf *out, struct str ir, const char *const *symbols);

/* What the driver said to -###, asked for assembly -> the words that make code from the IR in file;
 * in a, NULL-terminated. NULL: it does not say. */
const char *const *part_words(struct arena *a, struct str said, const char *file);
