#pragma once
/* The last lines of lint: the command to run next for a finding, and the summary. */
#include "cli/setup/units.h"
#include "report/finding/diag.h"

/* The command to run next, in a: the subcommand that the rule set, with the unit's flags and
 * targets. */
const char *cli_lint_next(
	struct arena *a, const struct cli_opts *o, const struct cli_unit *u, const struct diag *d);
/* Prints the number of findings, files and kernels, and the number of merges that rewrite has a
 * candidate for. shortened: --verbose would show more. */
void cli_lint_summary(const struct diag_list *found, size_t units, bool shortened);
