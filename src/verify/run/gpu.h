#pragma once
/*
 * The GPU that runs the cases, and its compiler: hipcc for AMD, nvcc for NVIDIA. All results live
 * in the caller's arena.
 */
#include "base/arena.h"
#include "target/target.h"

struct gpu {
	bool nvidia;
	const char *compiler; /* full path */
	/* AMD: the targets in this machine; 0: unknown, since only the compiler was named */
	const char *const *arch;
	size_t archs;
};

/* wanted: the compiler, or NULL. With a named compiler no GPU is searched for; if there is none,
 * the launcher fails. FAIL_USAGE after a message if there is no GPU or no compiler. */
int gpu_find(struct gpu *out, struct arena *a, const char *wanted);

/* The start of the compile command for this target, with the compiler's path first;
 * NULL-terminated. dir holds the files of runtime.h. FAIL_USAGE or FAIL_INPUT after a message. */
int gpu_words(const char *const **out, struct arena *a, const struct gpu *g, const struct target *t,
	const char *dir, const char *const *flags);

/* A clearer message for a compiler error about features that only AMD GPUs have. NULL: said is
 * clear enough. */
const char *gpu_words_of_failure(struct arena *a, const struct gpu *g, struct str said);
