#pragma once
/*
 * Rewrites the headers of a file that --header-filter selects, one after the other. A header with
 * several names is rewritten once. With -p an edit has to be right in all units that include the
 * header.
 */
#include "cli/rewrite/header.h"

struct headers {
	ARRAY(struct header *) v;
};

/* like: the job of the file's own choice, for these targets. FAIL_USAGE or FAIL_INPUT after a
 * message. */
int headers_rewrite(struct headers *out, struct arena *a, const struct cli_opts *o,
	const struct cli_job *like, const struct cli_targets *targets, const struct choice *file);
