#pragma once
/* The user's flags, filtered for another compiler. Internal to run/. */
#include "base/arena.h"

/* Those that change the meaning of the source (-D, -I, -std, ...); NULL-terminated, in a. flags may
 * be NULL. */
const char *const *flags_of_source(struct arena *a, const char *const *flags);
/* The same as options of nvcc, with those for FMA contraction and fast math. */
const char *const *flags_of_nvcc(struct arena *a, const char *const *flags);
