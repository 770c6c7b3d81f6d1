#pragma once
/*
 * The result of a project's rewrite: one table, or one JSON document, made of what choice_json says
 * of each file. Times and counts of compiles are not in it: a run that goes on where another one
 * ended prints the same bytes.
 */
#include "base/arena.h"
#include "base/str.h"

/* A file, or a header. */
struct rewritten {
	const char *file;	 /* as shown */
	const char *path;	 /* to write it; NULL: it may not be here */
	struct str report;	 /* of choice_json; n 0: it failed */
	const char *header_note; /* NULL, or, for a header, the units that were checked */
	const char *dropped;	 /* NULL, or the reason why the report's result was not taken */
	struct str left; /* its merges in headers, a line each: "LINE:COLUMN HEADER", as shown */
	bool changed;
	const char *name; /* in a diff, after a/ */
	struct str before, after;
};

struct project_report {
	const struct rewritten *v;
	size_t n;
	const char *missing; /* NULL, or which shards are not here */
};

void project_text(struct sbuf *out, const struct project_report *p);
/* {"version":1,"files":[{"file","changed","dropped","header","report"}],"missing"}; report is what
 * choice_json wrote, or null. */
void project_json(struct sbuf *out, const struct project_report *p);
/* A page with figures, merges and diffs. */
void project_html(struct sbuf *out, const struct project_report *p);

/* Is it JSON as choice_json writes it, of figures that are some? */
bool project_is_report(struct str report);

/* A merge that is not rewritten because it is in a header, from "left_in_headers" of a report. */
struct project_left {
	const char *file;
	unsigned line, column;
};
/* Lives in a. */
struct project_left *project_left(size_t *n, struct arena *a, struct str report);
