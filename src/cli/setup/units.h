#pragma once
/*
 * The units of lint: named files, sources found in directories, and the entries of a compile
 * database. One unit is one parse command: a file that a build compiles twice is two units.
 */
#include <regex.h>
#include "cli/cli.h"

struct cli_unit {
	const char *path; /* to be opened in directory */
	const char
		*shown; /* as the user named it, else relative to cwd if below it, else absolute */
	const char *directory;	     /* NULL: ours */
	const char *compiler;	     /* of --compiler, else the entry's; NULL: neither */
	const char *const *flags;    /* as given, with those that choose a GPU */
	const struct cli_opts *opts; /* as configured for it */
	struct cli_targets targets;
};

struct cli_units {
	struct cli_unit *v;
	size_t n;
	struct target_db db; /* the units' targets point into it */
	int failed;	     /* FAIL_USAGE if a file or entry is not usable, else 0 */
};

/* Lists the units in the order of the operands, and the files of a directory by name. Without
 * operands it lists the whole database. configs has to outlive the units. Everything lives in a.
 * FAIL_USAGE after messages: a file is not in the database, or there is no unit. An unreadable
 * file, an entry without a GPU or a missing response file gets a message, and failed is set. */
int cli_units_find(struct cli_units *out, struct arena *a, const struct cli_opts *o,
	struct user_configs *configs);
/* Loads the libclang of the first unit's compiler, or the usual one if the unit names none. */
int cli_units_load(const struct cli_units *u, const struct cli_opts *o);

/* The words of the launcher before each compile command; *out NULL: none. Notes which compiles it
 * cannot do. of_build: the words in the database, or NULL. FAIL_USAGE after a message. */
int cli_launcher_find(const char *const **out, struct arena *a, const struct cli_opts *o,
	const char *const *of_build);

/* Is o, which has -p, about more than one unit? It is for no file or several, a directory, a shard,
 * and, in rewrite, a file with several entries. FAIL_USAGE after a message. */
int cli_project_is(bool *out, struct arena *a, const struct cli_opts *o);
/* Makes the paths among o's options absolute, so that they stay valid in other directories. */
void cli_paths_absolute(struct cli_opts *o, struct arena *a, const char *cwd);
/* For a subcommand with -p and one file: enters the entry's directory, and sets o as if the user
 * had given the entry's flags there. Paths live in a. */
int cli_unit_enter(struct cli_opts *o, struct arena *a);

/* The first response file that is still among the flags, since it could not be read; or NULL. */
const char *cli_words_unread(const char *const *flags);

/* Compiles an option's POSIX extended expression: 0, or FAIL_USAGE after a message. */
int cli_regex(regex_t *out, const char *option, const char *text);
/* Checks that --header-filter is a regular expression: 0, or FAIL_USAGE after a message. */
int cli_filter_check(const struct cli_opts *o);
/* The real path, relative to cwd if it is below that. */
const char *cli_path_shown(struct arena *a, const char *cwd, const char *absolute);
/* Does a glob of the list match the path or its last component? '*' matches '/' too. */
bool cli_path_matches(const struct name_list *globs, const char *path);
/* Changes to a directory (NULL: not), for the file with this name. FAIL_USAGE after a message. */
int cli_directory_go(const char *dir, const char *shown);
/* Changes to the directory of the unit's entry. */
int cli_directory_enter(const struct cli_unit *u);
/* If the file of a database's unit cannot be read: the exit code, after a message. Else -1. */
int cli_unit_early(const struct cli_unit *u);
