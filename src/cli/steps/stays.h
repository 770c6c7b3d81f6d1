#pragma once
/* Merges and barriers that stay, as they are no findings any more: what a comment takes back, and
 * what a baseline knows. */
#include "choose/choose.h"
#include "cli/steps/findings.h"

/* Makes the job leave alone what NOLINT comments and the findings that opts' baseline knows are
 * about, unless opts has --all. of: the unit that is
 * rewritten. FAIL_USAGE after a message. */
int cli_stays_add(struct choose_job *job, struct arena *a, const struct cli_finding *of);
/* The same of all but what begins on this line, whatever comments and baselines say of it. */
void cli_stays_but(struct choose_job *job, struct arena *a, unsigned line);
