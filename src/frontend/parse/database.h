#pragma once
/*
 * compile_commands.json, read by libclang: response files are expanded, and a command may be a list
 * or a line.
 */
#include "base/arena.h"
#include "base/str.h"

/* One entry that compiles HIP. Flags are the words after the compiler, without the input file and
 * without -x; their paths are relative to directory. */
struct unit_command {
	const char *path;      /* absolute */
	const char *directory; /* absolute */
	const char *compiler;  /* as written */
	/* ccache and similar launchers before it, NULL-terminated; NULL: none */
	const char *const *launcher;
	const char *const *flags;
};

struct unit_commands {
	struct unit_command *v; /* in the order of the file */
	size_t n;
	size_t others; /* number of entries that are not HIP */
};

/* build: a directory with compile_commands.json, or that file. Everything lives in a. FAIL_USAGE
 * after a message if it cannot be read. An entry is HIP if it has -x hip, if the file is named
 * .hip, or if hipcc compiles it. */
int frontend_commands(struct unit_commands *out, struct arena *a, const char *build);
