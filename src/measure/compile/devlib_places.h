#pragma once
/* The directories of this machine with ROCm's device libraries. */
#include "base/arena.h"
#include "base/words.h"

#define DEVLIB_OPTION "--rocm-device-lib-path="

/* In this order: named by the user, in the compiler's resource directory own (or NULL), ROCm's, of
 * every installed LLVM. */
void devlib_places(struct words *out, struct arena *a, const char *own);
/* A hash of the directories that devlib_find searches, with their times: equal hash, equal result.
 * own: the compiler's resource directory, or NULL. In a. */
const char *devlib_state(struct arena *a, const char *own);
