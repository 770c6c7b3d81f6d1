#pragma once
/*
 * Limits the time and memory of a libclang parse in our own process: a source may include a pipe or
 * a device, and then the parse never ends. A thread watches the process. Past a limit it prints a
 * message with the file's name, cleans up, and exits with 3. One watch at a time; no fork while it
 * is on.
 */
#include <pthread.h>
#include <stdbool.h>

struct watch {
	const char *file; /* for the message */
	double limit_s;
	unsigned long long limit_bytes;
	double begun_s; /* on proc_now_s() */
	double used_s;	/* CPU time at that moment */
	int err;	/* a copy of stderr for messages; -1: no watch */
	bool ended;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t end;
};

/* The time limit is that of a child of unphi (proc_limit, else PROC_TIME_LIMIT_S), in CPU time, or
 * in wall time while all threads wait. The memory limit is UNPHI_PARSE_MEMORY in GiB, else three
 * quarters of the machine's or container's memory, at most 32 GiB. */
void watch_begin(struct watch *w, const char *file);
void watch_end(struct watch *w);
/* The same memory limit for a compiler, in bytes. */
unsigned long long watch_memory(void);
