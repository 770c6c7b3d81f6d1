#pragma once
/*
 * A part: the results of one shard of a run, as a file. unphi merge joins all parts of a run. A
 * part has the output of each unit's process to the byte, so that the joined result is that of one
 * run. Both ends are the same version of unphi.
 *
 * A part comes from another machine, so it is an input like any other: shard_load accepts only a
 * part that keeps the invariants below, and each subcommand checks the output of its units
 * (each_parts_load) before it uses any. A checksum detects damaged parts.
 */
#include "base/arena.h"
#include "base/str.h"

enum {
	SHARD_SECONDS_MAX = 1000000000,
	SHARDS_MAX = 100000 /* of a run */
};

struct shard_unit {
	size_t index;	  /* among all units of the run; ascending in a part */
	const char *name; /* as shown */
	int code;	  /* enum exit_code */
	double seconds;	  /* from 0 to SHARD_SECONDS_MAX */
	struct str err;	  /* its stderr */
	struct str said;  /* its errors and warnings, as bytes (base/msglog.h) */
	struct str out;
};

/* A file's text, for unphi merge, which may not have the file. */
struct shard_text {
	const char *path; /* as shown */
	const char *real;
	struct str text;
};

struct shard_part {
	const char *path;    /* of the part's file, for messages */
	const char *command; /* "lint" */
	const char *options; /* a hash of the options that decide the results */
	const char *split; /* a hash of all units' names and weights, equal in all parts of a run */
	unsigned shard;	   /* from 1 */
	unsigned of;	   /* up to SHARDS_MAX */
	size_t units;	   /* of the run */
	int code; /* the exit code for files that are no units because they are unreadable */
	struct str said;
	struct shard_unit *unit;
	size_t n;
	struct shard_text *text;
	size_t texts;
};

void shard_print(struct sbuf *out, const struct shard_part *p);
/* Adds the checksum and the last brace to the text of a part. */
void shard_seal(struct sbuf *text);
/* Lives in a. FAIL_USAGE after a message if path cannot be read; FAIL_INPUT if it is not a part of
 * this version of unphi, or was changed after shard_print. */
int shard_load(struct shard_part *out, struct arena *a, const char *path);
/* FAIL_INPUT after the message that the part is damaged. */
int shard_damaged(const char *path);
