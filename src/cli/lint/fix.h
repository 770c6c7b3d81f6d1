#pragma once
/* lint --fix: writes the rewrites that measured better into the files. */
#include "cli/cli.h"
#include "cli/setup/units.h"
#include "report/finding/html.h"

/* Replaces the changed files of the n measurements, all or none, and removes their findings from
 * found. In the other files of units it applies the edits of findings like unphi-scalar-access,
 * which were measured together. A file with a spec beside it is only replaced if all cases leave
 * the same bits. opts: the options of each measurement. 0 or enum fail after a message. */
int cli_lint_fix(struct diag_list *found, struct arena *a, const struct html_measured *measured,
	const struct cli_opts *const *opts, size_t n, const struct cli_units *units);
