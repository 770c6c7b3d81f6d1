#pragma once
/* The rewriting of one file, with its headers; nothing is written. Internal to rewrite. */
#include "choose/choose.h"
#include "cli/cli.h"
#include "cli/rewrite/headers.h"
#include "cli/setup/kernels.h"
#include "cli/steps/choosing.h"
#include "report/decision/project.h"

struct rewriting {
	const struct cli_opts *opts;
	struct arena *arena;
	const char *path;
	const char *shown;	 /* in the report */
	const char *untouchable; /* or NULL */
	struct str stamps;
	bool one_of_many; /* a file of a project: targets are known, and no notes are printed */
	struct sbuf source;
	struct cli_targets targets;
	struct cli_job asked;
	struct cli_forced force;
	struct cli_bits *bits; /* with --verify */
	struct choice choice;
	struct headers headers;	     /* with --header-filter */
	ARRAY(struct rewritten) all; /* the file and its headers, after their decisions */
	struct cli_kernels kernels;
	struct sbuf report;
	struct sbuf offers; /* report lines that offer launch bounds */
};

/* From the source to the decision. 0, or enum fail after a message. */
int rewriting_decide(struct rewriting *r);
void rewriting_release(struct rewriting *r);

bool rewritten_any(const struct rewritten *v, size_t n);
/* All changes, as one diff. */
void rewritten_diff(struct sbuf *out, struct arena *a, const struct rewritten *v, size_t n);
/* Writes all changed files together. FAIL_USAGE with a message, also if a file changed since it was
 * read. */
int rewritten_replace(struct arena *a, const struct rewritten *v, size_t n);
