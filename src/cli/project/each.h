#pragma once
/*
 * Runs the units of a project, each in a process of its own: all units, or those of one shard. The
 * results of a shard are written as a part for unphi merge. The split depends only on
 * the names of the units and on the file of --times, so all machines make the same one.
 */
#include "cli/cli.h"
#include "report/form/shard.h"

struct each {
	const struct cli_opts *opts;
	struct arena *a;
	const char *command;
	const char *const *name; /* of the units, for people; units of one name go to one shard */
	size_t n;
	double time_limit_s; /* of a unit; 0: none */
	void *user;
	/* Runs in the unit's process, and returns its exit code. */
	int (*run)(void *user, size_t index, struct sbuf *out);
	/* NULL, or runs in the parent before `run`. Returns the unit's exit code after a message,
	 * or -1 to go on. */
	int (*early)(void *user, size_t index);
	/* Called for each result, in the order of the units; r lives in a. Not called if a part is
	 * written. */
	void (*done)(void *user, const struct shard_unit *r);
	/* NULL, or adds to a part the texts that unphi merge needs. */
	void (*texts)(void *user, struct shard_part *part);
	int code; /* the worst exit code so far; each_run adds the units' and its own */
};

/* 0: the caller joins and prints the results; 1: a part was written; or FAIL_USAGE after a
 * message. */
int each_run(struct each *e);

/* Parts of one run, for unphi merge. */
struct each_parts {
	struct shard_part *v;
	size_t n;
	const struct shard_unit *const *unit; /* of all parts, in their order */
	size_t units;
	const char *missing; /* NULL, or a message that lists the missing shards */
};
/* A subcommand's functions for parts. */
struct each_merge {
	const char *command;
	unsigned bit; /* enum command */
	/* Could a run have produced this result of a unit? It is not checked again later. */
	bool (*is_sound)(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
	int (*merge)(const struct cli_opts *o, const struct each_parts *parts);
};

/* Loads the parts, and sets *command to the one of the n that wrote them. FAIL_USAGE after a
 * message if one cannot be read, or if they are not of one run; FAIL_INPUT if unphi did not write
 * one. */
int each_parts_load(struct each_parts *out, struct arena *a, const struct cli_opts *o,
	const struct each_merge **command, size_t n);
/* Calls done for all results in the order of the units, as each_run does. Returns the exit code. */
int each_parts_join(const struct each_parts *parts, struct arena *a, const struct cli_opts *o,
	void (*done)(void *user, const struct shard_unit *r), void *user);

/* for cmd_merge */
bool lint_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
bool rewrite_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
bool measure_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
bool verify_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u);
int lint_merge(const struct cli_opts *o, const struct each_parts *parts);
int rewrite_merge(const struct cli_opts *o, const struct each_parts *parts);
int measure_merge(const struct cli_opts *o, const struct each_parts *parts);
int verify_merge(const struct cli_opts *o, const struct each_parts *parts);
