#ifndef UNPHI_CLI_LINT_TUNED_H
#define UNPHI_CLI_LINT_TUNED_H
/*
 * lint --measure: what settings of the file's macros make of kernels whose accumulator lives
 * through a loop. Half and twice the value of each macro that -D can set (choose/macros.h), one at
 * a time: the source says with which of them the kernel would ask for fewer registers, and these
 * are compiled.
 */
#include "choose/choose.h"
#include "cli/setup/units.h"
#include "rule/diag.h"

enum {
	TUNED_MACROS = 8,  /* looked at: two parses each, for each target */
	TUNED_SETTINGS = 4 /* compiled at most, for each target; those that promise most */
};

/* Is it a finding that this is about? */
bool cli_lint_tunes(const struct diag *d);
/* Gives such findings in the unit's own file notes and options with what was measured. choice: of
 * the file as it is; compiler: one a target of the unit. In the unit's directory. Everything lives
 * in a. 0 or enum fail after a message. */
int cli_lint_tune(struct diag_list *found, struct arena *a, const struct cli_unit *u,
	const struct choice *choice, const struct compiler *compiler);
#endif
