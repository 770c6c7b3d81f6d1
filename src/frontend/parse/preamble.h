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
	struct str stamps; /* of what was read */
	struct str placed; /* the user's headers that hold words of place_words.h, or names that
			      begin as those of rewrites do, one a line */
	struct str key;	   /* of the cache's entry */
	struct cache *cache;
};

/* The precompiled form of text's preamble, made where there is none yet. args: a whole command line
 * whose last word is the path of the file. sparing: it is made the second time that it is asked
 * for. False when there is none. Lives in a. */
bool preamble_open(struct preamble *out, struct arena *a, const char *const *args, size_t n,
	struct str text, bool sparing);
/* Does this flag, with the argument after it, include a file? A precompiled form holds that file,
 * and is used without the flag. */
bool preamble_has_flag(const char *flag);
/* libclang names what comes from a precompiled header by a full path: from that to the name that a
 * parse of everything gives, a const char * in a, where they differ. */
void preamble_names(struct map *names, struct arena *a, const struct preamble *p);
/* It led to errors that a parse of everything does not have, or libclang crashed on it: not to
 * be made again, as long as the files are what they are. unreadable: its file is at fault, and it
 * can be made anew. */
void preamble_reject(struct preamble *p, bool unreadable);
