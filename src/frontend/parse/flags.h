#pragma once
/*
 * The flags of a compile command that a parse gets. The command may be untrusted
 * (compile_commands.json of a tree that was only checked out). So only flags pass that are known to
 * define the meaning of the source: macros, include paths, the language and its dialect, the
 * target, warnings. All others are dropped: those that write files, load code, or name more flags
 * (response and configuration files), and unknown ones.
 */
#include <stdbool.h>
#include "base/arena.h"

/* NULL-terminated; flags may be NULL. Words and array live in a. */
const char *const *flags_for_parse(struct arena *a, const char *const *flags);
/* Checks that the files of -include and similar flags are not pipes, devices or directories, which
 * a parser would read without end. FAIL_USAGE after a message. Missing files are left to the
 * parser. Names are relative to directory; NULL: the working directory. */
int flags_check_files(struct arena *a, const char *directory, const char *const *flags);
/* Do they define what signed overflow does? flags may be NULL. */
bool flags_wrap(const char *const *flags);
