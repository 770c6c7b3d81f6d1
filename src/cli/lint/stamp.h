#pragma once
/* lint --stamp, for build systems: the file that a lint without findings writes, and the list of
 * the files that it depends on. */
#include "base/words.h"
#include "cli/setup/units.h"

/* Writes FILE.d of --stamp, then FILE. read: the files that the units read (struct wire_unit);
 * the other files are added, and it is sorted. cwd: the working directory. FAIL_USAGE after a
 * message. */
int cli_stamp_write(struct words *read, const char *cwd, const struct cli_opts *o,
	const struct cli_units *units);
