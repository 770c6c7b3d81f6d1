#pragma once
/* The phis of a source merge in the compiler's IR, before the back end. */
#include "cli/cli.h"
#include "measure/measure.h"

struct phis_job {
	const struct cli_opts *opts;
	const char *path;
	const struct cli_targets *targets;
	const struct compiler *compiler; /* one per target */
	unsigned first, last;		 /* the lines of the merge's conditions */
	const char *kernels;		 /* the kernels that run it, as in struct diag */
};

/* Compiles, and prints for each kernel and target the number of phis, their VGPRs, and the widest
 * one. 0 or enum fail after a message. */
int phis_text(struct sbuf *out, struct arena *a, const struct phis_job *job);
