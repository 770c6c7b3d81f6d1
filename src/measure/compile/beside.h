#pragma once
/*
 * Flags with which a compiler writes more than its output: traces, remarks, statistics, dependency
 * files. unphi asks it many times, of texts that are not the user's, and must not write over what
 * the user's build makes.
 */
#include <stddef.h>

/* Words of the command at f, which may be wrapped (-Xclang -x -Xclang FILE), to leave out; 0: it
 * writes nothing. */
size_t flags_beside(const char *const *f);
