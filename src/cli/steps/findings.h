#pragma once
/* The findings of the rules in one unit. lint prints them; rewrite looks for those in a baseline.
 * Parses, and compiles nothing. */
#include "cli/cli.h"
#include "report/finding/wire.h"

struct cli_finding {
	const struct cli_opts *opts; /* as configured for the file */
	const char *path;
	const char *shown; /* in messages */
	const char *cwd;   /* errors name files relative to it; NULL: as parsed */
	const struct cli_targets *targets;
	const struct intrinsic_db *intrinsics;
	struct str text; /* in place of the file's content; p NULL: read the file */
	bool quiet;	 /* print no errors of the source */
};

/* Places have the paths that the parser was given, and no text. If a file has errors, the functions
 * without errors are checked, and FAIL_INPUT is returned. 0 or enum fail after a message. Lives in
 * a, except out's lists (wire_release). */
int cli_find(struct wire_unit *out, struct arena *a, const struct cli_finding *of);
