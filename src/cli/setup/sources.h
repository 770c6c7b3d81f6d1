#pragma once
/*
 * The files that units checked, or that findings are in. A file with several names is one source:
 * it is known by device and inode, and has the name that the first unit used.
 */
#include "base/array.h"
#include "base/map.h"
#include "report/finding/suppress.h"

struct source {
	const char *path;
	struct sbuf text;	  /* once read; p NULL before, and if it is unreadable */
	struct line_marks *lines; /* once read */
	bool is_unit;		  /* it is a unit itself, not a header */
	bool checked;
	const struct cli_opts *opts;	  /* of that first unit */
	struct suppressions suppressions; /* once read */
};

struct sources {
	struct arena *a;
	ARRAY(struct source *) v; /* in order of appearance */
	struct map by_file;	  /* struct source * by device and inode */
	struct map by_path;
	struct map by_real; /* of given files; if there are any, others do not count */
};

struct cli_opts;
/* Adds a file with its text, which must outlive s; the file need not exist. real: its real path. A
 * file with several names is added once for each. */
void source_given(struct sources *s, const char *path, const char *real, struct str text);
/* NULL when there is no such file. */
struct source *source_of(struct sources *s, const char *path);
/* The same, but NULL for a file that is not in the list. */
struct source *source_known(const struct sources *s, const char *path);
/* Replaces the text of path, whatever the file contains, and even if it does not exist. */
void source_edited(struct sources *l, const char *path, struct str text);
/* Fills text, lines and suppressions. */
void source_read(struct sources *l, struct source *s);
void sources_release(struct sources *s);
