#pragma once
/* Phis of the compiler's IR, before the back end has it, where a merge of the source ends. */
#include "cli/cli.h"
#include "measure/measure.h"

struct meet_job {
	const struct cli_opts *opts;
	const char *path;
	const struct cli_targets *targets;
	const struct compiler *compiler; /* one a target */
	unsigned first, last; /* lines in which the branches of the merge's conditions stand */
	const char *kernels;  /* those that run it, as struct diag has them */
};

/* Compiles, and says for each kernel and target how many phis of how many VGPRs are there, with the
 * widest of them. 0 or enum fail after a message. */
int meet_text(struct sbuf *out, struct arena *a, const struct meet_job *job);
