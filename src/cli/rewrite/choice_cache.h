#pragma once
/*
 * Choices, kept between runs: of a file that an earlier run chose for nothing is parsed and nothing
 * compiled. The key names all that a decision rests on and that can be told at once (the text,
 * options, targets, compilers by their identity, ourselves); the files that parser and compiler
 * read are stamped.
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
	struct str stamps; /* of choice_cache_get: of what was read */
};

/* False when nothing is known, or must not be (--no-cache, --bench, --verify, a forced strategy).
 * Lives in a. */
bool choice_cache_get(
	struct cached_choice *out, struct arena *a, const struct choice_cache_job *job);
/* stamps: of what was read; n 0 where that cannot be told: nothing is kept then. */
void choice_cache_put(struct arena *a, const struct choice_cache_job *job,
	const struct cached_choice *k, struct str stamps);
