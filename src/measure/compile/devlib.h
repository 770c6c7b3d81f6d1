#pragma once
/*
 * ROCm's device libraries for a compiler that does not find them by itself: a directory of the
 * installation, or one in the cache that links to it and adds oclc_isa_version_NNN.bc for a target
 * that is newer than the libraries.
 */
#include "measure/compile/compiler.h"
#include "measure/compile/devlib_places.h"

/* NULL and *dir, or why there is none, as a sentence's end. c needs path, hipcc and major. */
const char *devlib_find(
	const char **dir, struct arena *a, const struct compiler *c, const char *target);

/* Whether c compiles an empty device unit for target with the flags more (NULL-terminated). What it
 * says to -v is appended to said, unless that is NULL. */
bool compiler_accepts(
	const struct compiler *c, const char *target, const char *const *more, struct sbuf *said);
