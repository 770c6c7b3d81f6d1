#pragma once
/*
 * The places where a compile looks for files, found or not: the stamps (base/kept/stamp.h) of all
 * that would make it read other text. The driver itself resolves its options, configuration files
 * and environment, and prints the command of the compiler proper (-###, -v). That command has the
 * search directories for headers. The make rule has the files that were found, and thus the
 * directories of files that include others. Their texts have the names in __has_include.
 *
 * Each directory has one stamp for all names. This is conservative: each name is assumed to be
 * looked up in every directory, in any order. A name too many only costs another compile.
 */
#include <time.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "base/words.h"

struct lookups {
	struct arena *a;
	struct words dirs;	/* search directories; they may be missing */
	struct words commands;	/* files named by commands */
	struct map known;	/* the content of these lists and of files */
	struct words files;	/* read as text, without the source */
	struct map roots;	/* roots that were added */
	struct sbuf driver;	/* stamps of the places where a driver looks for its parts */
	struct words macros;	/* definitions of the command line, as text */
	bool programs;		/* stamp the programs and bitcode that commands name, too */
	struct words compilers; /* programs of the commands that compile */
	const char *why;	/* why the files that are read are unknown, or NULL */
};

/* Adds the commands in a driver's output of -### or -v, without the source that they compile. */
void lookups_add_commands(struct lookups *l, struct str said);
/* Adds, from that output and from -v, stamps of the places where the driver would find another part
 * of itself or another configuration. */
void lookups_add_driver(struct lookups *l, struct str said);
/* Adds a directory in which ROCm or GCC may be installed. */
void lookups_add_root(struct lookups *l, struct str root);
/* Adds the search list in the output of the compiler proper with -v. */
void lookups_add_search_list(struct lookups *l, struct str said);
/* Adds a search directory. */
void lookups_add_dir(struct lookups *l, struct str dir);
/* Adds a macro of the command line, NAME(x)=BODY, which may ask for files. */
void lookups_add_macro(struct lookups *l, struct str definition);
/* Adds a file that was read, as the compiler spells it. */
void lookups_add_file(struct lookups *l, const char *path);
/* Appends all stamps, without an empty line. text: the source. before: no file may have changed
 * since then (0: no check). False if the stamps are incomplete: a file changed while it was read
 * or, if why is set, always. */
bool lookups_add_stamps(struct sbuf *out, struct lookups *l, struct str text, time_t before);
void lookups_release(struct lookups *l);
