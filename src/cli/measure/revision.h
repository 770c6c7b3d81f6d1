#pragma once
/*
 * The sources at a commit: texts in place of the files that differ from it. Everything else is the
 * current state: the compile database, generated files, flags. git lists the files that differ, and
 * their texts; nothing is written into the repository.
 */
#include "base/arena.h"
#include "base/vfs.h"

struct revision_file {
	const char *name; /* absolute, without links */
	const char *text; /* the file with its text at the commit */
};

struct revision {
	struct stand_in *in_place; /* files that differ or were removed */
	size_t in_places;
	const char *overlay;	    /* their overlay file; NULL: none */
	const char *const *without; /* absolute names of files added after the commit */
	struct revision_file *file;
	size_t files;
};

/* name: a commit in git's syntax, in the repository around the directory where. FAIL_USAGE after a
 * message: no such commit, or git failed. Lives in a; the text files live until exit. */
int revision_open(struct revision *out, struct arena *a, const char *name, const char *where);
/* The file to compile in place of path: path itself if it does not differ; NULL: it did not
 * exist. */
const char *revision_path(const struct revision *r, struct arena *a, const char *path);
