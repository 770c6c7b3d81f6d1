#pragma once
/* Texts in place of files, by clang's virtual file system: the compiler reads the text, and its
 * output still has the file's name. */
#include "base/arena.h"
#include "base/str.h"

/* A text that stands in for a file, under every name that the file is read by. */
struct stand_in {
	const char *const *name; /* absolute, no "." or ".."; NULL-terminated */
	struct str text;
	const char *content; /* the file that holds text, absolute; needed only by vfs_list */
};

/* The names under which a compiler may look up the file path: relative to the working directory,
 * relative to PWD if that is another name of it, with the directory's links resolved, and with all
 * links resolved; each once. */
const char *const *vfs_names(struct arena *a, const char *path);
/* Appends the YAML file for -ivfsoverlay. */
void vfs_list(struct sbuf *out, const struct stand_in *v, size_t n);
