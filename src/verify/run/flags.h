#pragma once
/* The user's flags, as far as a compiler needs them that is not the user's own. Internal to the
 * room. */
#include "base/arena.h"

/* Those that change what the source says; NULL-terminated, in a. flags may be NULL. */
const char *const *flags_of_source(struct arena *a, const char *const *flags);
/* The same in nvcc's words, and its flags for fusing and fast mathematics. */
const char *const *flags_of_nvcc(struct arena *a, const char *const *flags);
