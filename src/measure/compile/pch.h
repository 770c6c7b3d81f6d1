#pragma once
/*
 * The includes at the top of a text take a compiler as long as a small kernel does, or longer.
 * Texts with the same ones are compiled with a precompiled header: the user's own compiler makes it
 * of them once, and the cache keeps it for as long as all that it read is what it was. In a text
 * that is compiled with it blanks stand in their place. The code that comes out is the same to the
 * byte (tests/unit/pch_test.c), but nobody promises that: it serves for drafts (measure_job), and
 * what is decided by them is compiled as the user will compile it. Internal to the room.
 */
#include "base/map.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/compile_cache.h"

struct pch {
	const char *path; /* of the precompiled header; NULL: there is none, or not yet */
	struct cache *cache;
	struct str key;	    /* in the cache, and in the batch */
	struct str stamps;  /* of what it was made from */
	const char *source; /* the directives alone: a file of the cache */
	const char *begun;  /* the file that it is being written to */
	const char *rule;
};

/* Those of a batch, by their keys. A zeroed one is empty. */
struct pch_set {
	struct map known; /* struct pch * */
};

void pch_set_release(struct pch_set *s);

/* The one for job's text. words: the command that compiles the text, but for the file. NULL: it
 * cannot have one. Where it is not made yet the first who asks gets the command for that, and gives
 * its result to pch_finish; else *command is NULL. */
struct pch *pch_open(struct pch_set *s, struct compile_cache *k, const struct measure_job *job,
	const char *const *words, const char *const **command);
void pch_finish(struct pch *p, struct compile_cache *k, const struct measure_job *job,
	const struct proc_result *r, struct str said);
/* A text compiles without it, and not with it: not to be made again, as long as the files are what
 * they are. */
void pch_reject(struct pch *p);

/* Appends the words of a compile with it: what it was made with is not read once more. */
void pch_add_words(struct words *out, const struct pch *p, const char *const *words);
/* A copy of job's text for a compile with a precompiled header: its path, in the arena; NULL where
 * it cannot be written. */
const char *pch_text(struct compile_cache *k, const struct measure_job *job);
