#ifndef UNPHI_CLI_REWRITE_KNOWN_H
#define UNPHI_CLI_REWRITE_KNOWN_H
/*
 * Known decisions, which an earlier run made about the same file: nothing is parsed and nothing
 * compiled then. The key names all that a decision rests on and that can be told at once (the text,
 * options, targets, compilers by their identity, ourselves); the files that parser and compiler
 * read are stamped.
 */
#include "choose/choose.h"
#include "cli/cli.h"

struct known_job {
	const struct cli_opts *opts;
	const char *path;
	const char *shown;	 /* in the report */
	const char *untouchable; /* struct choose_job; or NULL */
	bool one_of_many;	 /* the report has no counts */
	struct str source;
	const struct cli_targets *targets;
	const struct compiler *compiler; /* one a target */
};

struct known {
	struct str text;   /* the new source */
	struct str report; /* in the format of opts */
	bool drops;	   /* barriers went */
	struct str stamps; /* of known_get: of what was read */
};

/* False when nothing is known, or must not be (--no-cache, --bench, --verify, a forced strategy).
 * Lives in a. */
bool known_get(struct known *out, struct arena *a, const struct known_job *job);
/* stamps: of what was read; n 0 where that cannot be told: nothing is kept then. */
void known_put(
	struct arena *a, const struct known_job *job, const struct known *k, struct str stamps);
#endif
