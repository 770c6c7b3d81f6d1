#pragma once
/*
 * The latest run times of a project's units, in a file that runs and machines share:
 * {"version":1,"seconds":{"lint":{"a.hip":0.21}}}. Units that a run does not process keep their
 * times.
 */
#include "base/arena.h"
#include "base/map.h"

struct times {
	struct arena *a;
	const char *command;
	struct map ms;	   /* by name */
	int64_t usual_ms;  /* for unknown units */
	struct json_t *of; /* the file's content; or NULL */
};

/* path NULL or a missing file: no times. FAIL_USAGE after a message. */
int times_load(struct times *t, const char *path);
/* In milliseconds, at least 1. */
int64_t times_of(const struct times *t, struct str name);
/* Adds a unit's time to its name; units of one name add up. */
void times_add(struct times *t, struct str name, double seconds);
int times_write(struct times *t, const char *path);
void times_release(struct times *t);
