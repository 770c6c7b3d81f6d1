#pragma once
/*
 * The number of cycles for which an instruction of a wave occupies its unit, from rules/issue.yaml,
 * which names its sources. Both the count over assembly and the count of executed instructions use
 * this table. These are costs of issue, not times: no dependence between instructions is counted.
 */
#include "target/target.h"

struct issue_passes {
	const char *match; /* a shell pattern */
	unsigned passes;
};

/* Sets the passes of each target of the database. FAIL_USAGE after a message. */
int issue_load(struct target_db *db, struct arena *a);
/* The issue cycles of one execution of an instruction of that name. */
unsigned issue_cycles(const struct target *t, struct str name);
