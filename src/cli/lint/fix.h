#pragma once
/* lint --fix: writes the rewrites that measured better into the files. */
#include "cli/cli.h"
#include "cli/setup/units.h"
#include "report/finding/html.h"

/* Replaces the changed files of the n measurements, all or none, and removes their findings from
 * found. In the other files of the units it applies the edits of rules such as unphi-scalar-access,
 * which were measured together. A file with a spec is replaced only if all cases give the same
 * bits. opts: the options of each measurement. 0 or enum fail after a message. */
int cli_lint_fix(struct diag_list *found, struct arena *a, const struct html_measured *measured,
	const struct cli_opts *const *opts, size_t n, const struct cli_units *units);
