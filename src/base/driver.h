#pragma once
/* Options of clang's driver and of hipcc, as words of a command line. */
#include "base/str.h"

/* Sets of options that take the next word as their value, if their own word holds none. */
enum driver_option {
	DRIVER_NEXT = 1 << 0,	/* all of the driver's */
	DRIVER_OUTPUT = 1 << 1, /* name outputs, and do not change the meaning of the source */
	DRIVER_UNREAD = 1 << 2, /* not passed to libclang; cc1's own options, too */
	DRIVER_OURS = 1 << 3,	/* GPU, linker, output: unphi passes its own instead */
};
bool driver_takes_next(const char *word, enum driver_option which);
/* -Xclang and the like: the next word is an option for another program. */
bool driver_wraps_next(const char *word);
/* The header search directory that the option at words names, in the same word or the next. Empty
 * for other options. */
struct str driver_search_dir(const char *const *words);
