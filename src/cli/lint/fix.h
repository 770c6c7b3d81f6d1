#pragma once
/* lint --fix: what was measured to be better, written in place. */
#include "cli/cli.h"
#include "cli/setup/units.h"
#include "report/finding/html.h"

/* Replaces the files of n measurements that changed, all or none, and takes their findings out of
 * found. Of a unit without such a change, the edits of its scalar-access findings, which were
 * measured together. Where a verify spec stands beside a file, it is left alone unless all cases
 * leave the same bits; opts says for each how it is looked at. 0 or enum fail after a message. */
int cli_lint_fix(struct diag_list *found, struct arena *a, const struct html_measured *measured,
	const struct cli_opts *const *opts, size_t n, const struct cli_units *units);
