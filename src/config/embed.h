#pragma once
/* The files of rules/, embedded at build time. */
#include "base/str.h"

struct embed_file {
	const char *name; /* "targets.yaml" */
	struct str text;
};

extern const struct embed_file embed_files[];
extern const size_t embed_files_n;
/* An empty view if there is no such file. */
struct str embed_get(const char *name);
