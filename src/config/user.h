#pragma once
/*
 * .unphi.yaml, looked for beside a file and in the directories above it; the nearest counts, alone.
 * It stands in for options that were not given. It may not name commands to run, so that a lint of
 * somebody else's checkout starts nothing of theirs. `unphi help config` lists its keys, by the
 * tables that read them (user.c, settings.c).
 */
#include "base/map.h"
#include "config/settings.h"

struct user_function {
	const char *name;
	int accumulator; /* of a matrix function; -1: a pure one */
};

struct user_budget {
	const char *kernel;
	const char *limits;
	unsigned line;	      /* of the entry */
	unsigned limits_line; /* 1-based, of the value of limits, the column in bytes */
	unsigned limits_column;
};

struct user_config {
	const char *path; /* NULL: there is no such file, and nothing is set */
	const char *checks;
	const char *header_filter;
	const char *const *target;
	size_t targets;
	const char *top;   /* the directory that path is in, absolute */
	const char *specs; /* a directory, from there on; or NULL */
	const char *const *exclude;
	size_t excludes;
	struct user_function *function; /* matrix functions, then pure ones */
	size_t functions;
	struct user_budget *budget;
	size_t budgets;
	const struct yaml_node *settings; /* for settings_override; NULL */
};

extern const char user_config_name[]; /* ".unphi.yaml" */

/* FAIL_USAGE after a message with line and column; unknown keys are errors. Lives in a. */
int user_config_load(struct user_config *out, struct arena *a, const char *path);

/* Those that were looked for, by directory. */
struct user_configs {
	struct arena *a;
	struct map by_dir; /* const struct user_config * */
};
/* That of the file, or of a directory; never NULL on 0. */
int user_config_find(const struct user_config **out, struct user_configs *all, const char *file);
void user_configs_release(struct user_configs *all);
/* Where a spec of the file of this name (NAME.verify.yaml, beside the file) is when it is not
 * there; NULL: c names no place, or the file is not below it. */
const char *user_config_spec(struct arena *a, const struct user_config *c, const char *beside);
/* What c sets, as YAML that user_config_load reads. */
void user_config_print(
	struct sbuf *out, const struct user_config *c, const struct settings *settings);
/* Every key with an example, and in a comment what it does, its type and default: a .unphi.yaml. */
int user_config_describe(struct sbuf *out);
