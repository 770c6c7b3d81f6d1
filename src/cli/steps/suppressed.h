#pragma once
/* The merges and barriers that rewrite must not change, because a NOLINT comment or a baseline
 * suppresses their findings. */
#include "choose/choose.h"
#include "cli/steps/findings.h"

/* Excludes the merges and barriers that NOLINT comments or the baseline of opts suppress from the
 * job, unless opts has --all. unit: the file that is rewritten; its intrinsics are the job's.
 * FAIL_USAGE after a message. */
int cli_suppressed_add(struct choose_job *job, struct arena *a, const struct cli_finding *unit);
/* Excludes everything that does not begin on this line. Comments and baselines do not count. */
void cli_suppress_all_but(struct choose_job *job, struct arena *a, unsigned line);
