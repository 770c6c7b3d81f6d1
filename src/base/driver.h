#pragma once
/* The words of a command line that clang's driver, or hipcc, takes. */
#include "base/str.h"

/* Options whose value is the next word, where they have none in their own. */
enum driver_option {
	DRIVER_NEXT = 1 << 0,	/* all that the driver has */
	DRIVER_OUTPUT = 1 << 1, /* where results go: nothing that changes what the source means */
	DRIVER_UNREAD = 1 << 2, /* a parser is not to have it; the compiler proper's, too */
	DRIVER_OURS = 1 << 3,	/* for GPU, linker and output ours stands in */
};
bool driver_takes_next(const char *word, enum driver_option which);
/* -Xclang and its like: the next word is an option for somebody else. */
bool driver_wraps_next(const char *word);
/* The directory in which the option there looks for headers, in the same word or the next; n 0: it
 * names none. */
struct str driver_search_dir(const char *const *words);
