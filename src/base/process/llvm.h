#pragma once
/* Paths inside an installation of LLVM. */
#include "base/arena.h"
#include "base/words.h"

/* Adds the paths that match a pattern of glob, copied into a, each once, the newest first. */
void llvm_add_matches(struct words *out, struct arena *a, const char *pattern);
/* The compiler's -print-resource-dir, in a: "/usr/lib/llvm-19/lib/clang/19"; NULL on failure. */
const char *llvm_resource_dir(struct arena *a, const char *compiler);
