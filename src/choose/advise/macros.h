#ifndef UNPHI_CHOOSE_ADVISE_MACROS_H
#define UNPHI_CHOOSE_ADVISE_MACROS_H
/*
 * Macros of a file that -D can set: a number behind #ifndef,
 *
 *	#ifndef BLOCK_M
 *	#define BLOCK_M 128
 *
 * with the value that it has under the user's flags.
 */
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

struct macro {
	const char *name;
	int64_t value;
};

/* In order of the text, at most max of them; those that the flags set to no number are left out.
 * flags: NULL-terminated. */
size_t macros_find(
	struct macro *out, size_t max, struct arena *a, struct str text, const char *const *flags);
#endif
