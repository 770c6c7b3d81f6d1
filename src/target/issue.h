#pragma once
/*
 * How long an instruction of a wave keeps the unit that it is issued to: rules/issue.yaml, which
 * names its sources. The one table of costs, for code that is read and for code that runs. Counts,
 * not times: they do not say what waits for what.
 */
#include "target/target.h"

struct issue_passes {
	const char *match; /* a pattern as in a shell */
	unsigned passes;
};

/* Gives each target of the database its passes. Enum fail after a message. */
int issue_load(struct target_db *db, struct arena *a);
/* Issue cycles of one run of an instruction of that name. */
unsigned issue_cycles(const struct target *t, struct str name);
