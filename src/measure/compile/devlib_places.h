#pragma once
/* The directories here that hold ROCm's device libraries. */
#include "base/arena.h"
#include "base/words.h"

#define DEVLIB_OPTION "--rocm-device-lib-path="

/* Those that the user named come first, then the compiler's, in its resource directory own (or
 * NULL), ROCm's, and those of every LLVM here. */
void devlib_places(struct words *out, struct arena *a, const char *own);
/* A hash of the directories that devlib_find finds device libraries in, and of their times: while
 * it is the same, so is the answer. own: the compiler's resource directory, or NULL. In a. */
const char *devlib_state(struct arena *a, const char *own);
