#pragma once
/* Merges and barriers that rewrite leaves alone: a comment suppresses their findings, or a baseline
 * has them. */
#include "choose/choose.h"
#include "cli/steps/findings.h"

/* Makes the job leave alone what NOLINT comments and the findings of opts' baseline are about,
 * unless opts has --all. unit: what is rewritten; its intrinsics are the job's. FAIL_USAGE after a
 * message. */
int cli_suppressed_add(struct choose_job *job, struct arena *a, const struct cli_finding *unit);
/* The same of everything that does not begin on this line, whatever comments and baselines say. */
void cli_suppress_all_but(struct choose_job *job, struct arena *a, unsigned line);
