#pragma once
/*
 * Where a compile looks for what it reads, hits and misses: the stamps (base/kept/stamp.h) of all
 * that would make it read another text. Nothing here knows the ways to name a directory: the
 * driver itself says what its words, its configuration files and the environment amount to, in the
 * command of the compiler proper (-###, -v). From that command come the directories in which
 * headers are looked for; from the make rule the files that were found, and with them the
 * directories of those that include others; from their texts what they ask for by __has_include.
 *
 * Each directory has one stamp for all names. It says more than is true: a name is taken to be
 * looked for in each of the directories, in any order. A name too many only costs another compile.
 */
#include <time.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/words.h"

struct lookups {
	struct arena *a;
	struct words dirs;	/* where names are looked for; they need not be there */
	struct words commands;	/* files that the commands name */
	struct map known;	/* what is in these lists, and in files */
	struct words files;	/* that were read as text, but for the source */
	struct map roots;	/* that were looked at */
	struct sbuf driver;	/* stamps of the places where a driver finds its parts */
	struct words macros;	/* definitions of the command line, as text */
	bool programs;		/* stamp the programs and bitcode that commands name, too */
	struct words compilers; /* programs of the commands that compile */
	const char *why;	/* what makes it impossible to tell what is read; NULL: nothing */
};

/* What a driver said to -### or -v: the commands in it, but for the source that they compile. */
void lookups_add_commands(struct lookups *l, struct str said);
/* The same, and to -v: stamps of the places where the driver would find another part of itself, or
 * another configuration. */
void lookups_add_driver(struct lookups *l, struct str said);
/* A directory that ROCm or a GCC may be installed in. */
void lookups_add_root(struct lookups *l, struct str root);
/* What the compiler proper says to -v: its search list. */
void lookups_add_search_list(struct lookups *l, struct str said);
/* A directory in which names are looked for. */
void lookups_add_dir(struct lookups *l, struct str dir);
/* A macro of the command line, NAME(x)=BODY: its body may ask for files. */
void lookups_add_macro(struct lookups *l, struct str definition);
/* A file that was read, as the compiler spells it. */
void lookups_add_file(struct lookups *l, const char *path);
/* Appends all stamps, without an empty line. text: of the source. before: nothing may have changed
 * since (0: no such time). False where they do not say all: something changed while it was read,
 * or, with why set, for good. */
bool lookups_add_stamps(struct sbuf *out, struct lookups *l, struct str text, time_t before);
void lookups_release(struct lookups *l);
