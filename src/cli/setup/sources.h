#pragma once
/*
 * The files that units looked at or found something in. However many names a file has, it is one
 * source, known by device and inode and named as by the first unit.
 */
#include "base/array.h"
#include "base/map.h"
#include "report/finding/suppress.h"

struct source {
	const char *path;
	struct sbuf text;	  /* once read; p NULL before, and when it cannot be */
	struct line_marks *lines; /* once read */
	bool is_unit;		  /* it was asked for itself, not as a header */
	bool looked_at;
	const struct cli_opts *opts;	  /* of the first unit that did */
	struct suppressions suppressions; /* once read */
};

struct sources {
	struct arena *a;
	ARRAY(struct source *) v; /* in order of appearance */
	struct map by_file;	  /* struct source * by device and inode */
	struct map by_path;
	struct map by_real; /* of those that were given: then no others count */
};

struct cli_opts;
/* A file that may not be here, with its text, which lives on. real: its name without links; a file
 * of several names is given once for each. */
void source_given(struct sources *s, const char *path, const char *real, struct str text);
/* NULL when there is no such file. */
struct source *source_of(struct sources *s, const char *path);
/* The same, but NULL for a file that was not met before. */
struct source *source_known(const struct sources *s, const char *path);
/* What is called path has this text, whatever the file has, or whether there is one. */
void source_edited(struct sources *l, const char *path, struct str text);
/* Fills text, lines and suppressions. */
void source_read(struct sources *l, struct source *s);
void sources_release(struct sources *s);
