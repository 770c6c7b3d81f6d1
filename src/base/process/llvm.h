#pragma once
/* Where an installation of LLVM has its parts. */
#include "base/arena.h"
#include "base/words.h"

/* Adds the paths that match a pattern of glob, copied into a, each once, the newest first. */
void llvm_add_matches(struct words *out, struct arena *a, const char *pattern);
/* What the compiler answers to -print-resource-dir, in a: "/usr/lib/llvm-19/lib/clang/19"; NULL
 * where it gives no answer. */
const char *llvm_resource_dir(struct arena *a, const char *compiler);
