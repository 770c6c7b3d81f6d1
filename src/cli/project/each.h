#pragma once
/*
 * The units of a project, each in a process of its own: all of them, or those of one shard, whose
 * results then go into a part in place of being joined. All runs and machines split a list of units
 * alike: by its names, and by how long each took where a file of --times says so.
 */
#include "cli/cli.h"
#include "report/form/shard.h"

struct each {
	const struct cli_opts *opts;
	struct arena *a;
	const char *command;
	const char *const *name; /* of the units, as shown; those of one name stay together */
	size_t n;
	double time_limit_s; /* of a unit; 0: none */
	void *user;
	/* In the unit's process; gives its exit code. */
	int (*run)(void *user, size_t index, struct sbuf *out);
	/* In ours, before that: the unit's exit code after a message, or -1 to go on; or NULL. */
	int (*early)(void *user, size_t index);
	/* Each in order of the units; r lives in a. Not called where a part is written. */
	void (*done)(void *user, const struct shard_unit *r);
	/* The files that those who join the part need, of its results; or NULL. */
	void (*texts)(void *user, struct shard_part *part);
	int code; /* the worst exit code so far; out: of units and of each_run, too */
};

/* 0 when the results are to be joined and printed; 1 when a part was written; or FAIL_USAGE after a
 * message. */
int each_run(struct each *e);

/* Parts of one run, for unphi merge. */
struct each_parts {
	struct shard_part *v;
	size_t n;
	const struct shard_unit *const *unit; /* of all parts, in their order */
	size_t units;
	const char *missing; /* NULL, or which shards are not there */
};
/* What a subcommand does with parts. */
struct each_merge {
	const char *command;
	unsigned bit; /* enum command */
	/* Could a run have given what this unit of the part gave? Nothing later checks it. */
	bool (*is_sound)(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
	int (*merge)(const struct cli_opts *o, const struct each_parts *parts);
};

/* By that of the parts among n commands, which is in *command. FAIL_USAGE after a message when one
 * cannot be read, or they are not of one run; FAIL_INPUT when one is not what unphi writes. */
int each_parts_load(struct each_parts *out, struct arena *a, const struct cli_opts *o,
	const struct each_merge **command, size_t n);
/* All their results in order of the units, as each_run would hand them over. The exit code. */
int each_parts_join(const struct each_parts *parts, struct arena *a, const struct cli_opts *o,
	void (*done)(void *user, const struct shard_unit *r), void *user);

/* cmd_merge's. */
bool lint_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
bool rewrite_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
bool measure_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
bool verify_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
int lint_merge(const struct cli_opts *o, const struct each_parts *parts);
int rewrite_merge(const struct cli_opts *o, const struct each_parts *parts);
int measure_merge(const struct cli_opts *o, const struct each_parts *parts);
int verify_merge(const struct cli_opts *o, const struct each_parts *parts);
