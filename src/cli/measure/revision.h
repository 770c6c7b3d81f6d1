#pragma once
/*
 * The sources as they were at a commit: texts in place of the files that differ from it, so that
 * all else (the compile database, what the build generated, the flags) is as it is now. Git says
 * which files differ, and gives their texts; it writes nothing into the repository.
 */
#include "base/arena.h"
#include "base/vfs.h"

struct revision_file {
	const char *name; /* absolute, without links */
	const char *text; /* the file with its text at the commit */
};

struct revision {
	struct stand_in *in_place; /* files that differ, or are no more */
	size_t in_places;
	const char *overlay;	    /* what lists them; NULL: none */
	const char *const *without; /* absolute names of files that it does not have yet */
	struct revision_file *file;
	size_t files;
};

/* name: what git takes for a commit, in the repository with the directory where. FAIL_USAGE after a
 * message: it is none, or git failed. All lives in a, and the texts until exit. */
int revision_open(struct revision *out, struct arena *a, const char *name, const char *where);
/* The file to compile in place of path: path itself where nothing differs; NULL: there was none. */
const char *revision_path(const struct revision *r, struct arena *a, const char *path);
