#pragma once
/*
 * The configuration file .unphi.yaml: only the nearest one counts, in the directory of the file or
 * above it. Its values are used for options that are not given. It cannot name commands to run, so
 * linting an untrusted checkout starts no program of that checkout. The tables in user.c and
 * settings.c read the keys, and `unphi help config` prints them.
 */
#include "base/map.h"
#include "config/settings.h"

struct user_function {
	const char *name;
	int accumulator; /* a matrix function's argument, from 0; -1: a pure function */
};

struct user_budget {
	const char *kernel;
	const char *limits;
	unsigned line;	      /* the line of the entry */
	unsigned limits_line; /* the place of the value of limits, 1-based, the column in bytes */
	unsigned limits_column;
};

struct user_config {
	const char *path; /* NULL: there is no file, and nothing is set */
	const char *checks;
	const char *header_filter;
	const char *const *target;
	size_t targets;
	const char *top;   /* the absolute directory of path */
	const char *specs; /* a directory relative to top, or NULL */
	const char *const *exclude;
	size_t excludes;
	struct user_function *function; /* matrix functions, then pure ones */
	size_t functions;
	struct user_budget *budget;
	size_t budgets;
	const struct yaml_node *settings; /* for settings_override; NULL without a file */
};

extern const char user_config_name[]; /* ".unphi.yaml" */

/* FAIL_USAGE after a message with line and column; unknown keys are errors. Lives in a. */
int user_config_load(struct user_config *out, struct arena *a, const char *path);

/* The configurations found so far, by directory. */
struct user_configs {
	struct arena *a;
	struct map by_dir; /* const struct user_config * */
};
/* Finds the configuration of a file or a directory. If it returns 0, *out is not NULL. */
int user_config_find(const struct user_config **out, struct user_configs *all, const char *file);
void user_configs_release(struct user_configs *all);
/* The path of a spec in the spec directory of c. beside: the path of the spec if it were beside its
 * source file. NULL: c has no spec directory, or the source is not below the directory of c. */
const char *user_config_spec(struct arena *a, const struct user_config *c, const char *beside);
/* Prints the values of c as YAML that user_config_load reads. */
void user_config_print(
	struct sbuf *out, const struct user_config *c, const struct settings *settings);
/* Prints a .unphi.yaml with an example of every key and, as a comment, its meaning, type and
 * default. */
int user_config_describe(struct sbuf *out);
