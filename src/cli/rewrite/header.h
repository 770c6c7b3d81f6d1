#pragma once
/*
 * rewrite's work on one header that --header-filter names: an edit has to be legal, and no worse,
 * in all files that include it, as they are now and on top of the headers before it.
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
	const char *note;	  /* which units were looked at */
	const char *const *names; /* all that it is read by; NULL-terminated */
	struct str report;	  /* of a project's, as JSON; n 0: it failed */
	/* of one file's */
	struct choice choice;
	const struct target *const *target; /* those of its choice: for each unit, all */
	size_t targets;
};

/* A file that includes it, and what this became; text.n 0: as it is. */
struct header_view {
	const struct project_file *file;
	struct str text;
};

/* The work on h[at]. The options and the directory of the first view count. */
struct header_work {
	struct arena *a;
	const struct cli_opts *opts; /* of the command line */
	const char *cwd;	     /* that paths are shown from */
	struct header *const *h;
	size_t at;
	ARRAY(struct header_view) view;
	/* of -p: what compiles none of the known files, by their real paths, is looked at, and is a
	 * view, too, where it includes the header */
	const struct unit_commands *commands;
	const struct map *known;
	struct cli_job asked; /* but for what the header and its views say */
	struct sbuf files;    /* out: the views, as shown */
};

/* The choice for it, and with it all members of h[at] but report and note. 0, or enum fail after a
 * message. */
int header_choose(struct header_work *w);
void header_work_release(struct header_work *w); /* not asked */

/* A file for a view, but for its targets. directory: NULL is ours. */
struct project_file *header_file(struct arena *a, const struct cli_opts *o, const char *cwd,
	const char *path, const char *directory);

/* The same in a process of its own, for a project; report and note are filled in, too. unread: a
 * file of which it is not known what it includes, or NULL. *code gets worse when the work fails.
 * FAIL_USAGE after a message when no process can be made. */
int header_choose_apart(struct header_work *w, const char *unread, int *code);

/* The next of the texts that sbuf_add_sized wrote, in a; empty: there is none. */
struct str header_unpack(struct arena *a, struct str *rest);
