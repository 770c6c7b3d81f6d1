#pragma once
/*
 * Runs pieces of our own work in forked children, so that a crash, hang or leak ends only one of
 * them. A child starts with a copy of the parent's memory and returns bytes, an exit code and its
 * stderr. Results arrive in order of index, and so do errors and warnings, which join the parent's
 * list (base/msglog.h). For other programs there is base/process/proc.h.
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/str.h"

struct pool_result {
	size_t index;
	int exit_code; /* valid when signal == 0 and !timed_out */
	int signal;    /* the signal that ended it, or 0 */
	bool timed_out;
	double wall_s;
	struct str out; /* what run appended; empty unless run returned */
	struct str err; /* at most 1 MiB */
};

struct pool {
	unsigned parallel;   /* children at a time; 0: number of processors */
	double time_limit_s; /* of each (base/process/due.h); 0: none */
	void *user;
	/* Runs in the child; returns the exit code. stdout is closed there. */
	int (*run)(void *user, size_t index, struct sbuf *out);
	/* Runs in the parent, or NULL. The exit code of an index that needs no child, after a
	 * message that counts as the child's; else -1. The cost of fork grows with our memory, so
	 * we do not fork thousands of children that would only report a missing file. */
	int (*early)(void *user, size_t index);
	/* Runs in the parent, for each index in order. The views die with the call. */
	void (*done)(void *user, const struct pool_result *r);
};

/* Runs indexes 0 .. n - 1. 0, or FAIL_USAGE after a message if fork fails; done is then not called
 * for all. */
int pool_run(const struct pool *p, size_t n);
