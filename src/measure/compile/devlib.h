#pragma once
/*
 * ROCm's device libraries for a compiler that does not find them itself: a directory of the
 * installation, or a directory of links in the cache, with oclc_isa_version_NNN.bc added for a
 * target newer than the libraries.
 */
#include "measure/compile/compiler.h"
#include "measure/compile/devlib_places.h"

/* NULL, and the directory in *dir; or the error, as the end of a sentence. c needs path, hipcc and
 * major. */
const char *devlib_find(
	const char **dir, struct arena *a, const struct compiler *c, const char *target);

/* Does c compile an empty device unit for target with the flags more (NULL-terminated)? Appends the
 * -v output to said, unless that is NULL. */
bool compiler_accepts(
	const struct compiler *c, const char *target, const char *const *more, struct sbuf *said);
