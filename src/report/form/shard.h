#pragma once
/*
 * A shard of a run: its results as a file that unphi merge joins with the others'. It has what the
 * process of each unit gave, to the byte, so that what is made of all parts together is what one
 * run would have made. Both ends are the same unphi.
 *
 * A part travels between machines, so it is an input like any other: shard_load passes only what
 * keeps the invariants below, and each subcommand checks what its units gave (each_parts_load)
 * before anything is made of it. A checksum tells damage from that.
 */
#include "base/arena.h"
#include "base/str.h"

enum {
	SHARD_SECONDS_MAX = 1000000000,
	SHARDS_MAX = 100000 /* of a run */
};

struct shard_unit {
	size_t index;	  /* among all units of the run; a part has them in rising order */
	const char *name; /* as shown */
	int code;	  /* enum exit_code */
	double seconds;	  /* from 0 to SHARD_SECONDS_MAX */
	struct str err;	  /* what it said */
	struct str said;  /* its errors and warnings (base/said.h) */
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
	const char *options; /* a hash of what else decides about the results */
	const char *split;   /* a hash of all units' names and weights: what is one run */
	unsigned shard;	     /* from 1 on */
	unsigned of;	     /* up to SHARDS_MAX */
	size_t units;	     /* of the run */
	int code;	     /* exit code before the units: files that could not be checked */
	struct str said;
	struct shard_unit *unit;
	size_t n;
	struct shard_text *text;
	size_t texts;
};

void shard_print(struct sbuf *out, const struct shard_part *p);
/* Ends the text of a part, which lacks its last brace, with its checksum. */
void shard_seal(struct sbuf *text);
/* Lives in a. FAIL_USAGE after a message when path cannot be read, FAIL_INPUT when it is no part of
 * this unphi, or not what shard_print wrote. */
int shard_load(struct shard_part *out, struct arena *a, const char *path);
/* FAIL_INPUT after the message that the part is not what shard_print wrote. */
int shard_damaged(const char *path);
