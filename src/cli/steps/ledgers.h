#ifndef UNPHI_CLI_STEPS_LEDGERS_H
#define UNPHI_CLI_STEPS_LEDGERS_H
/* The register ledgers of one file for one target. */
#include "cli/setup/kernels.h"
#include "frontend/frontend.h"
#include "report/figures/ledger.h"

struct ledger_list {
	ARRAY(struct ledger_entry)
	v; /* the caller releases it; what it points to lives in the arena */
};

/* Parses the job's file and appends the ledger of each kernel in it that is wanted (NULL: all),
 * beside the figures of m (NULL: it was not compiled). 0 or enum fail after a message. */
int cli_ledgers_add(struct ledger_list *out, struct arena *a, const struct frontend_job *job,
	const struct target *t, const struct measurement *m, const struct cli_kernels *wanted);
#endif
