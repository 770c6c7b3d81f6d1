#pragma once
/*
 * Pieces of our own work in child processes, made by fork: what crashes, hangs or leaks in one is
 * the end of that one only. A child starts with all that the parent knew, and gives back bytes, an
 * exit code and what it wrote to stderr; results come in order of index, however long each took,
 * and so do its errors and warnings, which are then ours as well (base/said.h).
 * For programs that are not ours there is base/process/proc.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/str.h"

struct pool_result {
	size_t index;
	int exit_code; /* valid when signal == 0 and !timed_out */
	int signal;    /* that ended it, or 0 */
	bool timed_out;
	double wall_s;
	struct str out; /* what run added; empty unless it came to its end */
	struct str err; /* at most 1 MiB of it */
};

struct pool {
	unsigned parallel;   /* children at a time; 0: number of processors */
	double time_limit_s; /* of each (base/process/due.h); 0: none */
	void *user;
	/* In the child; what it returns is its exit code. stdout is closed to it. */
	int (*run)(void *user, size_t index, struct sbuf *out);
	/* In the parent, or NULL: the exit code of an index with nothing to run, after a message
	 * that counts as the child's; else -1. A fork costs by how much memory we have, so
	 * thousands of children that only report a missing file are better not made. */
	int (*early)(void *user, size_t index);
	/* In the parent, for each index in order. The views die with the call. */
	void (*done)(void *user, const struct pool_result *r);
};

/* Runs indexes 0 .. n - 1. 0, or FAIL_USAGE after a message when no child could be made; done was
 * then not called for all. */
int pool_run(const struct pool *p, size_t n);
