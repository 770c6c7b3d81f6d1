#pragma once
/* Texts in place of files, for clang's virtual file system: the compiler reads the text and says
 * the file's name, wherever it says one. */
#include "base/arena.h"
#include "base/str.h"

/* A text that stands in for a file, under every name that the file is read by. */
struct stand_in {
	const char *const *name; /* absolute, without "." and ".."; NULL-terminated */
	struct str text;
	const char *content; /* the file that holds text, absolute; only who lists it needs one */
};

/* The names that a compiler may look a file up by which it is given, or finds, as path: from the
 * working directory, from PWD where that is another name of it, with the links of its directory
 * followed, and with all links followed; each once. */
const char *const *vfs_names(struct arena *a, const char *path);
/* Appends what -ivfsoverlay takes. */
void vfs_list(struct sbuf *out, const struct stand_in *v, size_t n);
