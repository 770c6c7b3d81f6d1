#pragma once
/*
 * The files that units checked, or that findings are in. A file with several names is one source:
 * device and inode identify it, and its path is the name that the first unit used.
 */
#include "base/array.h"
#include "base/map.h"
#include "report/finding/suppress.h"

struct source {
	const char *path;
	struct sbuf text;	  /* p NULL: not read yet, or unreadable */
	struct line_marks *lines; /* once read */
	bool is_unit;		  /* it is a unit itself, not a header */
	bool checked;
	const struct cli_opts *opts;	  /* of the first unit that checked it */
	struct suppressions suppressions; /* once read */
};

struct sources {
	struct arena *a;
	ARRAY(struct source *) v; /* in order of appearance */
	struct map by_file;	  /* struct source * by device and inode */
	struct map by_path;
	struct map by_real; /* of the given sources; if there are any, no other file is a source */
};

struct cli_opts;
/* Adds a file with its text, which must outlive s; the file need not exist. real: its real path. A
 * file with several names is added once for each. */
void source_given(struct sources *s, const char *path, const char *real, struct str text);
/* NULL when there is no such file. */
struct source *source_of(struct sources *s, const char *path);
/* The same, but NULL for a file that is not in the list. */
struct source *source_known(const struct sources *s, const char *path);
/* Sets the text of path in place of the file's content; the file need not exist. */
void source_edited(struct sources *l, const char *path, struct str text);
/* Fills text, lines and suppressions. */
void source_read(struct sources *l, struct source *s);
void sources_release(struct sources *s);
