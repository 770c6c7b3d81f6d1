#pragma once
/*
 * Limits on work in our own process that others wrote and that reads what it likes: a parse by
 * libclang may be told to include a pipe or a device. A thread looks at the time and the memory of
 * the process. Past a limit it says so with the name of the file, cleans up, and ends the process
 * with exit 3. One watch at a time, and nothing may be forked while one is on.
 */
#include <pthread.h>
#include <stdbool.h>

struct watch {
	const char *file; /* for the message */
	double limit_s;
	unsigned long long limit_bytes;
	double begun_s; /* on proc_now_s() */
	double used_s;	/* of the processors, by then */
	int err;	/* where messages go, whatever becomes of stderr; -1: nothing watches */
	bool ended;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t end;
};

/* The time is that of a child of unphi (proc_limit, else PROC_TIME_LIMIT_S): of the processors, or
 * by the clock where all threads wait. The memory is UNPHI_PARSE_MEMORY in GiB, else three quarters
 * of what the machine or container has, and 32 GiB at most. */
void watch_begin(struct watch *w, const char *file);
void watch_end(struct watch *w);
/* Bytes that the same limit gives a compiler. */
unsigned long long watch_memory(void);
