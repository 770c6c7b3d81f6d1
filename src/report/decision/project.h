#pragma once
/*
 * The result of rewriting a project: one table, page or JSON document, made from the output of
 * choice_json for each file. It has no times and no counts of compiles, so that a resumed run
 * prints the same bytes.
 */
#include "base/arena.h"
#include "base/str.h"

/* A file, or a header. */
struct rewritten {
	const char *file;	 /* as shown */
	const char *path;	 /* the file to write; NULL: it may not exist here */
	struct str report;	 /* the output of choice_json; n 0: the rewrite failed */
	const char *header_note; /* for a header: the units that were checked; else NULL */
	const char *dropped;	 /* the reason why the result is not used, or NULL */
	/* Its unchanged merges in headers, one a line: "LINE:COLUMN HEADER", as shown. */
	struct str left;
	bool changed;
	const char *name; /* in a diff, after a/ */
	struct str before, after;
};

struct project_report {
	const struct rewritten *v;
	size_t n;
	const char *missing; /* the shards that are missing, or NULL */
};

void project_text(struct sbuf *out, const struct project_report *p);
/* {"version":1,"files":[{"file","changed","dropped","header","report"}],"missing"}; report is the
 * output of choice_json, or null. */
void project_json(struct sbuf *out, const struct project_report *p);
/* A page with figures, merges and diffs. */
void project_html(struct sbuf *out, const struct project_report *p);

/* Is it a JSON object, like the output of choice_json? */
bool project_is_report(struct str report);

/* A merge that is not rewritten because it is in a header, from "left_in_headers" of a report. */
struct project_left {
	const char *file;
	unsigned line, column;
};
/* Lives in a. */
struct project_left *project_left(size_t *n, struct arena *a, struct str report);
