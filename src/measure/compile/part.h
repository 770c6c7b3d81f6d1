#pragma once
/*
 * Compiles some kernels of a unit. A unit with a thousand instantiations spends nine tenths of its
 * compile time in the back end. So the front end writes IR, the bodies of the other kernels are
 * removed from it, and cc1 compiles the rest, with the driver's options for the whole unit. The
 * figures may differ a little from those of the whole unit, so it is used only for drafts. Internal
 * to compile/.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

/* Copies the IR of a unit, with all kernels empty except those in symbols (NULL-terminated,
 * mangled). False: one of these is missing. */
bool part_prune(struct sbuf *out, struct str ir, const char *const *symbols);

/* From the driver's -### output for assembly (said): the command that compiles the IR in file; in
 * a, NULL-terminated. NULL: not found. */
const char *const *part_words(struct arena *a, struct str said, const char *file);
