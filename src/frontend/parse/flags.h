#pragma once
/*
 * Flags of a compile command that a parse gets. The command may be a stranger's
 * (compile_commands.json of a tree that was only checked out), so what passes is what is known to
 * say what the source means: macros, include paths, the language and its dialect, the target,
 * warnings. All else is dropped, whether it writes files, loads code, names more flags (response
 * and configuration files) or is unknown here.
 */
#include <stdbool.h>
#include "base/arena.h"

/* NULL-terminated; flags may be NULL. Words and array live in a. */
const char *const *flags_for_parse(struct arena *a, const char *const *flags);
/* Are the files that flags have read as a text (-include and its like) no pipes, devices or
 * directories? A parser would read them without end. FAIL_USAGE after a message; what is missing is
 * left to the parser. Names mean what they say in directory; NULL: in ours. */
int flags_check_files(struct arena *a, const char *directory, const char *const *flags);
/* Do they define what signed overflow does? flags may be NULL. */
bool flags_wrap(const char *const *flags);
