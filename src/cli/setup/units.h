#pragma once
/*
 * The units that lint looks at: files as they were named, sources found in directories, and the
 * entries of a compile database. One unit is one parse command: a file that a build compiles twice
 * is two.
 */
#include <regex.h>
#include "cli/cli.h"

struct cli_unit {
	const char *path;  /* to be opened in directory */
	const char *shown; /* as named by the user, else relative to here if below, else absolute */
	const char *directory;	     /* NULL: ours */
	const char *compiler;	     /* of --compiler, else the entry's; NULL: neither */
	const char *const *flags;    /* as given, with those that choose a GPU */
	const struct cli_opts *opts; /* with what the configuration beside it sets */
	struct cli_targets targets;
};

struct cli_units {
	struct cli_unit *v;
	size_t n;
	struct target_db db; /* that their targets are from */
	int failed; /* FAIL_USAGE when some file or entry could not be made a unit, else 0 */
};

/* The configurations are looked up in configs, which has to outlive the units. In the order of the
 * operands, what a directory holds in order of names. Without an operand all of
 * the database. Everything lives in a. FAIL_USAGE after messages: what is in no database, or
 * nothing left. What cannot be read, and an entry that names no GPU, or a response file that is not
 * there, is said and counts as failed, and the others are units all the same. */
int cli_units_find(struct cli_units *out, struct arena *a, const struct cli_opts *o,
	struct user_configs *configs);
/* Loads the parser, that of the first unit's compiler where its entry names one. */
int cli_units_load(const struct cli_units *u, const struct cli_opts *o);

/* Words to put in front of compiles, NULL: none, and what they cannot do, said; of_build: those of
 * the database, or NULL. FAIL_USAGE after a message. */
int cli_launcher_find(const char *const **out, struct arena *a, const struct cli_opts *o,
	const char *const *of_build);

/* Is o, with -p, about more than one unit: none or several files, a directory, a shard, or, to be
 * rewritten, a file with several entries? FAIL_USAGE after a message. */
int cli_project_is(bool *out, struct arena *a, const struct cli_opts *o);
/* Makes the paths among o's options what they are from cwd on, whatever directory we go to. */
void cli_paths_absolute(struct cli_opts *o, struct arena *a, const char *cwd);
/* Makes o, of a subcommand with -p and one file, what it would be had the user stood in the entry's
 * directory and given its flags; changes the working directory. Paths live in a. */
int cli_unit_enter(struct cli_opts *o, struct arena *a);

/* The response file that a word among the flags names and that could not be read, or NULL: those
 * that could be were replaced by what they hold. */
const char *cli_words_unread(const char *const *flags);

/* The value of an option that is a POSIX extended expression: 0, or FAIL_USAGE after a message. */
int cli_regex(regex_t *out, const char *option, const char *text);
/* --header-filter is a regular expression: 0, or FAIL_USAGE after a message. */
int cli_filter_check(const struct cli_opts *o);
/* The path as people want to see it: relative to cwd where it is below that. */
const char *cli_path_shown(struct arena *a, const char *cwd, const char *absolute);
/* Does a glob of the list match the path or its last component? '*' matches '/' too. */
bool cli_path_matches(const struct name_list *globs, const char *path);
/* Goes to a directory, for the file that is shown so; NULL: stays. FAIL_USAGE after a message. */
int cli_directory_go(const char *dir, const char *shown);
/* To the one that the unit's entry names. */
int cli_directory_enter(const struct cli_unit *u);
/* The exit code of a database's unit whose file cannot be read, after a message; else -1. */
int cli_unit_early(const struct cli_unit *u);
