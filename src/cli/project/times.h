#pragma once
/*
 * How long the units of a project took the last time, in a file that goes from run to run and to
 * every machine: {"version":1,"seconds":{"lint":{"a.hip":0.21}}}. What a run did not look at keeps
 * its time.
 */
#include "base/arena.h"
#include "base/map.h"

struct times {
	struct arena *a;
	const char *command;
	struct map ms;	   /* by name */
	int64_t usual_ms;  /* of those that are not known */
	struct json_t *of; /* all that the file has; or NULL */
};

/* path NULL, or a file that is not there: nothing is known. FAIL_USAGE after a message. */
int times_load(struct times *t, const char *path);
/* In milliseconds, at least 1. */
int64_t times_of(const struct times *t, struct str name);
/* A name's last time; what several units of the name take is added up. */
void times_add(struct times *t, struct str name, double seconds);
int times_write(struct times *t, const char *path);
void times_release(struct times *t);
