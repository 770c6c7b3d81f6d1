#pragma once
/*
 * The includes at the top of a file, and those of the command line, cost more than the file: they
 * are parsed once, and kept in the cache as a precompiled header. Internal to the frontend.
 *
 * What is kept is the parse of a file of its own that holds the directives only; in the file itself
 * blanks stand in their place, so that nothing is included twice and no offset changes. It belongs
 * to one libclang, one list of arguments and one text of directives, and to the files that it read
 * as they were. Whatever is unusual has no precompiled form: the caller then parses everything, as
 * it does when a parse that used one has errors.
 */
#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"

/* To be after -Xclang in every parse that makes or uses one. With modules, which C++20 switches
 * on, libclang takes functions of a precompiled header that differ only in host and device for
 * one: it finds errors in HIP's own headers, and loses an operator delete, without which it crashes
 * on what allocates (https://github.com/llvm/llvm-project/issues/106394 is alike). */
#define PREAMBLE_FLAG "-fno-cxx-modules"

struct preamble {
	const char *pch;   /* path of the precompiled header */
	size_t end;	   /* of the directives in the file */
	struct str stamps; /* of the files that were read */
	/* the user's headers with words of place_words.h, or with names that begin like those of
	 * rewrites, one a line */
	struct str placed;
	struct str key; /* of the cache's entry */
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
