#pragma once
/* For build systems: the file that a clean lint leaves, and the list of what it depends on. */
#include "base/words.h"
#include "cli/setup/units.h"

/* Writes FILE.d of --stamp, and then FILE. read: what the units were read from (struct wire_unit);
 * it gets the other files, and is sorted. cwd: ours. FAIL_USAGE after a message. */
int cli_stamp_write(struct words *read, const char *cwd, const struct cli_opts *o,
	const struct cli_units *units);
