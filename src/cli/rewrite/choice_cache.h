#pragma once
/*
 * Caches choices between runs: a file with a cached choice is neither parsed nor compiled. The key
 * has the inputs that are known before a parse: the text, options, targets, and the identities of
 * the compilers and of unphi. The files that parser and compiler read are stamped.
 */
#include "choose/choose.h"
#include "cli/cli.h"

struct choice_cache_job {
	const struct cli_opts *opts;
	const char *path;
	const char *shown;	 /* in the report */
	const char *untouchable; /* struct choose_job; or NULL */
	bool one_of_many;	 /* the report has no counts */
	struct str source;
	const struct cli_targets *targets;
	const struct compiler *compiler; /* one a target */
};

struct cached_choice {
	struct str text;   /* the new source */
	struct str report; /* in the format of opts */
	struct str stamps; /* set by choice_cache_get: the stamps of the files that were read */
};

/* False if no choice is cached, or none may be used (--no-cache, --bench, --verify, a forced
 * strategy). Lives in a. */
bool choice_cache_get(
	struct cached_choice *out, struct arena *a, const struct choice_cache_job *job);
/* stamps: of the files that were read; n 0: unknown, and nothing is cached. */
void choice_cache_put(struct arena *a, const struct choice_cache_job *job,
	const struct cached_choice *k, struct str stamps);
