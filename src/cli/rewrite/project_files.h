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
	const struct cli_unit **unit; /* its different compiles, all in one directory */
	size_t units;
	const struct cli_opts *opts; /* as if it were given by itself */
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

/* Fills in the rest of p, which has a, opts and the configurations' arena: the files that opts
 * names of the database. FAIL_USAGE after a message. */
int project_open(struct project *p);
void project_close(struct project *p);
/* each_run over the project's files, with the rest of e, where opening the project gave rc 0; e's
 * exit code has both. */
int project_run(struct project *p, struct each *e, int rc);
