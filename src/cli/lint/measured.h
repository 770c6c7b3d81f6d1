#pragma once
/* lint --measure: what rewrite would make of the findings of one unit's file. */
#include "choose/choose.h"
#include "cli/setup/units.h"
#include "rule/diag.h"

/* What came out for one file; choice NULL: there was nothing to measure, or it failed. */
struct lint_measured {
	struct str source;
	const struct choice *choice;
	struct str ledger; /* with --format html: the kernels' register ledgers as a picture */
};

/* Compiles, chooses, and gives each finding about a merge of the unit's own file a note that says
 * what came out, and the edits where something is better. cwd is the directory that paths are shown
 * from. Everything lives in a. 0 or enum fail after a message. */
int cli_lint_measure(struct lint_measured *out, struct diag_list *found, struct arena *a,
	const struct cli_unit *u, const char *cwd);
/* The causes of spills that are wanted (enum cause_kind) of one unit, as findings with the unit's
 * paths. 0 or enum fail after a message. */
int cli_lint_causes(struct diag_list *found, struct arena *a, const struct cli_unit *u,
	const char *cwd, unsigned wanted);
