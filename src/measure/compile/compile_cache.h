#pragma once
/*
 * The cache of compiles: a text that was compiled with the same words by the same compiler is not
 * compiled again. A key names the compiler (struct compiler, identity), its words and the text; the
 * files that the text includes are stamped, and so are the places where one could appear that would
 * be found before them. Kept is what the compiler wrote, not what was read from it. Only what
 * compiled: a failure may be the machine's. Internal to the room.
 */
#include "base/process/proc.h"
#include "measure/measure.h"

struct compile_cache;

/* Lives in a, until compile_cache_release. */
struct compile_cache *compile_cache_open(struct arena *a);
void compile_cache_release(struct compile_cache *k);

/* The key of a compile; n 0 where nothing is to be kept of it: no_cache, a compiler that is not
 * known to the last file, flags that read files which no make rule names, a text that asks for the
 * time. words: all of the command but the file. */
struct str compile_cache_key(
	struct compile_cache *k, const struct measure_job *job, const char *const *words);
/* The part of it that names the compiler and its words; false where nothing is to be kept. */
bool compile_cache_key_head(
	struct sbuf *out, const struct measure_job *job, const char *const *words);
/* The words that make the compiler write what it reads, and where to; in the arena, or NULL. */
const char *const *compile_cache_rule_words(struct compile_cache *k, const char **rule);
/* The same where a launcher is to know the command again: by words that it knows, or, where the
 * driver cannot be asked so, by a path that is the same for the same key. */
const char *const *compile_cache_launched_words(
	struct compile_cache *k, const char **rule, struct str key, unsigned major);
/* stamps: of what was read; in the arena, n 0 where it cannot be told. */
bool compile_cache_get(struct proc_result *out, struct str *stamps, struct compile_cache *k,
	struct str key, const struct measure_job *job);
/* What a compile read and looked for. */
struct compile_reads {
	const char *rule; /* the file that compile_cache_rule_words named */
	struct str said;  /* what its driver says to -### */
};
void compile_cache_put(struct str *stamps, struct compile_cache *k, struct str key,
	const struct measure_job *job, const struct compile_reads *reads,
	const struct proc_result *r);
/* What the driver said to -### of these words, but for the file: kept, as the compiler's identity
 * has all that it depends on. */
bool compile_cache_said_get(struct str *said, struct compile_cache *k,
	const struct measure_job *job, const char *const *words);
void compile_cache_said_put(struct compile_cache *k, const struct measure_job *job,
	const char *const *words, struct str said);

/* For what is kept otherwise: */
struct arena *compile_cache_arena(struct compile_cache *k);
/* A path for a file of the same last name, gone with our process; NULL when there is no place. */
const char *compile_cache_new_path(struct compile_cache *k, const char *like);
/* That file is ours: a make rule that names it names nothing that a text depends on. */
void compile_cache_own(struct compile_cache *k, const char *path);
/* Stamps of what was read, but for job's text, and of where it was looked for, and their empty
 * line. False where that cannot be told. */
bool compile_cache_add_stamps(struct sbuf *out, struct compile_cache *k,
	const struct measure_job *job, const struct compile_reads *reads);

/* What equip of a compiler found out, so that it need not be asked again. */
struct str compile_cache_compiler_key(struct arena *a, const char *path, const char *target);
bool compile_cache_compiler_get(struct compiler *c, struct arena *a, struct str key);
/* said: what it said to -v, compiling for c->target. Fills in c->identity, NULL where the programs
 * and libraries after it cannot be told. */
void compile_cache_compiler_put(
	struct compiler *c, struct arena *a, struct str key, struct str said);
