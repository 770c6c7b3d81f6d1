#pragma once
/*
 * Which libclang reads the files: the one that belongs to the compiler that compiles them, so that
 * both take the same headers, builtins and targets. Internal to the frontend.
 */
#include <stdbool.h>

#include "base/arena.h"
#include "base/words.h"

/* Libraries beside the compiler, the likeliest first. compiler: a program's path or name, or NULL:
 * not known. no_cache: keep nothing of what it answers. The caller releases the lists. */
void compiler_libclang_find(
	struct words *out, struct arena *a, const char *compiler, bool no_cache);
/* The clang that the compiler is or calls, 21; 0: it does not say. */
unsigned compiler_libclang_version(struct arena *a, const char *compiler, bool no_cache);
/* Those of every ROCm and LLVM here, the newest first. */
void compiler_libclang_find_any(struct words *out, struct arena *a);
