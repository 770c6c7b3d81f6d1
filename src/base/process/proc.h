#pragma once
/*
 * Child processes, bounded in time and output. Each child gets its own process group, so that a
 * timeout or Ctrl-C kills all it started. stdin is /dev/null. posix_spawn, no shell. A job ends
 * with its first process: children that it leaves running are killed a second later. Only one
 * thread at a time may run jobs.
 */
#include <stdbool.h>
#include <stddef.h>
#include "base/arena.h"
#include "base/str.h"

/* A clock for time limits, in seconds. */
double proc_now_s(void);

#define PROC_TIME_LIMIT_S 300.0 /* for a job without its own limit */

struct proc_job {
	const char *const *argv; /* NULL-terminated; argv[0] is looked up on PATH */
	double time_limit_s;	 /* base/process/due.h; 0 = PROC_TIME_LIMIT_S */
	double ends_at_s; /* on proc_now_s(): killed then, or when interrupt_asked; 0 = never */
	unsigned long long memory; /* address space of it and its children in bytes; 0: no limit */
	size_t output_limit;	   /* bytes kept of each stream; 0 = 64 MiB */
	void *user;		   /* for the caller */
	const char *cwd;	   /* directory to run in; NULL = ours */
	bool needed; /* of several: if it is not proc_ok, the others are killed or not started */
	/* Its heap asks the kernel for huge pages (glibc.malloc.hugetlb, since glibc 2.35), unless
	 * GLIBC_TUNABLES is set. A compile has a tenth to a quarter less CPU time so. */
	bool huge_pages;
};

struct proc_result {
	bool started; /* false: could not be started; start_errno says why */
	int start_errno;
	bool timed_out; /* killed at the time limit */
	bool truncated; /* more output than output_limit */
	int exit_code;	/* valid when started and signal == 0 and !timed_out */
	int signal;	/* the signal that ended it, or 0 */
	double wall_s;
	struct sbuf out;
	struct sbuf err;
};

/* Caps the time limit of every later job; 0: no cap. */
void proc_limit(double seconds);
/* The smaller of seconds and that cap. */
double proc_limit_of(double seconds);
/* Runs one job to its end. Never fails itself: look at the result. */
void proc_run(struct proc_result *result, const struct proc_job *job);
/* Runs n jobs, at most parallel at a time (0 = number of processors), in order of index. */
void proc_run_all(
	struct proc_result *results, const struct proc_job *jobs, size_t n, unsigned parallel);
/* A source of jobs that become ready while others run. */
struct proc_source {
	/* The next job that can start now, and the caller's number for it. False: none until a
	 * running one has ended. */
	bool (*next)(void *user, struct proc_job *job, size_t *number);
	/* A job has ended or could not be started. The callee owns *r. */
	void (*ended)(void *user, size_t number, struct proc_result *r);
	void *user;
};
/* Like proc_run_all; returns when no job runs and `next` has no further job. */
void proc_run_from(const struct proc_source *source, unsigned parallel);
bool proc_ok(const struct proc_result *r); /* exited with 0, and its output is complete */
void proc_result_release(struct proc_result *r);
/* CPU time in seconds of this process and of the children it has reaped. */
double proc_cpu_s(void);
double proc_own_cpu_s(void); /* of this process only */
void proc_close(int *fd);    /* closes it unless it is negative, and sets it to -1 */
unsigned proc_cpus(void);    /* processors this process may use, at least 1 */
/* Full path of an executable found on PATH (or name itself if it has a slash and is executable);
 * NULL when there is none. */
const char *proc_find(struct arena *a, const char *name);
