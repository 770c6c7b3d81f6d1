#pragma once
/*
 * rewrite's work on the headers of a file that --header-filter names, one after the other, each
 * once however many names it has, and on top of what was kept before it. With -p an edit has to be
 * legal, and no worse, in all units that include the header.
 */
#include "choose/choose.h"
#include "cli/cli.h"

struct header {
	const char *path;   /* as it is shown, valid in the directory that we are in */
	struct sbuf source; /* as it was read */
	struct choice choice;
	const struct target *const *target; /* those of its choice: for each unit, all */
	size_t targets;
	const char *note; /* which units were looked at */
};

struct headers {
	ARRAY(struct header *) v;
};

/* like: the job that the choice came of, of the file itself. FAIL_USAGE or FAIL_INPUT after a
 * message. */
int headers_rewrite(struct headers *out, struct arena *a, const struct cli_opts *o,
	const struct choose_job *like, const struct choice *file);
void headers_release(struct headers *h);
