#pragma once
/* lint's last words: the command that goes on from a finding, and how much was found. */
#include "cli/setup/units.h"
#include "report/finding/diag.h"

/* The command to go on with, in a: as the unit was looked at, with the subcommand that the rule
 * names. */
const char *cli_lint_next(
	struct arena *a, const struct cli_opts *o, const struct cli_unit *u, const struct diag *d);
/* How much was found where, and for how much of it there is something to try. shortened: --verbose
 * would show more. */
void cli_lint_summary(const struct diag_list *found, size_t units, bool shortened);
