#include "base/process/watch.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/msg.h"
#include "base/process/due.h"
#include "base/process/proc.h"

enum {
	MOST_GIB = 32,
	LOOK_MS = 25,	   /* a device delivers a few hundred MB at most in that time */
	TIMES_AS_LONG = 10 /* if other processes use the CPUs */
};

#define GIB (1ULL << 30)

/* The number at the start of a file in /proc or /sys, or dflt. */
static unsigned long long number_in(const char *path, unsigned long long dflt)
{
	FILE *f = fopen(path, "re");
	unsigned long long n = dflt;

	if (f) {
		n = fscanf(f, "%llu", &n) == 1 ? n : dflt;
		fclose(f);
	}
	return n;
}

unsigned long long watch_memory(void)
{
	const char *given = getenv("UNPHI_PARSE_MEMORY");
	double gib = given ? strtod(given, NULL) : 0;

	if (gib > 0 && gib < 1e6) {
		return (unsigned long long)(gib * (double)GIB);
	}
	unsigned long long all = (unsigned long long)sysconf(_SC_PHYS_PAGES) *
				 (unsigned long long)sysconf(_SC_PAGESIZE);
	unsigned long long ours = number_in("/sys/fs/cgroup/memory.max", all);
	all = (ours < all ? ours : all) / 4 * 3;
	return all < MOST_GIB * GIB ? all : MOST_GIB * GIB;
}

static unsigned long long held_bytes(void)
{
	unsigned long long pages = 0;
	FILE *f = fopen("/proc/self/statm", "re");

	if (f) {
		pages = fscanf(f, "%*u %llu", &pages) == 1 ? pages : 0;
		fclose(f);
	}
	return pages * (unsigned long long)sysconf(_SC_PAGESIZE);
}

static bool took_too_long(const struct watch *w)
{
	double passed = proc_now_s() - w->begun_s;

	return proc_own_cpu_s() - w->used_s >= w->limit_s || passed >= TIMES_AS_LONG * w->limit_s ||
	       (passed >= w->limit_s && due_others_wait());
}

static void end_process(const struct watch *w, bool memory)
{
	msg_write_to(w->err); /* the parse may turn stderr away at this moment */
	if (memory) {
		msg_error(
			"%s: its parse took more than %.3g GiB of memory and was stopped: does it "
			"include a device? UNPHI_PARSE_MEMORY=GIB allows more",
			w->file, (double)w->limit_bytes / (double)GIB);
	} else {
		msg_error("%s: its parse took more than %g s and was stopped: does it include a "
			  "pipe? --time-limit S sets the limit",
			w->file, w->limit_s);
	}
	cleanup_run();
	_exit(EXIT_INPUT);
}

static void *look(void *user)
{
	struct watch *w = user;
	struct timespec at;

	pthread_mutex_lock(&w->lock);
	clock_gettime(CLOCK_REALTIME, &at);
	while (!w->ended) {
		at.tv_nsec += LOOK_MS * 1000000L;
		at.tv_sec += at.tv_nsec / 1000000000L;
		at.tv_nsec %= 1000000000L;
		if (pthread_cond_timedwait(&w->end, &w->lock, &at) == 0 || w->ended) {
			continue;
		}
		bool memory = held_bytes() > w->limit_bytes;
		if (memory || took_too_long(w)) {
			end_process(w, memory);
		}
		clock_gettime(CLOCK_REALTIME, &at);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

void watch_begin(struct watch *w, const char *file)
{
	sigset_t all, before;

	*w = (struct watch){.file = file,
		.limit_s = proc_limit_of(PROC_TIME_LIMIT_S),
		.limit_bytes = watch_memory(),
		.begun_s = proc_now_s(),
		.used_s = proc_own_cpu_s(),
		.err = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)};
	if (w->err < 0) {
		return;
	}
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->end, NULL);
	/* signals go to the main thread */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&w->thread, NULL, look, w) != 0) {
		close(w->err);
		w->err = -1;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void watch_end(struct watch *w)
{
	if (w->err < 0) {
		return;
	}
	pthread_mutex_lock(&w->lock);
	w->ended = true;
	pthread_cond_signal(&w->end);
	pthread_mutex_unlock(&w->lock);
	pthread_join(w->thread, NULL);
	pthread_cond_destroy(&w->end);
	pthread_mutex_destroy(&w->lock);
	close(w->err);
}
