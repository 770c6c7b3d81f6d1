#pragma once
/*
 * The includes at the top of a file, and those of the command line, cost more than the file: they
 * are parsed once, and kept in the cache as a precompiled header. Internal to the frontend.
 *
 * The precompiled file contains only the directives. In the file itself blanks replace them, so
 * that no header is included twice and no offset changes. A precompiled header is valid for one
 * libclang, one list of arguments, one text of directives, and the unchanged files that it read.
 * Unusual code has no precompiled form. The caller then parses everything, as it also does if a
 * parse that used one has errors.
 */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* Goes after -Xclang in every parse that makes or uses one. With modules, which C++20 enables,
 * libclang merges functions of a precompiled header that differ only in host and device. It then
 * reports errors in HIP's own headers and loses an operator delete, without which it crashes on
 * code that allocates (similar: https://github.com/llvm/llvm-project/issues/106394). */
#define PREAMBLE_FLAG "-fno-cxx-modules"

struct preamble {
	const char *pch;   /* path of the precompiled header */
	size_t end;	   /* the end of the directives in the file */
	struct str stamps; /* of the files that were read */
	/* the user's headers with words of place_words.h or with names that have the prefix of
	 * rewrites, one a line */
	struct str placed;
	struct str key; /* the key of the cache entry */
	struct cache *cache;
};

/* The precompiled form of text's preamble; it is made if there is none yet. args: a whole command
 * line whose last word is the path of the file. sparing: make it only if another process asked
 * for it before. False if there is none. Lives in a. */
bool preamble_open(struct preamble *out, struct arena *a, const char *const *args, size_t n,
	struct str text, bool sparing);
/* Does this flag, with the argument after it, include a file? The precompiled form contains that
 * file, and is used without the flag. */
bool preamble_has_flag(const char *flag);
/* libclang gives files of a precompiled header full paths. Maps these to the names that a complete
 * parse gives (const char * in a), where the two differ. */
void preamble_names(struct map *names, struct arena *a, const struct preamble *p);
/* Notes that it led to errors that a complete parse does not have, or that libclang crashed on it,
 * so that it is not made again until a file changes. unreadable: only its file is bad, and it may
 * be made anew. */
void preamble_reject(struct preamble *p, bool unreadable);
