#ifndef UNPHI_FRONTEND_TWIN_H
#define UNPHI_FRONTEND_TWIN_H
/*
 * Which libclang reads the files: the one that belongs to the compiler that compiles them, so that
 * both take the same headers, builtins and targets. Internal to the frontend.
 */
#include <stdbool.h>

#include "base/arena.h"
#include "base/words.h"

struct twin {
	const char *named; /* UNPHI_LIBCLANG: this one and no other; or NULL */
	struct words own;  /* libraries beside the compiler, the likeliest first */
	struct words any;  /* those of every ROCm and LLVM here, the newest first */
};

/* compiler: a program's path or name, or NULL: not known. no_cache: keep nothing of what it
 * answers. The caller releases *out. */
void twin_find(struct twin *out, struct arena *a, const char *compiler, bool no_cache);
void twin_release(struct twin *t);

#endif
