#pragma once
/*
 * The GPU that cases are run on, and the compiler that builds for it: hipcc for AMD's, nvcc for
 * NVIDIA's. What is handed out lives in the caller's arena.
 */
#include "base/arena.h"
#include "target/target.h"

struct gpu {
	bool nvidia;
	const char *compiler; /* full path */
	/* AMD: the targets in this machine; 0: not known, as only the compiler was named */
	const char *const *arch;
	size_t archs;
};

/* wanted: the compiler, or NULL. One that is named is believed: whether there is a GPU for it shows
 * when the launcher runs. FAIL_USAGE after a message when there is no GPU or no compiler. */
int gpu_find(struct gpu *out, struct arena *a, const char *wanted);

/* The words that a compile for this target begins with, the compiler's path first; NULL-terminated.
 * dir has the files of runtime.h, source_dir the user's file. FAIL_USAGE or FAIL_INPUT after a
 * message. */
int gpu_words(const char *const **out, struct arena *a, const struct gpu *g, const struct target *t,
	const char *dir, const char *const *flags);

/* What a compiler said, in words that help, for features that only AMD's GPUs have. NULL:
 * unchanged. */
const char *gpu_words_of_failure(struct arena *a, const struct gpu *g, struct str said);
