#pragma once
/*
 * Flags that make a compiler write additional files: traces, remarks, statistics, dependency files.
 * unphi runs the compiler many times on texts of its own, and must not overwrite files of the
 * user's build.
 */
#include <stddef.h>

/* The number of words at f to leave out, wrapped ones (-Xclang -x -Xclang FILE) included; 0: not
 * such a flag. */
size_t flags_beside(const char *const *f);
