#pragma once
/* The register ledgers of one file for one target. */
#include "cli/cli.h"
#include "cli/setup/kernels.h"
#include "frontend/frontend.h"
#include "report/figures/ledger.h"

struct ledger_list {
	ARRAY(struct ledger_entry) v; /* released by the caller; pointers into the arena */
};

/* How the ledgers are made. */
struct cli_ledgers {
	const struct frontend_job *job;
	const struct target *target;
	const struct measurement *measured; /* NULL: it was not compiled */
	const struct cli_kernels *wanted;   /* NULL: all */
};

/* Parses the job's file, and appends the ledger of each wanted kernel with its measured figures. 0
 * or enum fail after a message. */
int cli_ledgers_add(struct ledger_list *out, struct arena *a, const struct cli_ledgers *how);
