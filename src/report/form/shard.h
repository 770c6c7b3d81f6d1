#ifndef UNPHI_REPORT_FORM_SHARD_H
#define UNPHI_REPORT_FORM_SHARD_H
/*
 * A shard of a run: its results as a file that unphi merge joins with the others'. It has what the
 * process of each unit gave, to the byte, so that what is made of all parts together is what one
 * run would have made. Both ends are the same unphi.
 */
#include "base/arena.h"
#include "base/str.h"

struct shard_unit {
	size_t index;	  /* among all units of the run */
	const char *name; /* as shown */
	int code;	  /* exit code */
	double seconds;
	struct str err;	 /* what it said */
	struct str said; /* its errors and warnings (base/said.h) */
	struct str out;
};

/* A file as it was, for who joins the parts and may not have it. */
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
	unsigned of;
	size_t units; /* of the run */
	int code;     /* exit code before the units: what could not be looked at */
	struct str said;
	struct shard_unit *unit;
	size_t n;
	struct shard_text *text;
	size_t texts;
};

void shard_print(struct sbuf *out, const struct shard_part *p);
/* Lives in a. FAIL_USAGE after a message. */
int shard_load(struct shard_part *out, struct arena *a, const char *path);
#endif
