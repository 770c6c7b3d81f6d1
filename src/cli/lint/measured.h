#pragma once
/* lint --measure: the decisions of rewrite about the findings in one unit's file. */
#include "choose/choose.h"
#include "cli/setup/units.h"
#include "rule/diag.h"

/* The result for one file; choice NULL: there was nothing to measure, or measuring failed. */
struct lint_measured {
	struct str source;
	const struct choice *choice;
	struct str ledger; /* with --format html: the kernels' register ledgers as a picture */
};

/* Compiles, chooses, and adds to each finding about a merge of the unit's own file a note with the
 * result, and the edits of a rewrite that is better. cwd: paths for people are relative to it.
 * Everything lives in a. 0 or enum fail after a message. */
int cli_lint_measure(struct lint_measured *out, struct diag_list *found, struct arena *a,
	const struct cli_unit *u, const char *cwd);
/* Adds the causes of spills in one unit as findings with the unit's paths. wanted: bits of enum
 * cause_kind. 0 or enum fail after a message. */
int cli_lint_causes(struct diag_list *found, struct arena *a, const struct cli_unit *u,
	const char *cwd, unsigned wanted);
