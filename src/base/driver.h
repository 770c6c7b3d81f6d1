#ifndef UNPHI_BASE_DRIVER_H
#define UNPHI_BASE_DRIVER_H
/* The words of a command line that clang's driver, or hipcc, takes. */
#include "base/str.h"

/* An option whose value is the next word, where it has none in its own. */
bool driver_takes_next(const char *word);
/* -Xclang and its like: the next word is an option for somebody else. */
bool driver_wraps_next(const char *word);
/* The directory in which the option there looks for headers, in the same word or the next; n 0: it
 * names none. */
struct str driver_search_dir(const char *const *words);
#endif
