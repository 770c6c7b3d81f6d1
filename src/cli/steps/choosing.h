#pragma once
/* What a job for choose takes of the options and the rules, in one place for all commands. */
#include "choose/choose.h"
#include "cli/cli.h"

struct cli_job {
	struct choose_job job;
	struct intrinsic_db intrinsics;
	struct settings settings;
};

/* All of the job that does not depend on the file. force: a strategy that is applied unmeasured, or
 * without one. FAIL_USAGE after a message. Released by releasing the intrinsics. */
int cli_job_open(struct cli_job *out, struct arena *a, const struct cli_opts *o,
	const struct cli_forced *force);
/* The job's targets, with a compiler for each, {0} where a strategy is forced. FAIL_USAGE after a
 * message. */
int cli_job_targets(struct choose_job *job, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets);
