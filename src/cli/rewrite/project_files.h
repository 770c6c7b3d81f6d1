#pragma once
/* The files of a project. Internal to rewrite -p and verify -p. */
#include <regex.h>

#include "base/map.h"
#include "cli/project/each.h"
#include "cli/setup/units.h"

/* One file, with all entries of the database that compile it. */
struct project_file {
	const char *path; /* absolute */
	const char *shown;
	const struct cli_unit **unit; /* its distinct compiles, all in one directory */
	size_t units;
	const struct cli_opts *opts; /* as for this file by itself */
	struct cli_targets targets;  /* of all units */
	const char *untouchable;     /* or NULL */
};

struct project {
	struct arena *a;
	const struct cli_opts *opts;
	const char *cwd;
	struct user_configs configs;
	struct cli_units units;
	struct project_file *file;
	size_t n;
	struct map by_path;	/* index of a file by its real path */
	regex_t headers_wanted; /* with --header-filter */
};

/* Fills in p with the files of the database that opts names; a, opts and the configurations' arena
 * are set. FAIL_USAGE after a message. */
int project_open(struct project *p);
void project_close(struct project *p);
/* Calls each_run for the project's files if rc, the result of project_open, is 0. e's exit code
 * covers both. */
int project_run(struct project *p, struct each *e, int rc);
