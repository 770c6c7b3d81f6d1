#pragma once
/* Makes the jobs for choose from the options and the rules, for all commands. */
#include "choose/choose.h"
#include "cli/cli.h"

struct cli_job {
	struct choose_job job;
	struct intrinsic_db intrinsics;
	struct settings settings;
};

/* Fills in everything that does not depend on the file. force: the strategy of --strategy, which is
 * applied without measuring; force->strategy is NULL if measuring decides. FAIL_USAGE after a
 * message. The caller releases the intrinsics. */
int cli_job_open(struct cli_job *out, struct arena *a, const struct cli_opts *o,
	const struct cli_forced *force);
/* Fills in the targets and a compiler for each, or {0} if a strategy is forced. FAIL_USAGE after a
 * message. */
int cli_job_targets(struct choose_job *job, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets);
