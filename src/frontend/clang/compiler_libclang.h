#pragma once
/*
 * Finds the libclang that parses the files: the one of the compiler that compiles them, so that
 * both have the same headers, builtins and targets. Internal to the frontend.
 */
#include <stdbool.h>

#include "base/arena.h"
#include "base/words.h"

/* Libraries beside the compiler, the most likely first. compiler: a program's path or name, or
 * NULL: unknown. no_cache: do not keep its answers. The caller releases the lists. */
void compiler_libclang_find(
	struct words *out, struct arena *a, const char *compiler, bool no_cache);
/* The major version of the clang that the compiler is or calls, such as 21; 0: unknown. */
unsigned compiler_libclang_version(struct arena *a, const char *compiler, bool no_cache);
/* Libraries of every installed ROCm and LLVM, the newest first. */
void compiler_libclang_find_any(struct words *out, struct arena *a);
