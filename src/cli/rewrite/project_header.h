#pragma once
/* The files of a project, and the work on the headers that they include. Internal to rewrite -p. */
#include <regex.h>

#include "base/map.h"
#include "cli/project/each.h"
#include "cli/setup/units.h"

/* One file, with all entries of the database that compile it. */
struct project_file {
	const char *path; /* absolute */
	const char *shown;
	const struct cli_unit **unit; /* its compiles that differ, all in one directory */
	size_t units;
	const struct cli_opts *opts; /* as if it were asked for by itself, in its directory */
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

/* A header with a wide merge that --header-filter names. */
struct project_header {
	const char *path; /* absolute, without links */
	const char *shown;
	struct str source, text;  /* before and after */
	struct str report;	  /* n 0: it failed */
	const char *note;	  /* which units were looked at */
	const char *const *names; /* all that it is read by; NULL-terminated */
	bool changed;
};

/* The work on one: what the header h[at] is to become, right in all files that include it (views,
 * one a file of the project), with the texts that these became (n 0: as they are), on top of the
 * headers before it. unread: a file of which it is not known what it includes, or NULL. */
struct header_work {
	struct project *project;
	struct project_header *const *h;
	size_t at;
	const bool *views;
	const struct str *text;
	const char *unread;
	int code; /* out: the worst exit code so far */
};
/* In a process of its own. FAIL_USAGE after a message when none can be made; code gets worse when
 * the work fails. */
int project_header_rewrite(struct header_work *w);

/* The next of the texts that sbuf_add_sized wrote, in a; empty: there is none. */
struct str project_unpack(struct arena *a, struct str *rest);
