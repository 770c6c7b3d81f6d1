#pragma once
/*
 * The includes at the top of a text take at least as long to compile as a small kernel. Texts with
 * equal includes share a precompiled header. The user's own compiler makes it once, and the cache
 * keeps it while the files it was made from are unchanged. In the compiled text, blanks replace the
 * includes. The code is equal byte for byte (tests/unit/pch_test.c), but clang does not guarantee
 * that. So it is used only for drafts (measure_job), and the final choice is compiled as the user
 * compiles. Internal to compile/.
 */
#include "base/map.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/compile_cache.h"

struct pch {
	const char *path; /* of the precompiled header; NULL: none yet */
	struct cache *cache;
	struct str key;	    /* in the cache, and in the batch */
	struct str stamps;  /* of the files it was made from */
	const char *source; /* a cached file with only the directives */
	const char *begun;  /* the file being written */
	const char *rule;
};

/* The headers of a batch, by key. A zeroed set is empty. */
struct pch_set {
	struct map known; /* struct pch * */
};

void pch_set_release(struct pch_set *s);

/* The header for job's text. words: the compile command without the file. NULL: the text cannot
 * have one. If it must be made, *command is set for the first caller, who runs it and calls
 * pch_finish; else *command is NULL. */
struct pch *pch_open(struct pch_set *s, struct compile_cache *k, const struct measure_job *job,
	const char *const *words, const char *const **command);
void pch_finish(struct pch *p, struct compile_cache *k, const struct measure_job *job,
	const struct proc_result *r, struct str said);
/* Call it if a text compiles only without the header: the header is not made again while its files
 * are unchanged. */
void pch_reject(struct pch *p);

/* Appends the options of a compile with the header, without options that the header already holds
 * (-include). */
void pch_add_words(struct words *out, const struct pch *p, const char *const *words);
/* A copy of job's text for a compile with a precompiled header: its path, in the arena; NULL if it
 * cannot be written. */
const char *pch_text(struct compile_cache *k, const struct measure_job *job);
