#pragma once
/*
 * The cache of compiler output. A key holds the compiler (struct compiler, identity), its command
 * line and the text. The entry has stamps of the included files, and of the places where a new file
 * would be found before them. The raw output is stored, not the figures read from it. Failures are
 * not stored, since the machine may be the cause. Internal to compile/.
 */
#include "base/process/proc.h"
#include "measure/measure.h"

struct compile_cache;

/* Lives in a, until compile_cache_release. */
struct compile_cache *compile_cache_open(struct arena *a);
void compile_cache_release(struct compile_cache *k);

/* The key of a compile; n 0: not cached (no_cache, a compiler with unknown parts, flags that read
 * files missing from the make rule, a text with __TIME__). words: the command without the file. */
struct str compile_cache_key(
	struct compile_cache *k, const struct measure_job *job, const char *const *words);
/* The part of the key with the compiler and its words; false: not cached. */
bool compile_cache_key_head(
	struct sbuf *out, const struct measure_job *job, const char *const *words);
/* The options for a make rule of the files read, and its path in *rule; in the arena, or NULL. */
const char *const *compile_cache_rule_words(struct compile_cache *k, const char **rule);
/* The same for a launcher (ccache), which must see an equal command for an equal key: by options
 * that it knows, or by a path derived from the key. */
const char *const *compile_cache_launched_words(
	struct compile_cache *k, const char **rule, struct str key, unsigned major);
/* Finds an entry. stamps: of the files read, in the arena; n 0: unknown. */
bool compile_cache_get(struct proc_result *out, struct str *stamps, struct compile_cache *k,
	struct str key, const struct measure_job *job);
/* The files that a compile read and searched for. */
struct compile_reads {
	const char *rule; /* the file that compile_cache_rule_words named */
	struct str said;  /* the driver's -### output */
};
void compile_cache_put(struct str *stamps, struct compile_cache *k, struct str key,
	const struct measure_job *job, const struct compile_reads *reads,
	const struct proc_result *r);
/* The cached -### output for these words (without the file): it depends only on the compiler's
 * identity. */
bool compile_cache_said_get(struct str *said, struct compile_cache *k,
	const struct measure_job *job, const char *const *words);
void compile_cache_said_put(struct compile_cache *k, const struct measure_job *job,
	const char *const *words, struct str said);

/* For other caches of compiler output: */
struct arena *compile_cache_arena(struct compile_cache *k);
/* A path for a temporary file with the base name of like; NULL if there is no directory. */
const char *compile_cache_new_path(struct compile_cache *k, const char *like);
/* Marks path as our own: as a prerequisite in a make rule it is not a dependency. */
void compile_cache_own(struct compile_cache *k, const char *path);
/* Appends stamps of the files read (without job's text) and of the places searched, and an empty
 * line. False if they are unknown. */
bool compile_cache_add_stamps(struct sbuf *out, struct compile_cache *k,
	const struct measure_job *job, const struct compile_reads *reads);

/* The cached properties of a compiler, found by compiler_find. */
struct str compile_cache_compiler_key(struct arena *a, const char *path, const char *target);
bool compile_cache_compiler_get(struct compiler *c, struct arena *a, struct str key);
/* said: its -v output for c->target. Sets c->identity, or NULL if the programs and libraries that
 * it runs are unknown. */
void compile_cache_compiler_put(
	struct compiler *c, struct arena *a, struct str key, struct str said);
