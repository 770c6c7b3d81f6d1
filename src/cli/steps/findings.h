#pragma once
/* The findings of one unit by the rules, for all that ask: lint prints it, rewrite looks for what a
 * baseline knows. Parses, compiles nothing. */
#include "cli/cli.h"
#include "report/finding/wire.h"

struct cli_finding {
	const struct cli_opts *opts; /* as configured for the file */
	const char *path;
	const char *shown; /* in messages */
	const char *cwd;   /* from which they name what errors are in; or NULL */
	const struct cli_targets *targets;
	const struct intrinsic_db *intrinsics;
	struct str text; /* in place of the file's content; p NULL: that */
	bool quiet;	 /* somebody else tells of the errors in it */
};

/* Places have the paths that the parser was given, and no text. Of a file with errors what can be
 * looked at is, and they are returned. 0 or enum fail after a message. Lives in a but for out's
 * lists (wire_release). */
int cli_find(struct wire_unit *out, struct arena *a, const struct cli_finding *of);
