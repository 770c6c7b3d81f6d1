#pragma once
/*
 * Rewrites one header that --header-filter selects. An edit has to be legal, and must not make
 * anything worse, in all files that include the header, with their current texts and the headers
 * that were rewritten before.
 */
#include "choose/choose.h"
#include "cli/rewrite/project_files.h"
#include "cli/steps/choosing.h"
#include "frontend/parse/database.h"

struct header {
	const char *path; /* valid in the directory that we are in */
	const char *shown;
	struct str source, text; /* before and after */
	bool changed;
	const char *note;	  /* the units that were checked */
	const char *const *names; /* all files that include it; NULL-terminated */
	struct str report;	  /* in a project: as JSON; n 0: it failed */
	/* for a single file */
	struct choice choice;
	const struct target *const *target; /* of the choice: all targets of each unit */
	size_t targets;
};

/* A file that includes it, and its new text; text.n 0: unchanged. */
struct header_view {
	const struct project_file *file;
	struct str text;
};

/* The work on header h[at], with the options and the directory of the first view. */
struct header_work {
	struct arena *a;
	const struct cli_opts *opts; /* of the command line */
	const char *cwd;	     /* paths for people are relative to it */
	struct header *const *h;
	size_t at;
	ARRAY(struct header_view) view;
	/* with -p: all units. Those whose real path is not in known, and that include the header,
	 * become views */
	const struct unit_commands *commands;
	const struct map *known;
	struct cli_job asked; /* without the parts that depend on the header and its views */
	struct sbuf files;    /* out: the views, as shown */
};

/* Makes the choice, and fills in all members of h[at] except report and note. 0, or enum fail after
 * a message. */
int header_choose(struct header_work *w);
void header_work_release(struct header_work *w);

/* A file for a view, without its targets. directory NULL: the working directory. */
struct project_file *header_file(struct arena *a, const struct cli_opts *o, const char *cwd,
	const char *path, const char *directory);

/* The same in a process of its own, for a project; it also fills in report and note. unread: NULL,
 * or a file with unknown includes. *code gets worse if the work fails. FAIL_USAGE after a message
 * if no process can be made. */
int header_choose_apart(struct header_work *w, const char *unread, int *code);

/* The next text written by sbuf_add_sized, in a; empty at the end. */
struct str header_unpack(struct arena *a, struct str *rest);
